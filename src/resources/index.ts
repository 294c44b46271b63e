import type { HttpClient } from '../http/request.ts';
import { Campaigns } from './campaigns.ts';
import { Contacts } from './contacts.ts';
import { Domains } from './domains.ts';
import { Events } from './events.ts';
import { Legacy } from './legacy.ts';
import { Lists } from './lists.ts';
import { PostCategories } from './post-categories.ts';
import { PostTags } from './post-tags.ts';
import { Senders } from './senders.ts';
import { Tags } from './tags.ts';
import { Templates } from './templates.ts';

/** Every resource of the service, on one HTTP client. */
export abstract class ServiceResources {
  /** Sending domains. */
  readonly domains: Domains;
  /** Lists of contacts. */
  readonly lists: Lists;
  /** Tags, which categorise contacts. */
  readonly tags: Tags;
  /** Contacts, to read. `legacy` creates and updates them. */
  readonly contacts: Contacts;
  /** Tags of blog posts. */
  readonly postTags: PostTags;
  /** Categories of blog posts. */
  readonly postCategories: PostCategories;
  /** Sender addresses. */
  readonly senders: Senders;
  /** Email templates. */
  readonly templates: Templates;
  /** Campaigns. */
  readonly campaigns: Campaigns;
  /** Custom events of contacts. */
  readonly events: Events;
  /** Operations of the legacy interface: create, update and tag contacts by email. */
  readonly legacy: Legacy;

  /** @internal */
  constructor(http: HttpClient) {
    this.domains = new Domains(http);
    this.lists = new Lists(http);
    this.tags = new Tags(http);
    this.contacts = new Contacts(http);
    this.postTags = new PostTags(http);
    this.postCategories = new PostCategories(http);
    this.senders = new Senders(http);
    this.templates = new Templates(http);
    this.campaigns = new Campaigns(http);
    this.events = new Events(http);
    this.legacy = new Legacy(http);
  }
}

/** Public methods of a resource. */
type Methods<Resource> = Pick<Resource, keyof Resource>;

/** Every resource with its methods: what `EmailMarketingClient` and the keyless client have in common. */
export type Resources = {
  readonly [Name in keyof ServiceResources]: Methods<ServiceResources[Name]>;
};
