import type { Operation } from '../http/call/operation.ts';
import { deleteCampaign } from './campaigns.ts';
import { listContacts } from './contacts.ts';
import { createDomain } from './domains.ts';
import type { OperationName } from './endpoints.ts';
import { recordEvent } from './events.ts';
import { identify, track } from './legacy.ts';
import { createList, deleteList, listLists } from './lists.ts';
import { createPostCategory } from './post-categories.ts';
import { getPostTag, listPostTags } from './post-tags.ts';
import { listSenders } from './senders.ts';
import { createTag, deleteTag } from './tags.ts';
import { deleteTemplate } from './templates.ts';

const all = {
  'domains.create': createDomain,
  'lists.create': createList,
  'lists.list': listLists,
  'lists.delete': deleteList,
  'tags.create': createTag,
  'tags.delete': deleteTag,
  'contacts.list': listContacts,
  'postTags.list': listPostTags,
  'postTags.get': getPostTag,
  'postCategories.create': createPostCategory,
  'senders.list': listSenders,
  'templates.delete': deleteTemplate,
  'campaigns.delete': deleteCampaign,
  'events.record': recordEvent,
  'legacy.identify': identify,
  'legacy.track': track,
} satisfies Readonly<Record<OperationName, Operation>>;

/** Input type of each operation, by name; `undefined` if it has none. */
export type OperationInputs = {
  [Name in OperationName]: (typeof all)[Name] extends Operation<infer Input> ? Input : never;
};

/** Result type of each operation, by name. */
export type OperationResults = {
  [Name in OperationName]: (typeof all)[Name] extends Operation<never, infer Output> ? Output : never;
};

/** Every operation of the service, by its name. */
export const operations: {
  readonly [Name in OperationName]: Operation<OperationInputs[Name], OperationResults[Name]>;
} = all;
