/** An endpoint of the service by method and path, as section 4 of the specification writes them. */
export type Endpoint =
  | 'POST /domain'
  | 'POST /list'
  | 'GET /list'
  | 'DELETE /list/{identifier}'
  | 'POST /tag'
  | 'DELETE /tag/{identifier}'
  | 'GET /contact'
  | 'GET /post/tag'
  | 'GET /post/tag/{identifier}'
  | 'POST /post/category'
  | 'GET /sender'
  | 'DELETE /template/email/{identifier}'
  | 'DELETE /campaign/{identifier}'
  | 'POST /events/custom'
  | 'POST /contact/identify'
  | 'POST /contact/track';

/** An operation by the name that the client's errors carry. */
export type OperationName =
  | 'domains.create'
  | 'lists.create'
  | 'lists.list'
  | 'lists.delete'
  | 'tags.create'
  | 'tags.delete'
  | 'contacts.list'
  | 'postTags.list'
  | 'postTags.get'
  | 'postCategories.create'
  | 'senders.list'
  | 'templates.delete'
  | 'campaigns.delete'
  | 'events.record'
  | 'legacy.identify'
  | 'legacy.track';

/** The name of each endpoint's operation, as the client's errors carry it, by method and path as section 4 writes them. */
export const operationOf: Readonly<Record<Endpoint, OperationName>> = {
  'POST /domain': 'domains.create',
  'POST /list': 'lists.create',
  'GET /list': 'lists.list',
  'DELETE /list/{identifier}': 'lists.delete',
  'POST /tag': 'tags.create',
  'DELETE /tag/{identifier}': 'tags.delete',
  'GET /contact': 'contacts.list',
  'GET /post/tag': 'postTags.list',
  'GET /post/tag/{identifier}': 'postTags.get',
  'POST /post/category': 'postCategories.create',
  'GET /sender': 'senders.list',
  'DELETE /template/email/{identifier}': 'templates.delete',
  'DELETE /campaign/{identifier}': 'campaigns.delete',
  'POST /events/custom': 'events.record',
  'POST /contact/identify': 'legacy.identify',
  'POST /contact/track': 'legacy.track',
};

/** An endpoint added with `sandbox.on`, by method and path. */
export type AddedEndpoint = string & Record<never, never>;

/** Every endpoint of the specification. */
export const endpoints = Object.keys(operationOf) as readonly Endpoint[];

/** Every operation of the specification. */
export const operationNames = Object.values(operationOf) as readonly OperationName[];
