/** The name of each endpoint's operation, as the client's errors carry it, by method and path as section 4 writes them. */
export const operationOf = {
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
} as const;

/** An endpoint of the service by method and path, as section 4 of the specification writes them. */
export type Endpoint = keyof typeof operationOf;

/** An operation by the name that the client's errors carry, such as `tags.create`. */
export type OperationName = (typeof operationOf)[Endpoint];

/** An endpoint added with `sandbox.on`, by method and path. */
export type AddedEndpoint = string & Record<never, never>;

/** Every endpoint of the specification. */
export const endpoints = Object.keys(operationOf) as readonly Endpoint[];

/** Every operation of the specification. */
export const operationNames = Object.values(operationOf) as readonly OperationName[];
