import type { Operation } from '../api/operation.ts';
import type { Acknowledgement } from '../schemas/acknowledgement.ts';
import type { CampaignId, ListId, PostTagId, TagId, TemplateId } from '../schemas/id.ts';
import { deleteCampaign } from './campaigns.ts';
import { type Contact, type ContactsQuery, listContacts } from './contacts.ts';
import { type CreateDomainParams, createDomain, type Domain } from './domains.ts';
import type { OperationName } from './endpoints.ts';
import { type RecordEventParams, recordEvent } from './events.ts';
import {
  type IdentifyParams,
  type IdentifyResult,
  identify,
  type TrackParams,
  type TrackResult,
  track,
} from './legacy.ts';
import {
  type CreateListParams,
  createList,
  deleteList,
  type List,
  type ListsQuery,
  listLists,
} from './lists.ts';
import { type CreatePostCategoryParams, createPostCategory, type PostCategory } from './post-categories.ts';
import { getPostTag, listPostTags, type PostTag } from './post-tags.ts';
import { listSenders, type Sender } from './senders.ts';
import { type CreateTagParams, createTag, deleteTag, type Tag } from './tags.ts';
import { deleteTemplate } from './templates.ts';

/** Input and result of each operation. Written out: the compiler would inline types that depend on `AccountTypes`. */
type OperationTypes = OfEach<{
  'domains.create': [CreateDomainParams, Domain];
  'lists.create': [CreateListParams, List];
  'lists.list': [ListsQuery | undefined, List[]];
  'lists.delete': [ListId, Acknowledgement];
  'tags.create': [CreateTagParams, Tag];
  'tags.delete': [TagId, Acknowledgement];
  'contacts.list': [ContactsQuery | undefined, Contact[]];
  'postTags.list': [undefined, PostTag[]];
  'postTags.get': [PostTagId, PostTag];
  'postCategories.create': [CreatePostCategoryParams, PostCategory];
  'senders.list': [undefined, Sender[]];
  'templates.delete': [TemplateId, Acknowledgement];
  'campaigns.delete': [CampaignId, Acknowledgement];
  'events.record': [RecordEventParams, Acknowledgement];
  'legacy.identify': [IdentifyParams, IdentifyResult];
  'legacy.track': [TrackParams, TrackResult];
}>;

/** The compiler reports a missing operation by its name. */
type OfEach<Types extends Record<OperationName, readonly [unknown, unknown]>> = Types;

/** Input type of each operation, by name; `undefined` if it has none. */
export type OperationInputs = { [Name in OperationName]: OperationTypes[Name][0] };

/** Result type of each operation, by name. */
export type OperationResults = { [Name in OperationName]: OperationTypes[Name][1] };

type Operations = {
  readonly [Name in OperationName]: Operation<OperationInputs[Name], OperationResults[Name]>;
};

/** Every operation of the service, by its name. */
export const operations = /* @__PURE__ */ Object.fromEntries(
  [
    createDomain,
    createList,
    listLists,
    deleteList,
    createTag,
    deleteTag,
    listContacts,
    listPostTags,
    getPostTag,
    createPostCategory,
    listSenders,
    deleteTemplate,
    deleteCampaign,
    recordEvent,
    identify,
    track,
  ].map(operation => [operation.name, operation]),
) as Operations;
