import type { State } from './state.ts';

/** The values that a field of a record can have. */
export type FieldRule =
  | { readonly type: 'text' | 'flag' | 'integer' | 'nanoseconds' | 'texts' | 'textMap' | 'ids' | 'fieldMap' }
  | { readonly type: 'choice'; readonly values: readonly string[] };

/** One kind of record: how the page shows it, and what its fields can hold. */
export interface RecordKind {
  /** Name of several records, for headings. */
  readonly title: string;
  /** Name of one record, for buttons. */
  readonly singular: string;
  /** Prefix of ids. */
  readonly prefix: string;
  /** Fields by name; the first names the record in a list. */
  readonly fields: Readonly<Record<string, FieldRule>>;
  /** Field that no two records share. */
  readonly unique?: string;
  /** Fields that a new record must have. */
  readonly required: readonly string[];
}

const text = { type: 'text' } as const;
const flag = { type: 'flag' } as const;
const dates = { created: text, updated: text };
const named = { name: text, ...dates };

const domainFields = {
  name: text,
  verified: flag,
  returnPathVerified: flag,
  dkimVerified: flag,
  trackVerified: flag,
  dmarcVerified: flag,
  gptVerified: flag,
  dmarcFailureReason: text,
  created: { type: 'nanoseconds' },
  updated: { type: 'nanoseconds' },
} as const;

const contactFields = {
  email: text,
  firstName: text,
  lastName: text,
  company: text,
  birthday: text,
  tags: { type: 'ids' },
  lists: { type: 'ids' },
  customFields: { type: 'fieldMap' },
  unsubscribed: flag,
  bounced: flag,
  spam: flag,
  blocked: flag,
  dropped: flag,
  ltv: { type: 'integer' },
  contactSource: { type: 'integer' },
  trackData: text,
  pageSource: text,
  lastTrackedIp: text,
  ...dates,
} as const;

const eventFields = {
  name: text,
  identifier: text,
  contact: text,
  data: { type: 'textMap' },
  time: { type: 'integer' },
} as const;

const campaignFields = {
  name: text,
  state: { type: 'choice', values: ['draft', 'active', 'scheduled', 'sending', 'sent', 'archived'] },
  template: text,
} as const;

const byName = ['name'];

/** Every kind of record that the sandbox holds. */
export const recordKinds: Readonly<Record<keyof State, RecordKind>> = {
  contacts: {
    title: 'Contacts',
    singular: 'contact',
    prefix: 'contact_',
    fields: contactFields,
    unique: 'email',
    required: ['email'],
  },
  lists: {
    title: 'Lists',
    singular: 'list',
    prefix: 'list_',
    fields: { name: text, system: flag, deleted: flag, type: { type: 'integer' }, ...dates },
    required: byName,
  },
  tags: {
    title: 'Tags',
    singular: 'tag',
    prefix: 'tag_',
    fields: named,
    unique: 'name',
    required: byName,
  },
  customFields: {
    title: 'Custom fields',
    singular: 'custom field',
    prefix: 'custom_field_',
    fields: { name: text, type: { type: 'choice', values: ['string', 'number'] } },
    unique: 'name',
    required: byName,
  },
  events: {
    title: 'Events',
    singular: 'event',
    prefix: 'event_',
    fields: eventFields,
    required: byName,
  },
  tagChanges: {
    title: 'Tag changes',
    singular: 'tag change',
    prefix: 'tag_change_',
    fields: { tag: text, change: { type: 'choice', values: ['added', 'removed'] }, contact: text },
    required: ['tag', 'contact'],
  },
  domains: {
    title: 'Domains',
    singular: 'domain',
    prefix: 'domain_',
    fields: domainFields,
    unique: 'name',
    required: byName,
  },
  senders: {
    title: 'Senders',
    singular: 'sender',
    prefix: 'sender_',
    fields: { name: text, email: text, isWhitelisted: flag },
    required: ['name', 'email'],
  },
  templates: {
    title: 'Templates',
    singular: 'template',
    prefix: 'template_',
    fields: { name: text, system: flag, shared: flag },
    required: byName,
  },
  campaigns: {
    title: 'Campaigns',
    singular: 'campaign',
    prefix: 'campaign_',
    fields: campaignFields,
    required: byName,
  },
  postTags: {
    title: 'Post tags',
    singular: 'post tag',
    prefix: 'post_tag_',
    fields: named,
    required: byName,
  },
  postCategories: {
    title: 'Post categories',
    singular: 'post category',
    prefix: 'post_category_',
    fields: named,
    required: byName,
  },
};
