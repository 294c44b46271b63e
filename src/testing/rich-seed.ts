import type { Seed } from './service/seed.ts';

const named = (...names: readonly string[]) => names.map(name => ({ name }));

/** A few records of each kind, so that every operation works. */
export const richSeed: Seed = {
  lists: [{ name: 'All contacts', system: true }, ...named('Newsletter', 'Customers', 'Trial')],
  tags: named('vip', 'new', 'beta', 'churned'),
  customFields: [...named('plan'), { name: 'points', type: 'number' }],
  senders: 3,
  postTags: 5,
  postCategories: 2,
  templates: [
    ...named('Welcome', 'Sale'),
    { name: 'Default', system: true },
    { name: 'Shared', shared: true },
  ],
  campaigns: (['draft', 'scheduled', 'sending', 'sent', 'archived'] as const).map(state => ({
    name: `The ${state} campaign`,
    state,
    template: state === 'scheduled' ? 'Sale' : '',
  })),
};
