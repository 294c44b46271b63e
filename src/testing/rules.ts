import { nearestName } from '../core/nearest-name.ts';

/** Which values are valid, and how an error describes them. */
export interface Rule {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

/** Rules by name; other names are rejected. */
export type Rules = Readonly<Record<string, Rule>>;

export const isText = (value: unknown): value is string => typeof value === 'string';
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const flag: Rule = { expected: 'true or false', accepts: value => typeof value === 'boolean' };
export const callback: Rule = { expected: 'a function', accepts: value => typeof value === 'function' };
export const object: Rule = { expected: 'an object', accepts: isObject };

/** Accepts strings that pass a test. */
export const text = (expected: string, passes: (value: string) => boolean): Rule => ({
  expected,
  accepts: value => isText(value) && passes(value),
});

/** Accepts the given strings. */
export const oneOf = (values: readonly string[]): Rule => ({
  expected: values.join(values.length === 2 ? ' or ' : ', '),
  accepts: value => values.includes(value as string),
});

/** Accepts arrays if every item passes a test. */
export const array = (expected: string, passes: (item: unknown) => boolean): Rule => ({
  expected,
  accepts: value => Array.isArray(value) && value.every(passes),
});

const range = (kind: string, unit: string, least: number, most: number): string =>
  `a ${kind}${unit && ` of ${unit}`} from ${least}${most === Number.MAX_SAFE_INTEGER ? '' : ` to ${most}`}`;

/** Accepts numbers in a range. */
export const number = (least: number, most: number, unit = ''): Rule => ({
  expected: range('number', unit, least, most),
  accepts: value => typeof value === 'number' && value >= least && value <= most,
});

/** Accepts integers in a range. */
export const wholeNumber = (least: number, most = Number.MAX_SAFE_INTEGER, unit = ''): Rule => ({
  expected: range('whole number', unit, least, most),
  accepts: value => Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most,
});

export const httpStatus: Rule = { ...wholeNumber(200, 599), expected: 'an HTTP status from 200 to 599' };

/** Throws a `RangeError` that says what the value must be, unless it is valid. */
export function check(name: string, { expected, accepts }: Rule, value: unknown): void {
  if (!accepts(value)) throw new RangeError(`${name} must be ${expected} (got ${shown(value)})`);
}

/**
 * Throws a `RangeError` that names the first unknown member, or the first with an invalid value. Members that are
 * `undefined` are ignored.
 */
export function checkMembers(what: string, members: object, rules: Rules, place = ''): void {
  for (const [name, value] of Object.entries(members)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) throw unknownName(what, name, Object.keys(rules));
    if (value !== undefined) check(place + name, rule, value);
  }
}

/** Creates the `RangeError` for an unknown name; suggests a similar one. */
export function unknownName(what: string, name: string, valid: readonly string[]): RangeError {
  const nearest = nearestName(name, valid);
  const hint = nearest === undefined ? `valid: ${valid.join(', ')}` : `did you mean "${nearest}"?`;
  return new RangeError(`unknown ${what} ${shown(name)}; ${hint}`);
}

/** Returns at most 50 characters that show a value. */
export function shown(value: unknown): string {
  if (isText(value)) return JSON.stringify(value.slice(0, 50));
  try {
    return (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 50);
  } catch {
    return 'an object that cannot be written as JSON';
  }
}

/** Whether a value equals a pattern: arrays as a whole, objects in at least the members of the pattern. */
export function contains(value: unknown, pattern: unknown): boolean {
  if (typeof pattern !== 'object' || pattern === null) return Object.is(value, pattern);
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(pattern))
    return false;
  if (Array.isArray(pattern) && (value as unknown[]).length !== pattern.length) return false;
  return Object.entries(pattern).every(([key, part]) =>
    contains((value as Record<string, unknown>)[key], part),
  );
}
