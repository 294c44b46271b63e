import type { Operation } from '../http/operation.ts';
import type { OperationName } from '../protocol.ts';
import type { Resources } from '../resources/index.ts';
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
export const operations = {
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
} as const satisfies Record<OperationName, Operation>;

export type { OperationName };

/** Method that performs an operation. */
type Method<Name extends OperationName> =
  Name extends `${infer Resource extends keyof Resources}.${infer Verb}`
    ? Extract<Resources[Resource][Verb & keyof Resources[Resource]], (...parameters: never[]) => unknown>
    : never;

/** Type of the input of each operation, by its name. Methods without an input take their options alone. */
export type OperationInputs = {
  [Name in OperationName]: 2 extends Parameters<Method<Name>>['length']
    ? Parameters<Method<Name>>[0]
    : undefined;
};

/** Type of the result of each operation, by its name. */
export type OperationResults = {
  [Name in OperationName]: Awaited<ReturnType<Method<Name>>>;
};
