import type { HttpClient } from '../http/call.ts';
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

/** All resources, sharing one HTTP client. */
export abstract class ServiceResources {
  /** Creates sending domains. */
  declare readonly domains: Domains;
  /** Creates, lists and deletes lists of contacts. */
  declare readonly lists: Lists;
  /** Creates and deletes tags of the team. `legacy` adds them to contacts and removes them. */
  declare readonly tags: Tags;
  /** Lists contacts. `legacy` creates and updates them. */
  declare readonly contacts: Contacts;
  /** Lists and gets tags of blog posts. */
  declare readonly postTags: PostTags;
  /** Creates categories of blog posts. */
  declare readonly postCategories: PostCategories;
  /** Lists the addresses that emails are sent from. */
  declare readonly senders: Senders;
  /** Deletes email templates. */
  declare readonly templates: Templates;
  /** Deletes campaigns. */
  declare readonly campaigns: Campaigns;
  /** Records custom events of contacts. */
  declare readonly events: Events;
  /** Creates, updates and tags contacts by email, over the legacy interface. Needs the option `teamId`. */
  declare readonly legacy: Legacy;

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

/** Every resource: what `EmailMarketingClient` and the browser client have in common. */
export interface Resources extends ServiceResources {}
