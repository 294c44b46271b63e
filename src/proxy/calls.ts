import type { Contact, ContactsQuery } from '../resources/contacts.ts';
import type { CreateDomainParams, Domain } from '../resources/domains.ts';
import type { RecordEventParams } from '../resources/events.ts';
import type { IdentifyParams, IdentifyResult, TrackParams, TrackResult } from '../resources/legacy.ts';
import type { CreateListParams, List, ListsQuery } from '../resources/lists.ts';
import type { CreatePostCategoryParams, PostCategory } from '../resources/post-categories.ts';
import type { PostTag } from '../resources/post-tags.ts';
import type { Sender } from '../resources/senders.ts';
import type { CreateTagParams, Tag } from '../resources/tags.ts';
import type { Acknowledgement } from '../schemas/acknowledgement.ts';
import type { CampaignId, ListId, PostTagId, TagId, TemplateId } from '../schemas/id.ts';

/** Input of each operation: the first argument of its method. */
export interface OperationInputs {
  readonly 'domains.create': CreateDomainParams;
  readonly 'lists.create': CreateListParams;
  readonly 'lists.list': ListsQuery | undefined;
  readonly 'lists.delete': ListId;
  readonly 'tags.create': CreateTagParams;
  readonly 'tags.delete': TagId;
  readonly 'contacts.list': ContactsQuery | undefined;
  readonly 'postTags.list': undefined;
  readonly 'postTags.get': PostTagId;
  readonly 'postCategories.create': CreatePostCategoryParams;
  readonly 'senders.list': undefined;
  readonly 'templates.delete': TemplateId;
  readonly 'campaigns.delete': CampaignId;
  readonly 'events.record': RecordEventParams;
  readonly 'legacy.identify': IdentifyParams;
  readonly 'legacy.track': TrackParams;
}

/** Result of each operation: what its method resolves to. */
export interface OperationResults {
  readonly 'domains.create': Domain;
  readonly 'lists.create': List;
  readonly 'lists.list': List[];
  readonly 'lists.delete': Acknowledgement;
  readonly 'tags.create': Tag;
  readonly 'tags.delete': Acknowledgement;
  readonly 'contacts.list': Contact[];
  readonly 'postTags.list': PostTag[];
  readonly 'postTags.get': PostTag;
  readonly 'postCategories.create': PostCategory;
  readonly 'senders.list': Sender[];
  readonly 'templates.delete': Acknowledgement;
  readonly 'campaigns.delete': Acknowledgement;
  readonly 'events.record': Acknowledgement;
  readonly 'legacy.identify': IdentifyResult;
  readonly 'legacy.track': TrackResult;
}

/** Call that a page asks for. A comparison of `operation` narrows the type of `input`. */
export type ProxyCall = {
  readonly [Name in keyof OperationInputs]: {
    readonly operation: Name;
    /** Valid input of the operation. */
    readonly input: OperationInputs[Name];
  };
}[keyof OperationInputs];
