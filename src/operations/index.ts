import type { Operation } from '../http/call/operation.ts';
import type { OperationName } from '../operation-names.ts';
import { deleteCampaign } from './campaigns.ts';
import { listContacts } from './contacts.ts';
import { createDomain } from './domains.ts';
import { recordEvent } from './events.ts';
import { identify, track } from './legacy.ts';
import { createList, deleteList, listLists } from './lists.ts';
import { createPostCategory } from './post-categories.ts';
import { getPostTag, listPostTags } from './post-tags.ts';
import { listSenders } from './senders.ts';
import { createTag, deleteTag } from './tags.ts';
import { deleteTemplate } from './templates.ts';

/** Every operation of the service, by its name. */
export const operations: Readonly<Record<OperationName, Operation>> = {
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
};

export type { OperationName };
