import type { Caller } from '../core/operation.ts';
import { Campaigns } from './campaigns.ts';
import { Contacts } from './contacts.ts';
import { Domains } from './domains.ts';
import { Events } from './events.ts';
import { Legacy } from './legacy.ts';
import { Lists } from './lists.ts';
import type { Operations } from './operations.ts';
import { PostCategories } from './post-categories.ts';
import { PostTags } from './post-tags.ts';
import { Senders } from './senders.ts';
import { Tags } from './tags.ts';
import { Templates } from './templates.ts';

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
