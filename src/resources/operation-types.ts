import type { Operation } from '../api/operation.ts';
import type { ApiPromise } from '../call/api-promise.ts';
import type { CallOptions } from '../call/call-options.ts';
import { deleteCampaign } from './campaigns.ts';
import { listContacts } from './contacts.ts';
import { createDomain } from './domains.ts';
import type { EndpointOf, OperationName } from './endpoints.ts';
import { recordEvent } from './events.ts';
import type { Resources } from './index.ts';
import { identify, track } from './legacy.ts';
import { createList, deleteList, listLists } from './lists.ts';
import { createPostCategory } from './post-categories.ts';
import { getPostTag, listPostTags } from './post-tags.ts';
import { listSenders } from './senders.ts';
import { createTag, deleteTag } from './tags.ts';
import { deleteTemplate } from './templates.ts';

/** The method of an operation. */
type MethodOf<Name extends OperationName> =
  Name extends `${infer Resource extends keyof Resources}.${infer Method}`
    ? Resources[Resource][Method & keyof Resources[Resource]]
    : never;

type InputOf<Name extends OperationName> = EndpointOf<Name>['inputIn'] extends 'nothing'
  ? undefined
  : MethodOf<Name> extends (input: infer Input, options?: CallOptions) => unknown
    ? Input
    : never;

type ResultOf<Name extends OperationName> =
  MethodOf<Name> extends (...input: never) => ApiPromise<infer Result> ? Result : never;

type InputsByName = { [Name in OperationName]: InputOf<Name> };
type ResultsByName = { [Name in OperationName]: ResultOf<Name> };

/*
 * The next two are interfaces because the compiler looks up a member of an interface by a type parameter only when the
 * parameter is known. Of a mapped type it would not find out what a user's `authorize` should return.
 */

/** Input type of each operation, by name; `undefined` if it has none. */
export interface OperationInputs extends InputsByName {}

/** Result type of each operation, by name. */
export interface OperationResults extends ResultsByName {}

type Operations = {
  readonly [Name in OperationName]: Operation<OperationInputs[Name], OperationResults[Name]>;
};

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
} satisfies Operations;
