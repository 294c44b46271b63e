import { unknownName } from './nearest.ts';
import type { RecordedRequest } from './request-log.ts';
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
   * `{base_url}` of the REST interface: the MSW handlers respond for this address only, and its path is part of every
   * path. @defaultValue any host, no path
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
  /** Choices for what the service does not document. @defaultValue those of each */
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

/** The values that an option can have. */
interface OptionRule {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

const text: OptionRule = {
  expected: 'text that is not empty',
  accepts: value => typeof value === 'string' && value !== '',
};
/** A key, which a header carries. */
const headerText: OptionRule = {
  expected: 'text of printable ASCII characters',
  accepts: value => typeof value === 'string' && /^[\x20-\x7e]+$/.test(value) && value.trim() === value,
};
const address: OptionRule = { expected: 'an http or https URL', accepts: value => isUrl(value) };
const callback: OptionRule = { expected: 'a function', accepts: value => typeof value === 'function' };
const record: OptionRule = {
  expected: 'an object',
  accepts: value => typeof value === 'object' && value !== null && !Array.isArray(value),
};
const atLeast = (least: number): OptionRule => numberRule(least, Number.MAX_SAFE_INTEGER);

const rules: Readonly<Record<keyof SandboxOptions, OptionRule>> = {
  apiKey: headerText,
  teamId: text,
  legacyApiKey: headerText,
  baseUrl: address,
  legacyBaseUrl: address,
  seed: record,
  randomSeed: atLeast(0),
  now: callback,
  maxBodyBytes: atLeast(0),
  maxLogBytes: atLeast(0),
  corsOrigins: {
    expected: 'an array of origins such as http://localhost:5173',
    accepts: value => Array.isArray(value) && value.every(isOrigin),
  },
  onResponse: callback,
  ambiguities: record,
};

/** Returns the options, with the defaults of those that are not given; throws a `RangeError` that names a wrong one. */
export function readOptions(options: SandboxOptions) {
  if (typeof options !== 'object' || options === null)
    throw new RangeError('createSandbox: the options must be an object');
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(rules, name)) throw unknownName('option', name, Object.keys(rules));
    check(name, rules[name as keyof typeof rules], value);
  }
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const settings = { ...defaults, ...(given as Partial<typeof defaults>) };
  const { legacyApiKey = settings.apiKey, ambiguities = {} } = options;
  return { ...settings, legacyApiKey, ambiguities: decideAmbiguities(ambiguities) };
}

function check(name: string, { expected, accepts }: OptionRule, value: unknown): void {
  if (value !== undefined && !accepts(value))
    throw new RangeError(`${name} must be ${expected} (got ${shown(value)})`);
}

/** Returns the choices that are given, and the default of every other. */
export function decideAmbiguities(given: Partial<Ambiguities>): Ambiguities {
  const { errorStatus = {}, ...choices } = given;
  for (const [name, value] of Object.entries(choices)) {
    if (!isAmbiguity(name))
      throw unknownName('ambiguity', name, [...Object.keys(ambiguityRules), 'errorStatus']);
    check(`ambiguities.${name}`, ambiguityRule(ambiguityRules[name]), value);
  }
  check('ambiguities.errorStatus', record, errorStatus);
  for (const [kind, status] of Object.entries(errorStatus)) {
    if (!Object.hasOwn(defaultErrorStatus, kind))
      throw unknownName('error in errorStatus', kind, Object.keys(defaultErrorStatus));
    check(`ambiguities.errorStatus.${kind}`, numberRule(200, 599), status);
  }
  const decided = Object.entries(ambiguityRules).map(([name, rule]) => [
    name,
    choices[name as keyof typeof ambiguityRules] ?? rule.value,
  ]);
  return { ...Object.fromEntries(decided), errorStatus: { ...defaultErrorStatus, ...errorStatus } };
}

function isAmbiguity(name: string): name is keyof typeof ambiguityRules {
  return Object.hasOwn(ambiguityRules, name);
}

function ambiguityRule(rule: AmbiguityRule): OptionRule {
  const isValue = (value: unknown) => 'values' in rule && rule.values.includes(value as string);
  switch (rule.type) {
    case 'number':
      return numberRule(rule.least, rule.most);
    case 'flag':
      return { expected: 'true or false', accepts: value => typeof value === 'boolean' };
    case 'text':
      return text;
    case 'choice':
      return { expected: rule.values.join(' or '), accepts: isValue };
    case 'choices':
      return {
        expected: `some of ${rule.values.join(', ')}`,
        accepts: value => Array.isArray(value) && value.every(isValue),
      };
  }
}

function numberRule(least: number, most: number): OptionRule {
  const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`;
  return {
    expected: `a whole number ${range}`,
    accepts: value => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
  };
}

function isUrl(value: unknown): boolean {
  return typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value);
}

function isOrigin(value: unknown): boolean {
  return value === '*' || (isUrl(value) && new URL(value as string).origin === value);
}

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 50));
  if (typeof value !== 'object') return String(value);
  try {
    return JSON.stringify(value).slice(0, 50);
  } catch {
    return 'an object that JSON cannot hold';
  }
}

/** Returns the choice that a text such as `contactPageCap=30` makes; throws a `RangeError` for one that is not possible. */
export function ambiguityFromText(name: string, value: string): Partial<Ambiguities> {
  if (!isAmbiguity(name)) throw unknownName('setting', name, Object.keys(ambiguityRules));
  const parsed = parseSetting(ambiguityRules[name].type, value);
  check(name, ambiguityRule(ambiguityRules[name]), parsed);
  return { [name]: parsed };
}

function parseSetting(type: AmbiguityRule['type'], value: string): unknown {
  if (type === 'number') return /^\d+$/.test(value) ? Number(value) : value;
  if (type === 'flag') return value === 'true' || (value === 'false' ? false : value);
  return type === 'choices' ? value.split(',').filter(part => part !== '') : value;
}

/** Returns the values of each ambiguity for `--set`, such as `overCap=refuse|cap`, the default first. */
export function ambiguityUsage(): readonly string[] {
  return Object.entries(ambiguityRules).map(([name, rule]) => {
    if (rule.type === 'choice') return `${name}=${rule.values.join('|')}`;
    if (rule.type === 'choices') return `${name}=${rule.value.join(',')}  (any of ${rule.values.join(', ')})`;
    if (rule.type === 'flag') return `${name}=true|false`;
    return `${name}=${rule.value}${rule.type === 'number' ? `  (${rule.least} to ${rule.most})` : ''}`;
  });
}
