import { type Campaigns, campaigns } from './campaigns.ts';
import { type Contacts, contacts } from './contacts.ts';
import { type Domains, domains } from './domains.ts';
import { type Events, events } from './events.ts';
import { type Legacy, legacy } from './legacy.ts';
import { type Lists, lists } from './lists.ts';
import type { PerformCall } from './operations.ts';
import { type PostCategories, postCategories } from './post-categories.ts';
import { type PostTags, postTags } from './post-tags.ts';
import { type Senders, senders } from './senders.ts';
import { type Tags, tags } from './tags.ts';
import { type Templates, templates } from './templates.ts';

/** Every resource: what `EmailMarketingClient` and the browser client have in common. */
export interface Resources {
  /** Creates sending domains. */
  readonly domains: Domains;
  /** Creates, lists and deletes lists of contacts. */
  readonly lists: Lists;
  /** Creates and deletes tags of the team. `legacy` adds them to contacts and removes them. */
  readonly tags: Tags;
  /** Lists contacts. `legacy` creates and updates them. */
  readonly contacts: Contacts;
  /** Lists and gets tags of blog posts. */
  readonly postTags: PostTags;
  /** Creates categories of blog posts. */
  readonly postCategories: PostCategories;
  /** Lists the addresses that emails are sent from. */
  readonly senders: Senders;
  /** Deletes email templates. */
  readonly templates: Templates;
  /** Deletes campaigns. */
  readonly campaigns: Campaigns;
  /** Records custom events of contacts. */
  readonly events: Events;
  /** Creates, updates and tags contacts by email, over the legacy interface. Needs the option `teamId`. */
  readonly legacy: Legacy;
}

/** Creates every resource. They perform their operations by one function. */
export const makeResources = (call: PerformCall): Resources => ({
  domains: domains(call),
  lists: lists(call),
  tags: tags(call),
  contacts: contacts(call),
  postTags: postTags(call),
  postCategories: postCategories(call),
  senders: senders(call),
  templates: templates(call),
  campaigns: campaigns(call),
  events: events(call),
  legacy: legacy(call),
});
