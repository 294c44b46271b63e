import type { RecordedRequest } from './journal.ts';
import type { Seed } from './service/seed.ts';

/** Why a request is not answered with success. */
export type RefusalKind =
  | 'unauthorized'
  | 'nameUsed'
  | 'malformed'
  | 'badQuery'
  | 'unknown'
  | 'undeletable'
  | 'methodNotAllowed'
  | 'tooLarge'
  | 'rateLimited'
  | 'serverFailure';

/** How the sandbox acts where the specification is silent; docs/sandbox.md gives the reason for each default. */
export interface Silences {
  /** Largest `limit` of `GET /contact`. @defaultValue 100 */
  readonly contactPageCap: number;
  /** Largest `limit` of `GET /list`. @defaultValue 100 */
  readonly listPageCap: number;
  /** What a `limit` over the cap gets: an error, or silently a page of the cap's size. @defaultValue 'refuse' */
  readonly overCap: 'refuse' | 'cap';
  /** `limit` of `GET /list` when none is given. @defaultValue 10 */
  readonly listDefaultLimit: number;
  /** What any other query value out of its range gets: an error, or the default. @defaultValue 'refuse' */
  readonly badQuery: 'refuse' | 'ignore';
  /** Order of listings. @defaultValue 'oldest-first' */
  readonly order: 'oldest-first' | 'newest-first';
  /** The name of the search parameter of `GET /contact`. @defaultValue 'search' */
  readonly contactSearchParameter: string;
  /** How an empty listing is written. @defaultValue '[]' */
  readonly emptyListing: '[]' | 'null';
  /** Prefix of custom-field keys in contacts over REST. @defaultValue 'custom_field_' */
  readonly fieldPrefix: 'custom_field_' | 'field_';
  /** HTTP status of a success. @defaultValue 200 */
  readonly successStatus: number;
  /** HTTP status of a `POST` that created something over REST. @defaultValue 200 */
  readonly createdStatus: number;
  /** HTTP status of each error. */
  readonly errorStatus: Readonly<Record<RefusalKind, number>>;
  /** Kinds of resource whose names are unique. @defaultValue ['domain', 'tag'] */
  readonly uniqueNames: readonly ('domain' | 'tag' | 'list' | 'postCategory')[];
  /** Members that a custom event must have. @defaultValue ['name', 'identifier'] */
  readonly eventRequires: readonly ('name' | 'identifier' | 'data')[];
  /** What a custom event for a contact that does not exist gets. @defaultValue 'accept' */
  readonly eventOfUnknownContact: 'accept' | 'refuse';
  /** What deleting a campaign that does not exist gets. @defaultValue 'refuse' */
  readonly unknownCampaign: 'refuse' | 'succeed';
  /** What Track for an email that no contact has gets. @defaultValue 'refuse' */
  readonly trackOfUnknownContact: 'refuse' | 'create';
  /** What Identify with `newEmail` does when no contact has `email`. @defaultValue 'ignore' */
  readonly newEmailOfUnknownContact: 'ignore' | 'use';
  /** Data type of a custom field that a `++` or `--` value creates. @defaultValue 'number' */
  readonly fieldOfIncrement: 'number' | 'string';
  /** What `--5` stores in a number field without a value: `5`, the given number, or `-5`. @defaultValue 'given' */
  readonly decrementOfNothing: 'given' | 'negative';
  /** Whether `A@x.test` and `a@x.test` are one contact. @defaultValue 'insensitive' */
  readonly emailCase: 'insensitive' | 'exact';
  /** `status` of a legacy success. @defaultValue '200' */
  readonly legacyStatus: '200' | 'success';
  /** Whether Track's answer carries `data`. @defaultValue true */
  readonly trackData: boolean;
}

/** Options of {@link createSandbox}: who may call, what is there at first, and what the specification leaves open. */
export interface SandboxOptions extends Partial<Omit<Silences, 'errorStatus'>> {
  /** The key that REST calls must carry. @defaultValue 'sandbox-key' */
  readonly apiKey?: string;
  /** The team id that legacy calls must carry. @defaultValue 'sandbox-team' */
  readonly teamId?: string;
  /** The key that legacy calls must carry. @defaultValue the value of `apiKey` */
  readonly legacyApiKey?: string;
  /**
   * `{base_url}` of the REST interface: the MSW handlers leave other addresses alone, and its path, if it has one, is
   * part of every path. @defaultValue any host, no path
   */
  readonly baseUrl?: string;
  /** `{legacy_base_url}` of the legacy interface. @defaultValue the value of `baseUrl` */
  readonly legacyBaseUrl?: string;
  /** What is there at first, and again after `reset()`. @defaultValue nothing */
  readonly seed?: Seed;
  /** Decides every id and chance, so that each run is the same. @defaultValue 1 */
  readonly randomSeed?: number;
  /** The time now. @defaultValue the machine's clock */
  readonly now?: () => Date;
  /** Largest body taken, in bytes. @defaultValue 1 048 576 */
  readonly maxBodyBytes?: number;
  /** How many requests the journal keeps; the oldest go first. @defaultValue 10 000 */
  readonly journalLimit?: number;
  /** Told of each request when it has been answered, or cut off. */
  readonly onAnswer?: ((request: RecordedRequest) => void) | undefined;
  /** HTTP status of each error, where it differs from the defaults. */
  readonly errorStatus?: Partial<Silences['errorStatus']>;
}

/** The key that a sandbox expects when none is given. */
export const defaultApiKey = 'sandbox-key';

/** The team id that a sandbox expects when none is given. */
export const defaultTeamId = 'sandbox-team';

const defaults: Silences = {
  contactPageCap: 100,
  listPageCap: 100,
  overCap: 'refuse',
  listDefaultLimit: 10,
  badQuery: 'refuse',
  order: 'oldest-first',
  contactSearchParameter: 'search',
  emptyListing: '[]',
  fieldPrefix: 'custom_field_',
  successStatus: 200,
  createdStatus: 200,
  errorStatus: {
    unauthorized: 401,
    nameUsed: 409,
    malformed: 400,
    badQuery: 400,
    unknown: 404,
    undeletable: 403,
    methodNotAllowed: 405,
    tooLarge: 413,
    rateLimited: 429,
    serverFailure: 500,
  },
  uniqueNames: ['domain', 'tag'],
  eventRequires: ['name', 'identifier'],
  eventOfUnknownContact: 'accept',
  unknownCampaign: 'refuse',
  trackOfUnknownContact: 'refuse',
  newEmailOfUnknownContact: 'ignore',
  fieldOfIncrement: 'number',
  decrementOfNothing: 'given',
  emailCase: 'insensitive',
  legacyStatus: '200',
  trackData: true,
};

/** The words that a setting can be, where it can not be any text. */
const settings: Partial<Record<string, readonly string[]>> = {
  overCap: ['refuse', 'cap'],
  badQuery: ['refuse', 'ignore'],
  order: ['oldest-first', 'newest-first'],
  emptyListing: ['[]', 'null'],
  fieldPrefix: ['custom_field_', 'field_'],
  uniqueNames: ['domain', 'tag', 'list', 'postCategory'],
  eventRequires: ['name', 'identifier', 'data'],
  eventOfUnknownContact: ['accept', 'refuse'],
  unknownCampaign: ['refuse', 'succeed'],
  trackOfUnknownContact: ['refuse', 'create'],
  newEmailOfUnknownContact: ['ignore', 'use'],
  fieldOfIncrement: ['number', 'string'],
  decrementOfNothing: ['given', 'negative'],
  emailCase: ['insensitive', 'exact'],
  legacyStatus: ['200', 'success'],
};

function fitsSetting(name: string, words: readonly string[]): boolean {
  return words.every(word => settings[name]?.includes(word) ?? true);
}

/** One silence decided by text, as a command line has it; throws a `RangeError` for what it can not be. */
export function silenceFromText(name: string, text: string): Partial<SandboxOptions> {
  const current: unknown = Object.hasOwn(defaults, name) ? defaults[name as keyof Silences] : undefined;
  if (current === undefined || name === 'errorStatus') throw new RangeError(`there is no setting ${name}`);
  if (typeof current === 'string' && fitsSetting(name, [text])) return { [name]: text };
  if (typeof current === 'number' && /^\d+$/.test(text)) return { [name]: Number(text) };
  if (typeof current === 'boolean' && /^(true|false)$/.test(text)) return { [name]: text === 'true' };
  const parts = text === '' ? [] : text.split(',');
  if (Array.isArray(current) && fitsSetting(name, parts)) return { [name]: parts };
  throw new RangeError(`${name} can not be ${text}`);
}

/** The options with every silence decided. */
export function decideSilences(options: SandboxOptions): Silences {
  const given = Object.entries(options).filter(([name, value]) => name in defaults && value !== undefined);
  const errorStatus = { ...defaults.errorStatus, ...options.errorStatus };
  return { ...defaults, ...Object.fromEntries(given), errorStatus };
}
