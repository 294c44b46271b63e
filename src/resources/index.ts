import type { ServiceCalls } from '../api/service-calls.ts';
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

/** All resources, which make their calls by one object. */
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
  constructor(calls: ServiceCalls) {
    this.domains = new Domains(calls);
    this.lists = new Lists(calls);
    this.tags = new Tags(calls);
    this.contacts = new Contacts(calls);
    this.postTags = new PostTags(calls);
    this.postCategories = new PostCategories(calls);
    this.senders = new Senders(calls);
    this.templates = new Templates(calls);
    this.campaigns = new Campaigns(calls);
    this.events = new Events(calls);
    this.legacy = new Legacy(calls);
  }
}

/** Every resource: what `EmailMarketingClient` and the browser client have in common. */
export interface Resources extends ServiceResources {}
