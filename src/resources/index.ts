import type { Campaigns } from './campaigns.ts';
import type { Contacts } from './contacts.ts';
import type { Domains } from './domains.ts';
import type { Events } from './events.ts';
import type { Legacy } from './legacy.ts';
import type { Lists } from './lists.ts';
import type { PostCategories } from './post-categories.ts';
import type { PostTags } from './post-tags.ts';
import type { Senders } from './senders.ts';
import type { Tags } from './tags.ts';
import type { Templates } from './templates.ts';

/** Resources of `EmailMarketingClient` and the browser client. `makeResources` implements them. */
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
  /** Creates, updates and tags contacts by email, through the legacy interface. Needs the option `teamId`. */
  readonly legacy: Legacy;
}
