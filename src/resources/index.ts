import type { Service } from '../api/api.ts';
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

/** All resources, sharing one `Service`. */
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
  constructor(service: Service) {
    this.domains = new Domains(service);
    this.lists = new Lists(service);
    this.tags = new Tags(service);
    this.contacts = new Contacts(service);
    this.postTags = new PostTags(service);
    this.postCategories = new PostCategories(service);
    this.senders = new Senders(service);
    this.templates = new Templates(service);
    this.campaigns = new Campaigns(service);
    this.events = new Events(service);
    this.legacy = new Legacy(service);
  }
}

/** Every resource: what `EmailMarketingClient` and the browser client have in common. */
export interface Resources extends ServiceResources {}
