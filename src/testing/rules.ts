import { shown } from '../core/json.ts';
import { aWholeNumber, type OptionRule, type OptionRules, optionIssues } from '../core/option-rules.ts';

export const isText = (value: unknown): value is string => typeof value === 'string';

/** Accepts strings that pass a test. */
export const text = (expected: string, passes: (value: string) => boolean): OptionRule => ({
  expected,
  isValid: value => isText(value) && passes(value),
});

/** Accepts arrays if every item passes a test. */
export const array = (expected: string, passes: (item: unknown) => boolean): OptionRule => ({
  expected,
  isValid: value => Array.isArray(value) && value.every(passes),
});

/** Accepts numbers in a range. */
export const number = (min: number, max: number, unit = ''): OptionRule => ({
  expected: `a number${unit && ` of ${unit}`} from ${min} to ${max}`,
  isValid: value => typeof value === 'number' && value >= min && value <= max,
});

export const httpStatus: OptionRule = {
  ...aWholeNumber(200, 599),
  expected: 'an HTTP status from 200 to 599',
};

/** Throws a `RangeError` that says what the value must be, unless it is valid. */
export function check(name: string, { expected, isValid }: OptionRule, value: unknown): void {
  if (!isValid(value)) throw invalid(name, expected, shown(value));
}

/**
 * Throws a `RangeError` that names the first unknown member, or the first with an invalid value. Members that are
 * `undefined` are ignored.
 */
export function checkMembers(what: string, members: object, rules: OptionRules, place = ''): void {
  const [issue] = optionIssues(members, rules);
  if (issue === undefined) return;
  const { path, expected, received } = issue;
  if (path in members && !Object.hasOwn(rules, path)) throw unknownName(what, path, Object.keys(rules));
  throw invalid(place + path, expected, received);
}

const invalid = (name: string, expected: string, received: string): RangeError =>
  new RangeError(`${name} must be ${expected} (got ${received.slice(0, 50)})`);

/** Creates the `RangeError` for an unknown name. */
export function unknownName(what: string, name: string, valid: readonly string[]): RangeError {
  const names = valid.join(', ') || 'none';
  return new RangeError(`unknown ${what} ${shown(name.slice(0, 50))}; valid: ${names}`);
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
