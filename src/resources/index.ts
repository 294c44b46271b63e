import type { Caller, Operation } from '../core/operation.ts';
import { Campaigns, campaignOperations } from './campaigns.ts';
import { Contacts, contactOperations } from './contacts.ts';
import { Domains, domainOperations } from './domains.ts';
import { Events, eventOperations } from './events.ts';
import { Legacy, legacyOperations } from './legacy.ts';
import { Lists, listOperations } from './lists.ts';
import { PostCategories, postCategoryOperations } from './post-categories.ts';
import { PostTags, postTagOperations } from './post-tags.ts';
import { Senders, senderOperations } from './senders.ts';
import { Tags, tagOperations } from './tags.ts';
import { Templates, templateOperations } from './templates.ts';

/** Every resource of the service, whatever carries their calls. */
export abstract class Resources {
  /** Sending domains. */
  readonly domains: Domains;
  /** Lists of contacts. */
  readonly lists: Lists;
  /** Labels for contacts. */
  readonly tags: Tags;
  /** People. */
  readonly contacts: Contacts;
  /** Tags of blog posts. */
  readonly postTags: PostTags;
  /** Categories of blog posts. */
  readonly postCategories: PostCategories;
  /** Addresses that emails are sent from. */
  readonly senders: Senders;
  /** Email templates. */
  readonly templates: Templates;
  /** Campaigns. */
  readonly campaigns: Campaigns;
  /** Custom events of contacts. */
  readonly events: Events;
  /** The legacy interface: contacts by email. */
  readonly legacy: Legacy;

  /** @internal */
  constructor(call: Caller<Operations>) {
    this.domains = new Domains(call);
    this.lists = new Lists(call);
    this.tags = new Tags(call);
    this.contacts = new Contacts(call);
    this.postTags = new PostTags(call);
    this.postCategories = new PostCategories(call);
    this.senders = new Senders(call);
    this.templates = new Templates(call);
    this.campaigns = new Campaigns(call);
    this.events = new Events(call);
    this.legacy = new Legacy(call);
  }
}

/** Every operation of the service by its name, made when first asked for. */
const makeOperations = () => ({
  ...domainOperations(),
  ...listOperations(),
  ...tagOperations(),
  ...contactOperations(),
  ...postTagOperations(),
  ...postCategoryOperations(),
  ...senderOperations(),
  ...templateOperations(),
  ...campaignOperations(),
  ...eventOperations(),
  ...legacyOperations(),
});

/** @internal */
export type Operations = ReturnType<typeof makeOperations>;

/** The name of an operation, such as `tags.create`. */
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

let made: Readonly<Record<OperationName, Operation>> | undefined;

/** @internal */
export function operations(): Readonly<Record<OperationName, Operation>> {
  made ??= makeOperations() as Readonly<Record<OperationName, Operation>>;
  return made;
}
