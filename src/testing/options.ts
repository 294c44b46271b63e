import type { RecordedRequest } from './request-log.ts';
import {
  array,
  callback,
  check,
  checkMembers,
  isText,
  object,
  type Rule,
  type Rules,
  text,
  unknownName,
  wholeNumber,
} from './rules.ts';
import {
  type Ambiguities,
  type AmbiguityRule,
  ambiguityRules,
  defaultErrorStatus,
} from './service/ambiguities.ts';
import type { Seed } from './service/seed.ts';

/** Options of {@link createSandbox}. */
export interface SandboxOptions {
  /** Key that REST calls must carry. @defaultValue 'sandbox-key' */
  readonly apiKey?: string | undefined;
  /** Team id that legacy calls must carry. @defaultValue 'sandbox-team' */
  readonly teamId?: string | undefined;
  /** Key that legacy calls must carry. @defaultValue the value of `apiKey` */
  readonly legacyApiKey?: string | undefined;
  /**
   * `{base_url}` of the REST interface. Its path is part of every path; any host is accepted.
   * @defaultValue no path
   */
  readonly baseUrl?: string | undefined;
  /** `{legacy_base_url}` of the legacy interface. @defaultValue the value of `baseUrl` */
  readonly legacyBaseUrl?: string | undefined;
  /** Records at the start, and again after `reset()`. @defaultValue none */
  readonly seed?: Seed | undefined;
  /** Seed of every random id and choice, so that each run is the same. @defaultValue 1 */
  readonly randomSeed?: number | undefined;
  /** Returns the current time. @defaultValue the machine's clock */
  readonly now?: (() => Date) | undefined;
  /** Maximum size of a request body, in bytes. @defaultValue 1 048 576 */
  readonly maxBodyBytes?: number | undefined;
  /** Approximate size of the request log, in bytes; the oldest requests are removed first. @defaultValue 67 108 864 */
  readonly maxLogBytes?: number | undefined;
  /** Origins of web pages that may call the listening sandbox, such as `http://localhost:5173`. @defaultValue none */
  readonly corsOrigins?: readonly string[] | undefined;
  /** Called with each request after its response, or after its connection was cut. */
  readonly onResponse?: ((request: RecordedRequest) => void) | undefined;
  /** Choices for what the service does not document, such as `{ overCap: 'cap' }`. Those left out have their default. */
  readonly ambiguities?: Partial<Ambiguities> | undefined;
}

/** Defaults of the options that have one. */
const defaults = {
  apiKey: 'sandbox-key',
  teamId: 'sandbox-team',
  randomSeed: 1,
  now: () => new Date(),
  maxBodyBytes: 2 ** 20,
  maxLogBytes: 2 ** 26,
  corsOrigins: [] as readonly string[],
};

const name = text('text that is not empty', value => value !== '');
/** A key, which a header carries. */
const key = text(
  'text of printable ASCII characters',
  value => /^[\x20-\x7e]+$/.test(value) && value.trim() === value,
);
/** Accepts a base URL. */
export const address = text('an http or https URL', isUrl);

const rules: Readonly<Record<keyof SandboxOptions, Rule>> = {
  apiKey: key,
  teamId: name,
  legacyApiKey: key,
  baseUrl: address,
  legacyBaseUrl: address,
  seed: object,
  randomSeed: wholeNumber(0),
  now: callback,
  maxBodyBytes: wholeNumber(0),
  maxLogBytes: wholeNumber(0),
  corsOrigins: array('an array of origins such as http://localhost:5173', isOrigin),
  onResponse: callback,
  ambiguities: object,
};

/** Returns the options, with the defaults of those that are not given; throws a `RangeError` that names a wrong one. */
export function readOptions(options: SandboxOptions) {
  if (typeof options !== 'object' || options === null)
    throw new RangeError('createSandbox: the options must be an object');
  checkMembers('option', options, rules);
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const settings = { ...defaults, ...(given as Partial<typeof defaults>) };
  const { legacyApiKey = settings.apiKey, ambiguities = {} } = options;
  return { ...settings, legacyApiKey, ambiguities: decideAmbiguities(ambiguities) };
}

/** What each ambiguity can be. */
const choiceRules: Rules = { ...ambiguityRules, errorStatus: object };
const statusRules: Rules = Object.fromEntries(
  Object.keys(defaultErrorStatus).map(kind => [kind, wholeNumber(200, 599)]),
);

/** Returns the choices that are given, and the default of every other. */
export function decideAmbiguities(given: Partial<Ambiguities>): Ambiguities {
  checkMembers('ambiguity', given, choiceRules, 'ambiguities.');
  const { errorStatus = {}, ...choices } = given;
  checkMembers('error in errorStatus', errorStatus, statusRules, 'ambiguities.errorStatus.');
  const decided = Object.entries(ambiguityRules).map(([name, rule]) => [
    name,
    choices[name as keyof typeof ambiguityRules] ?? rule.value,
  ]);
  return { ...Object.fromEntries(decided), errorStatus: { ...defaultErrorStatus, ...errorStatus } };
}

function isUrl(value: string): boolean {
  return /^https?:\/\//.test(value) && URL.canParse(value);
}

function isOrigin(value: unknown): boolean {
  return value === '*' || (isText(value) && isUrl(value) && new URL(value).origin === value);
}

/** Returns the choice that a text such as `contactPageCap=30` makes; throws a `RangeError` for one that is not possible. */
export function ambiguityFromText(name: string, value: string): Partial<Ambiguities> {
  const rules: Readonly<Record<string, AmbiguityRule>> = ambiguityRules;
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
  if (rule === undefined) throw unknownName('setting', name, Object.keys(rules));
  const choice = rule.fromText(value);
  check(name, rule, choice);
  return { [name]: choice };
}

/** Returns the values of each ambiguity for `--set`, such as `overCap=refuse|cap`, the default first. */
export function ambiguityUsage(): readonly string[] {
  return Object.entries(ambiguityRules).map(([name, { usage }]) => `${name}=${usage}`);
}
