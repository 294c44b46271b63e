import type { CallOptions, EmailMarketingClient } from '../../src/index.ts';

/** A call of one kind, and what the specification and the design say of it. */
export interface Kind {
  readonly name: string;
  readonly operation: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** Whether it may be made again when the service may have acted on it (design, section 7). */
  readonly again: boolean;
  call(client: EmailMarketingClient, options?: CallOptions): PromiseLike<unknown>;
}

const id = 'A1b2C3d4E5f6G7h8I9j0K1';
const email = 'ada@example.com';
const rest = '/api/v1/rest';

/** Each of the 16 operations; `identify` once for each kind of payload. */
export const kinds: readonly Kind[] = [
  {
    name: 'domains.create',
    operation: 'domains.create',
    method: 'POST',
    path: `${rest}/domain`,
    again: false,
    call: (client, options) => client.domains.create({ name: 'example.com' }, options),
  },
  {
    name: 'lists.create',
    operation: 'lists.create',
    method: 'POST',
    path: `${rest}/list`,
    again: false,
    call: (client, options) => client.lists.create({ name: 'n' }, options),
  },
  {
    name: 'lists.list',
    operation: 'lists.list',
    method: 'GET',
    path: `${rest}/list`,
    again: true,
    call: (client, options) => client.lists.list({ limit: 2 }, options),
  },
  {
    name: 'lists.delete',
    operation: 'lists.delete',
    method: 'DELETE',
    path: `${rest}/list/list_${id}`,
    again: true,
    call: (client, options) => client.lists.delete(`list_${id}`, options),
  },
  {
    name: 'tags.create',
    operation: 'tags.create',
    method: 'POST',
    path: `${rest}/tag`,
    again: false,
    call: (client, options) => client.tags.create({ name: 'n' }, options),
  },
  {
    name: 'tags.delete',
    operation: 'tags.delete',
    method: 'DELETE',
    path: `${rest}/tag/tag_${id}`,
    again: true,
    call: (client, options) => client.tags.delete(`tag_${id}`, options),
  },
  {
    name: 'contacts.list',
    operation: 'contacts.list',
    method: 'GET',
    path: `${rest}/contact`,
    again: true,
    call: (client, options) => client.contacts.list({ search: 'ada' }, options),
  },
  {
    name: 'postTags.list',
    operation: 'postTags.list',
    method: 'GET',
    path: `${rest}/post/tag`,
    again: true,
    call: (client, options) => client.postTags.list(options),
  },
  {
    name: 'postTags.get',
    operation: 'postTags.get',
    method: 'GET',
    path: `${rest}/post/tag/post_tag_${id}`,
    again: true,
    call: (client, options) => client.postTags.get(`post_tag_${id}`, options),
  },
  {
    name: 'postCategories.create',
    operation: 'postCategories.create',
    method: 'POST',
    path: `${rest}/post/category`,
    again: false,
    call: (client, options) => client.postCategories.create({ name: 'n' }, options),
  },
  {
    name: 'senders.list',
    operation: 'senders.list',
    method: 'GET',
    path: `${rest}/sender`,
    again: true,
    call: (client, options) => client.senders.list(options),
  },
  {
    name: 'templates.delete',
    operation: 'templates.delete',
    method: 'DELETE',
    path: `${rest}/template/email/template_${id}`,
    again: true,
    call: (client, options) => client.templates.delete(`template_${id}`, options),
  },
  {
    name: 'campaigns.delete',
    operation: 'campaigns.delete',
    method: 'DELETE',
    path: `${rest}/campaign/campaign_${id}`,
    again: true,
    call: (client, options) => client.campaigns.delete(`campaign_${id}`, options),
  },
  {
    name: 'events.record',
    operation: 'events.record',
    method: 'POST',
    path: `${rest}/events/custom`,
    again: false,
    call: (client, options) => client.events.record({ name: 'n', identifier: email, data: {} }, options),
  },
  identify('identify, plain', true, { email, firstName: 'Ada', customFields: { city: 'London' } }),
  identify('identify with ++', false, { email, customFields: { points: '++5' } }),
  identify('identify with --', false, { email, customFields: { points: '--5' } }),
  identify('identify with newEmail', false, { email, newEmail: 'new@example.com' }),
  {
    name: 'legacy.track',
    operation: 'legacy.track',
    method: 'POST',
    path: '/api/v1/contact/track',
    again: true,
    call: (client, options) => client.legacy.track({ email, addTags: ['a'], removeTags: ['b'] }, options),
  },
];

function identify(
  name: string,
  again: boolean,
  input: Parameters<EmailMarketingClient['legacy']['identify']>[0],
): Kind {
  return {
    name,
    operation: 'legacy.identify',
    method: 'POST',
    path: '/api/v1/contact/identify',
    again,
    call: (client, options) => client.legacy.identify(input, options),
  };
}
