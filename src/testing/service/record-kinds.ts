import { isObject } from '../../core/json.ts';
import { aBoolean, type OptionRule, oneOf, rule } from '../../core/option-rules.ts';
import * as rules from '../rules.ts';

/** Also accepts the empty string, which is the default of these fields. */
const optional = (expected: string, passes: (value: string) => boolean): OptionRule =>
  rules.text(expected, value => value === '' || passes(value));
const textMap = (expected: string): OptionRule =>
  rule(
    expected,
    value =>
      isObject(value) &&
      Object.entries(value).every(([key, item]) => key.trim() !== '' && rules.isText(item)),
  );

export const aTextMap = textMap('an object of strings');

/** Input of the functions that return default values. */
interface Defaults {
  /** Time of creation. */
  readonly now: Date;
  /** The fields that come before this one. */
  readonly record: { readonly created?: unknown };
}

export interface Field<T> {
  readonly rule: OptionRule;
  /** Returns the default value. */
  readonly initial: (defaults: Defaults) => T;
  /** Converts a valid value to the one that is stored. */
  readonly convert?: (value: unknown) => T;
  /** `true` if Identify sets the field on contacts. */
  readonly legacy?: boolean;
  /** `false` if the REST interface does not have the field. */
  readonly rest?: boolean;
}

const text: Field<string> = { rule: rules.aText, initial: () => '' };
const profile: Field<string> = { ...text, legacy: true };
const email: Field<string> = { ...text, rule: optional('an email address', isEmail) };
const flag: Field<boolean> = { rule: aBoolean, initial: () => false };
const aWhole = rule('a whole number', Number.isSafeInteger);
const integer = (initial: number): Field<number> => ({ rule: aWhole, initial: () => initial });
const choice = <const T extends string>(...values: readonly [T, ...T[]]): Field<T> => ({
  rule: oneOf(values),
  initial: () => values[0],
});

const texts = (expected: string): Field<readonly string[]> => ({
  rule: rule(
    expected,
    value => Array.isArray(value) && value.every(item => rules.isText(item) && item.trim() !== ''),
  ),
  initial: () => [],
});
const textsByName = (expected: string): Field<Record<string, string>> => ({
  rule: textMap(expected),
  initial: () => ({}),
});
const nanoseconds = (initial: Field<bigint>['initial']): Field<bigint> => ({
  rule: rule(
    'whole nanoseconds, as a string or a bigint',
    value => typeof value !== 'number' && /^\d{1,19}$/.test(String(value)),
  ),
  convert: value => BigInt(String(value)),
  initial,
});

/** Returns a time in ISO 8601, in whole seconds. */
export function isoSeconds(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

const created: Field<string> = { ...text, initial: ({ now }) => isoSeconds(now) };
const updated: Field<string> = { ...text, initial: ({ record }) => String(record.created) };

const named = {
  /** Name; unique for tags. */
  name: text,
  /** Time of creation: ISO 8601, UTC. */
  created,
  /** Time of the last change: ISO 8601, UTC. */
  updated,
};

const domain = {
  /** Domain name; unique, case is ignored. */
  name: { ...text, rule: optional('a domain name of ASCII letters, digits and hyphens', isHostname) },
  /** `true` if the domain as a whole is verified. */
  verified: flag,
  /** `true` if the return path is verified. */
  returnPathVerified: flag,
  /** `true` if DKIM is verified. */
  dkimVerified: flag,
  /** `true` if the tracking domain is verified. */
  trackVerified: flag,
  /** `true` if DMARC is verified. */
  dmarcVerified: flag,
  /** `true` if Google Postmaster Tools is verified. */
  gptVerified: flag,
  /** Reason why DMARC verification failed; empty if it did not. */
  dmarcFailureReason: text,
  /** Time of creation, in nanoseconds since the epoch: digits that JavaScript rounds. */
  created: nanoseconds(({ now }) => BigInt(now.getTime()) * 1_000_000n + 907_001n),
  /** Time of the last change, in nanoseconds since the epoch; 0 if never changed. */
  updated: nanoseconds(() => 0n),
};

const list = {
  /** Name of the list; not necessarily unique. */
  name: text,
  /** `true` for a system list, which cannot be deleted. */
  system: { ...flag, rest: false },
  /** `true` if the list was deleted. Listings leave it out, but its record is kept. */
  deleted: { ...flag, rest: false },
  /** Type of the list; the service does not document the values. */
  type: integer(0),
  /** Time of creation: ISO 8601, UTC. */
  created,
  /** Time of the last change: ISO 8601, UTC. */
  updated,
};

const contact = {
  /** Email address, unique among contacts. */
  email,
  /** First name; empty if not given. */
  firstName: profile,
  /** Last name; empty if not given. */
  lastName: profile,
  /** Company; empty if not given. */
  company: profile,
  /** Date of birth, as `YYYY-MM-DD`, or empty; only the legacy interface shows it. */
  birthday: { ...profile, rule: optional('a date in the form YYYY-MM-DD', isDate), rest: false },
  /** Ids of the contact's tags. */
  tags: texts('an array of tag names or ids'),
  /** Ids of the lists that the contact is in. */
  lists: texts('an array of list names or ids'),
  /** Values by custom-field id (`custom_field_…`). */
  customFields: textsByName('an object of strings, by name or id of the custom field'),
  /** `true` if the contact unsubscribed from emails. */
  unsubscribed: flag,
  /** `true` if emails to the contact bounced. */
  bounced: flag,
  /** `true` if the contact marked emails as spam. */
  spam: flag,
  /** `true` if the contact is blocked from receiving emails. */
  blocked: flag,
  /** `true` if emails to the contact were dropped. */
  dropped: flag,
  /** Lifetime value in cents. */
  ltv: integer(0),
  /** Origin of the contact: 1 API or manual, 2 import, 3 form, 4 integration. */
  contactSource: integer(1),
  /** Tracking data and UTM parameters as a query string. */
  trackData: text,
  /** URL of the page where the contact was created; may be empty. */
  pageSource: text,
  /** Last IP address that was tracked; may be empty. */
  lastTrackedIp: text,
  /** Time of creation: ISO 8601, UTC. */
  created,
  /** Time of the last change: ISO 8601, UTC. */
  updated,
};

const customField = {
  /** Unique name. The legacy interface shows the name, REST the id. */
  name: text,
  /** Type of the field; `number` accepts `++` and `--` values. */
  type: choice('string', 'number'),
};

const sender = {
  /** Name that recipients see. */
  name: text,
  /** Address that emails are sent from. */
  email,
  /** `true` if verified, `false` if pending. */
  isWhitelisted: flag,
};

const template = {
  /** Name; only the sandbox shows it. */
  name: text,
  /** `true` for a system or default template, which cannot be deleted. */
  system: flag,
  /** `true` if the template is shared with other teams, and so cannot be deleted. */
  shared: flag,
};

const campaign = {
  /** Name; only the sandbox shows it. */
  name: text,
  /** State of the campaign. Scheduled, sending and sent campaigns cannot be deleted. */
  state: choice('draft', 'active', 'scheduled', 'sending', 'sent', 'archived'),
  /** Id of its template; may be empty. Give a template by id or name. */
  template: text,
};

const event = {
  /** Name of the event. */
  name: text,
  /** Id or email of the contact, as in the request. */
  identifier: text,
  /** Id of the contact; empty if `identifier` matches none. */
  contact: text,
  /** Properties of the event. */
  data: textsByName('an object of strings'),
  /** Time of the event, in Unix seconds. */
  time: { rule: aWhole, initial: ({ now }: Defaults) => Math.floor(now.getTime() / 1000) },
};

const tagChange = {
  /** Name of the tag. */
  tag: text,
  /** Whether the tag was added or removed. */
  change: choice('added', 'removed'),
  /** Id of the contact. */
  contact: text,
};

/** Record with these fields. Key fields are readonly: change them with `update`. */
type RecordOf<Fields, Key extends keyof Fields = never> = {
  /** Prefix of the kind, and 22 letters or digits; never changes. */
  readonly id: string;
} & {
  readonly [Name in Key]: Fields[Name] extends Field<infer T> ? T : never;
} & {
  [Name in keyof Fields as Exclude<Name, Key>]: Fields[Name] extends Field<infer T> ? T : never;
};

/** Sending domain, as the sandbox stores it. */
export interface DomainRecord extends RecordOf<typeof domain, 'name'> {}
/** List, as the sandbox stores it. */
export interface ListRecord extends RecordOf<typeof list, 'name'> {}
/** Tag, post tag or post category, as the sandbox stores it. */
export interface NamedRecord extends RecordOf<typeof named, 'name'> {}
/** Custom field of the team. */
export interface CustomFieldRecord extends RecordOf<typeof customField, 'name'> {}
/** Contact, as the sandbox stores it for both interfaces. */
export interface ContactRecord extends RecordOf<typeof contact, 'email'> {
  /** Names of its tags. To change them, set `tags`. */
  readonly tagNames: readonly string[];
}
/** Sender, as the sandbox stores it. */
export interface SenderRecord extends RecordOf<typeof sender> {}
/** Email template, as the sandbox stores it. */
export interface TemplateRecord extends RecordOf<typeof template, 'name'> {}
/** Campaign, as the sandbox stores it. */
export interface CampaignRecord extends RecordOf<typeof campaign, 'name'> {}
/** Recorded custom event. */
export interface EventRecord extends RecordOf<typeof event> {}
/** Tag that Identify or Track added to a contact or removed from it; real automation rules would run on it. */
export interface TagChangeRecord extends RecordOf<typeof tagChange> {}

export interface RecordKind {
  /** Singular name, for buttons and errors. */
  readonly singular: string;
  /** Prefix of ids. */
  readonly prefix: string;
  /** Fields by name. */
  readonly fields: Readonly<Record<string, Field<unknown>>>;
  /** Field other than the id by which records are looked up. */
  readonly key: string | undefined;
  /** Whether no two records have the same key. */
  readonly unique: boolean;
  /** Required fields of a new record. */
  readonly required: readonly string[];
}

const kind = (singular: string, fields: RecordKind['fields']) => ({
  singular,
  prefix: `${singular.replaceAll(' ', '_')}_`,
  fields,
  key: 'name',
  unique: false,
  required: ['name'],
});

const kinds = {
  contacts: {
    ...kind('contact', contact),
    key: 'email',
    unique: true,
    required: ['email'],
  },
  lists: kind('list', list),
  tags: { ...kind('tag', named), unique: true },
  customFields: { ...kind('custom field', customField), unique: true },
  events: { ...kind('event', event), key: undefined },
  tagChanges: {
    ...kind('tag change', tagChange),
    key: undefined,
    required: ['tag', 'contact'],
  },
  domains: { ...kind('domain', domain), unique: true },
  senders: { ...kind('sender', sender), key: undefined, required: [] },
  templates: { ...kind('template', template), required: [] },
  campaigns: { ...kind('campaign', campaign), required: [] },
  postTags: { ...kind('post tag', named), required: [] },
  postCategories: kind('post category', {
    ...named,
    // Only these times have milliseconds.
    created: { ...created, initial: ({ now }: Defaults) => now.toISOString() },
  }),
} satisfies Record<string, RecordKind>;

/** Name of a kind of record, such as `contacts`. */
export type KindName = keyof typeof kinds;

/** Every kind of record, in the order of the web page. */
export const recordKinds: Readonly<Record<KindName, RecordKind>> = kinds;

/** Contact fields that Identify sets. */
export const legacyFields = Object.entries(contact).filter(
  ([, { legacy }]: [string, Field<unknown>]) => legacy,
);

/** Whether text is an id: a prefix, and 22 letters or digits. */
export function isId(text: string, prefix: string): boolean {
  return text.startsWith(prefix) && /^[a-zA-Z0-9]{22}$/.test(text.slice(prefix.length));
}

/** Maximum length of an email address: 64 characters before the `@`, and 255 after it. */
const maxEmailLength = 320;

/** Whether text can be an email address. */
export function isEmail(value: string): boolean {
  return value.length <= maxEmailLength && /^[^\s@]+@[^\s@]+$/.test(value);
}

/** Whether text can be a domain name. */
export function isHostname(value: string): boolean {
  return value.length <= 253 && /^([a-z0-9_]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i.test(value);
}

/** Whether text is a decimal number, the value of a number field. */
export function isNumber(value: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(value);
}

/** Whether text is a date that exists, in the form `YYYY-MM-DD`. */
function isDate(value: string): boolean {
  const time = Date.parse(`${value}T00:00:00Z`);
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
  );
}
