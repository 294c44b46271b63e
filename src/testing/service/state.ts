import type { Ambiguities } from './ambiguities.ts';
import { Collection } from './collection.ts';
import type { Random } from './random.ts';
import type {
  CampaignRecord,
  ContactRecord,
  CustomFieldRecord,
  DomainRecord,
  EventRecord,
  ListRecord,
  NamedRecord,
  SenderRecord,
  TagChangeRecord,
  TemplateRecord,
} from './records.ts';

/** The ids, the time and the comparison of emails that a state works with. */
export interface StateContext {
  readonly random: Random;
  readonly now: () => Date;
  readonly ambiguities: Ambiguities;
}

/** Every record of the sandbox: one collection per kind of record. You can read and change it. */
export interface State {
  /** Sending domains of the team. */
  readonly domains: Collection<DomainRecord>;
  /** Lists, including deleted ones. */
  readonly lists: Collection<ListRecord>;
  /** Tags of contacts. */
  readonly tags: Collection<NamedRecord>;
  /** Contacts of the team, as both interfaces show them. */
  readonly contacts: Collection<ContactRecord>;
  /** Custom fields of the team. */
  readonly customFields: Collection<CustomFieldRecord>;
  /** Sender addresses, verified and pending. */
  readonly senders: Collection<SenderRecord>;
  /** Tags of blog posts. */
  readonly postTags: Collection<NamedRecord>;
  /** Categories of blog posts. */
  readonly postCategories: Collection<NamedRecord>;
  /** Email templates, including system templates and shared ones. */
  readonly templates: Collection<TemplateRecord>;
  /** Campaigns in every state. */
  readonly campaigns: Collection<CampaignRecord>;
  /** Custom events that were recorded. */
  readonly events: Collection<EventRecord>;
  /** Tags that Track and Identify added and removed. */
  readonly tagChanges: Collection<TagChangeRecord>;
}

/** Creates collections whose records get an id and the fields of a new one. */
function collectionsOf({ random, now }: StateContext) {
  return <T extends { readonly id: string }>(
    prefix: string,
    blank: (now: Date, fields: Dates) => Omit<T, 'id'>,
    keyOf?: (record: T) => string,
    fold: (key: string) => string = key => key,
  ): Collection<T> => {
    const make = (fields: Partial<T>) =>
      ({ id: fields.id ?? random.id(prefix), ...blank(now(), fields), ...fields }) as T;
    return new Collection({ prefix, make, keyOf, fold });
  };
}

/** An empty state. */
export function createState(context: StateContext): State {
  const { random, ambiguities } = context;
  const kind = collectionsOf(context);
  const lowerCase = (text: string) => text.toLowerCase();
  const emailCase = ambiguities.emailCase === 'insensitive' ? lowerCase : undefined;
  const nameOf = (record: { readonly name: string }) => record.name;
  return {
    domains: kind<DomainRecord>(
      'domain_',
      time => blankDomain(time, random.below(1_000_000)),
      nameOf,
      lowerCase,
    ),
    lists: kind<ListRecord>('list_', blankList, nameOf),
    tags: kind<NamedRecord>('tag_', blankNamed, nameOf),
    contacts: kind<ContactRecord>('contact_', blankContact, contact => contact.email, emailCase),
    customFields: kind<CustomFieldRecord>('custom_field_', () => ({ name: '', type: 'string' }), nameOf),
    senders: kind<SenderRecord>('sender_', () => ({ name: '', email: '', isWhitelisted: false })),
    postTags: kind<NamedRecord>('post_tag_', blankNamed, nameOf),
    postCategories: kind<NamedRecord>('post_category_', blankPostCategory, nameOf),
    templates: kind<TemplateRecord>('template_', () => ({ name: '', system: false, shared: false }), nameOf),
    campaigns: kind<CampaignRecord>('campaign_', () => ({ name: '', state: 'draft', template: '' }), nameOf),
    events: kind<EventRecord>('event_', blankEvent),
    tagChanges: kind<TagChangeRecord>('tag_change_', () => ({ contact: '', tag: '', change: 'added' })),
  };
}

/** ISO 8601 to the second, as section 2's timestamps are. */
export function isoSeconds(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/** When a record was made, where that is given. */
interface Dates {
  readonly id?: unknown;
  readonly created?: unknown;
}

/** The times of a record that was never updated. */
const dated = ({ created }: Dates, now: () => string) => {
  const time = typeof created === 'string' ? created : now();
  return { created: time, updated: time };
};

const blankNamed = (now: Date, fields: Dates) => ({ name: '', ...dated(fields, () => isoSeconds(now)) });

/** Post categories alone have milliseconds (section 2, conventions). */
const blankPostCategory = (now: Date, fields: Dates) => ({
  name: '',
  ...dated(fields, () => now.toISOString()),
});

const blankList = (now: Date, fields: Dates) => ({
  ...blankNamed(now, fields),
  type: 0,
  system: false,
  deleted: false,
});

const blankDomain = (time: Date, nanos: number) => ({
  name: '',
  verified: false,
  returnPathVerified: false,
  dkimVerified: false,
  trackVerified: false,
  dmarcVerified: false,
  gptVerified: false,
  dmarcFailureReason: '',
  created: BigInt(time.getTime()) * 1_000_000n + BigInt(nanos),
  updated: 0n,
});

const blankContact = (now: Date, fields: Dates) => ({
  email: '',
  firstName: '',
  lastName: '',
  company: '',
  birthday: '',
  customFields: {},
  lists: [],
  tags: [],
  unsubscribed: false,
  bounced: false,
  spam: false,
  blocked: false,
  dropped: false,
  ...dated(fields, () => isoSeconds(now)),
  trackData: '',
  contactSource: 1,
  pageSource: '',
  lastTrackedIp: '',
  ltv: 0,
});

const blankEvent = (time: Date) => ({
  name: '',
  identifier: '',
  contact: '',
  data: {},
  time: Math.floor(time.getTime() / 1000),
});

/** Every record of a state, as plain data that shares nothing with it. */
export type Snapshot = {
  readonly [Kind in keyof State]: State[Kind] extends Collection<infer T> ? readonly T[] : never;
};

/** Copies every record of a state. */
export function takeSnapshot(state: State): Snapshot {
  const copies = Object.entries(state).map(([kind, collection]) => [kind, structuredClone(collection.all)]);
  return Object.fromEntries(copies) as Snapshot;
}

interface Refillable {
  clear(): void;
  add(fields: object): unknown;
}

/** Puts a state back to what it was when the snapshot was taken. */
export function restoreSnapshot(state: State, snapshot: Snapshot): void {
  for (const kind of Object.keys(state) as (keyof State)[]) {
    const collection: Refillable = state[kind];
    collection.clear();
    for (const record of structuredClone(snapshot[kind])) collection.add(record);
  }
}
