import type { EmailMarketingClient } from '../../src/index.ts';
import type { OperationName } from '../../src/resources/operations.ts';

/** The identifier that every call uses, behind the prefix of its kind. */
export const id = 'ABCDEFGHIJKLMNOPQRSTUV';

/** Every operation of the client, called once. */
export const calls: Record<OperationName, (client: EmailMarketingClient) => Promise<unknown>> = {
  'domains.create': client => client.domains.create({ name: 'mail.example.com' }),
  'lists.create': client => client.lists.create({ name: 'News' }),
  'lists.list': client => client.lists.list({ offset: 0, limit: 5, search: 'ne' }),
  'lists.delete': client => client.lists.delete(`list_${id}`),
  'tags.create': client => client.tags.create({ name: 'vip' }),
  'tags.delete': client => client.tags.delete(`tag_${id}`),
  'contacts.list': client => client.contacts.list({ offset: 0, limit: 5, search: 'ada' }),
  'postTags.list': client => client.postTags.list(),
  'postTags.get': client => client.postTags.get(`post_tag_${id}`),
  'postCategories.create': client => client.postCategories.create({ name: 'News' }),
  'senders.list': client => client.senders.list(),
  'templates.delete': client => client.templates.delete(`template_${id}`),
  'campaigns.delete': client => client.campaigns.delete(`campaign_${id}`),
  'events.record': client =>
    client.events.record({ name: 'bought', identifier: 'ada@x.test', data: { plan: 'pro' } }),
  'legacy.identify': client =>
    client.legacy.identify({
      email: 'a+b@x.test',
      birthday: '1990-12-10',
      customFields: { n: '++1' },
      tags: ['vip'],
    }),
  'legacy.track': client => client.legacy.track({ email: 'a+b@x.test', addTags: ['vip'], removeTags: [] }),
};
