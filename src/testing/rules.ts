import { literalOrType } from '../core/json.ts';
import { aWholeNumber, type OptionRules, optionIssues, rule, unknownName } from '../core/option-rules.ts';

export const isText = (value: unknown): value is string => typeof value === 'string';

/** Accepts strings that pass a test. */
export const text = (expected: string, passes: (value: string) => boolean) =>
  rule(expected, value => isText(value) && passes(value));

export const aText = rule('a string', isText);
export const aName = text('a non-empty string', value => value !== '');
export const httpStatus = aWholeNumber(200, 599);

/**
 * Throws a `RangeError` that names the first unknown member, or the first with an invalid value. Members that are
 * `undefined` are ignored.
 */
export function checkMembers(what: string, members: object, rules: OptionRules, place = ''): void {
  const [issue] = optionIssues(members, rules);
  if (issue === undefined) return;
  const { path, expected, received } = issue;
  const isGiven = path in Object(members);
  if (isGiven && !Object.hasOwn(rules, path)) throw noSuch(what, path, Object.keys(rules));
  const shown = isGiven ? literalOrType(Reflect.get(members, path)).slice(0, 50) : received;
  throw new RangeError(`${place}${path} must be ${expected} (got ${shown}).`);
}

/** Creates the `RangeError` for an unknown name. */
export const noSuch = (what: string, name: string, known: readonly string[]): RangeError =>
  new RangeError(unknownName(`${what} ${literalOrType(name.slice(0, 50))}`, name, known).message);

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
