import { unknownName } from './nearest.ts';
import type { SandboxOptions } from './options.ts';
import {
  type Ambiguities,
  type AmbiguityRule,
  ambiguityRules,
  defaultErrorStatus,
} from './service/ambiguities.ts';

/** The values that an option can have. */
interface OptionRule {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

const text: OptionRule = {
  expected: 'text that is not empty',
  accepts: value => typeof value === 'string' && value !== '',
};
/** A key or team id: what a header can carry. */
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

const rules: Readonly<Record<Exclude<keyof SandboxOptions, keyof Ambiguities>, OptionRule>> = {
  apiKey: headerText,
  teamId: text,
  legacyApiKey: headerText,
  baseUrl: address,
  legacyBaseUrl: address,
  seed: record,
  randomSeed: atLeast(0),
  now: callback,
  maxBodyBytes: atLeast(0),
  journalLimit: atLeast(0),
  journalBytes: atLeast(0),
  corsOrigins: {
    expected: 'an array of origins such as http://localhost:5173',
    accepts: value => Array.isArray(value) && value.every(isOrigin),
  },
  onResponse: callback,
};

/** Throws a `RangeError` for an option that does not exist, or that has a value it cannot have. */
export function checkOptions(options: SandboxOptions): void {
  const valid = [...Object.keys(rules), ...Object.keys(ambiguityRules), 'errorStatus'];
  if (typeof options !== 'object' || options === null)
    throw new RangeError('createSandbox: the options must be an object');
  for (const [name, value] of Object.entries(options)) {
    if (!valid.includes(name)) throw unknownName('option', name, valid);
    const rule = ruleOf(name);
    if (value !== undefined && rule !== undefined && !rule.accepts(value))
      throw new RangeError(`${name} must be ${rule.expected} (got ${shown(value)})`);
  }
  checkErrorStatus(options.errorStatus ?? {});
}

function ruleOf(name: string): OptionRule | undefined {
  if (isAmbiguity(name)) return ambiguityRule(ambiguityRules[name]);
  return Object.hasOwn(rules, name) ? rules[name as keyof typeof rules] : undefined;
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

function checkErrorStatus(statuses: Readonly<Record<string, unknown>>): void {
  const { expected, accepts } = numberRule(200, 599);
  for (const [kind, status] of Object.entries(statuses)) {
    if (!Object.hasOwn(defaultErrorStatus, kind))
      throw unknownName('error in errorStatus', kind, Object.keys(defaultErrorStatus));
    if (status !== undefined && !accepts(status))
      throw new RangeError(`errorStatus.${kind} must be ${expected} (got ${shown(status)})`);
  }
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

/** Returns the ambiguities as options decide them. */
export function decideAmbiguities(options: SandboxOptions): Ambiguities {
  const decided = Object.entries(ambiguityRules).map(([name, rule]) => [
    name,
    options[name as keyof typeof ambiguityRules] ?? rule.value,
  ]);
  const errorStatus = { ...defaultErrorStatus, ...options.errorStatus };
  return { ...Object.fromEntries(decided), errorStatus } as Ambiguities;
}

/** Returns the option that a text such as `contactPageCap=30` sets; throws a `RangeError` for one that it cannot. */
export function ambiguityFromText(name: string, value: string): Partial<SandboxOptions> {
  if (!isAmbiguity(name)) throw unknownName('setting', name, Object.keys(ambiguityRules));
  const { expected, accepts } = ambiguityRule(ambiguityRules[name]);
  const parsed = parseSetting(ambiguityRules[name].type, value);
  if (!accepts(parsed)) throw new RangeError(`${name} must be ${expected} (got ${shown(value)})`);
  return { [name]: parsed };
}

function parseSetting(type: AmbiguityRule['type'], value: string): unknown {
  if (type === 'number') return /^\d+$/.test(value) ? Number(value) : value;
  if (type === 'flag') return value === 'true' || (value === 'false' ? false : value);
  return type === 'choices' ? value.split(',').filter(part => part !== '') : value;
}

/** Returns what each setting of the command takes, such as `overCap=refuse|cap`, the default first. */
export function ambiguityUsage(): readonly string[] {
  return Object.entries(ambiguityRules).map(([name, rule]) => {
    if (rule.type === 'choice') return `${name}=${rule.values.join('|')}`;
    if (rule.type === 'choices') return `${name}=${rule.value.join(',')}  (any of ${rule.values.join(', ')})`;
    if (rule.type === 'flag') return `${name}=true|false`;
    return `${name}=${rule.value}${rule.type === 'number' ? `  (${rule.least} to ${rule.most})` : ''}`;
  });
}
