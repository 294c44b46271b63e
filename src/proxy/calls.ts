import type { ContactsQuery } from '../resources/contacts.ts';
import type { CreateDomainParams } from '../resources/domains.ts';
import type { RecordEventParams } from '../resources/events.ts';
import type { IdentifyParams, TrackParams } from '../resources/legacy.ts';
import type { CreateListParams, ListsQuery } from '../resources/lists.ts';
import type { CreatePostCategoryParams } from '../resources/post-categories.ts';
import type { CreateTagParams } from '../resources/tags.ts';
import type { CampaignId, ListId, PostTagId, TagId, TemplateId } from '../schema/id.ts';

/** The input of each operation: the first argument of its method. */
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

/** A call that a page asks for. Comparing `operation` tells the compiler which `input` it is. */
export type ProxyCall = {
  readonly [Name in keyof OperationInputs]: {
    readonly operation: Name;
    /** Checked already: it is what the operation takes. */
    readonly input: OperationInputs[Name];
  };
}[keyof OperationInputs];
