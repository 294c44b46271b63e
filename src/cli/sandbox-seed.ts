import type { Seed } from '../testing/index.ts';

/** A few records of every kind, so that each operation has something to act on. */
export const richSeed: Seed = {
  lists: [
    { name: 'All contacts', system: true },
    { name: 'Newsletter' },
    { name: 'Customers' },
    { name: 'Trial' },
  ],
  tags: [{ name: 'vip' }, { name: 'new' }, { name: 'beta' }, { name: 'churned' }],
  customFields: [
    { name: 'plan', type: 'string' },
    { name: 'points', type: 'number' },
  ],
  senders: 3,
  postTags: 5,
  postCategories: 2,
  templates: [
    { name: 'Welcome' },
    { name: 'Default', system: true },
    { name: 'Shared', shared: true },
    { name: 'Sale' },
  ],
  campaigns: (['draft', 'scheduled', 'sending', 'sent', 'archived'] as const).map(state => ({
    name: `The ${state} campaign`,
    state,
    template: state === 'scheduled' ? 'Sale' : '',
  })),
};
