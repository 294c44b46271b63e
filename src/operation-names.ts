// Written by `npm run generate`: the browser client needs the names without the schemas of the operations.

/** Name of an operation: a resource and a method of it. */
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

/** Names of all operations. */
export const operationNames: readonly OperationName[] = [
  'domains.create',
  'lists.create',
  'lists.list',
  'lists.delete',
  'tags.create',
  'tags.delete',
  'contacts.list',
  'postTags.list',
  'postTags.get',
  'postCategories.create',
  'senders.list',
  'templates.delete',
  'campaigns.delete',
  'events.record',
  'legacy.identify',
  'legacy.track',
];
