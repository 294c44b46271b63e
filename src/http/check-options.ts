import { invalidRequest } from './invalid-request.ts';
import { unknownNames } from './unknown-option.ts';

/** Rule of an option: the expected value, and a test of it. `undefined` always passes: the option is left out. */
export interface OptionRule {
  readonly expected: string;
  readonly isValid: (value: unknown) => boolean;
}

/** Rules by the name of the option; no other name is accepted. */
export type OptionRules = Readonly<Record<string, OptionRule>>;

/** Passes any function. */
export const aFunction: OptionRule = {
  expected: 'a function',
  isValid: value => typeof value === 'function',
};

/** Passes an `AbortSignal`, also of another realm. */
export const anAbortSignal: OptionRule = {
  expected: 'an AbortSignal',
  isValid: value => isObject(value) && 'aborted' in value && 'addEventListener' in value,
};

/** Passes numbers from 1, `Infinity` included. */
export const aNumberFromOne: OptionRule = {
  expected: 'a number from 1',
  isValid: value => typeof value === 'number' && value >= 1,
};

/** Passes whole numbers from `min`, and `Infinity`. */
export const aCount = (min: number): OptionRule => ({
  expected: `a whole number from ${min}, or Infinity`,
  isValid: value =>
    value === Number.POSITIVE_INFINITY || (Number.isSafeInteger(value) && (value as number) >= min),
});

/** Passes anything: another part checks it. */
export const anything: OptionRule = { expected: 'any value', isValid: () => true };

/**
 * Returns `true` for an object that can hold options: of no class, of a class of the user's own, or a module. The content
 * of a list, a map or a promise would be ignored.
 */
export const isOptions = (value: unknown): value is object =>
  /^\[object (?:Object|Module)\]$/.test(Object.prototype.toString.call(value)) &&
  !(Symbol.iterator in (value as object));

/** Throws an `InvalidRequestError` that names each unknown and each invalid option. */
export function checkOptions(operation: string, options: unknown, rules: OptionRules): void {
  if (!isOptions(options))
    throw invalidRequest(operation, [
      { path: 'options', expected: 'an object', received: describe(options) },
    ]);
  const unknown = unknownNames(options, Object.keys(rules)).map(({ name, nearest }) => {
    const hint = nearest ? `; did you mean "${nearest}"?` : '';
    const path = name.slice(0, longestName);
    return {
      path,
      expected: `left out: there is no such option${hint}`,
      received: describe((options as Readonly<Record<string, unknown>>)[name]),
      message: `unknown option "${path}"${hint}`,
    };
  });
  const invalid = Object.entries(rules).flatMap(([name, { expected, isValid }]) => {
    const value = (options as Readonly<Record<string, unknown>>)[name];
    return value === undefined || isValid(value) ? [] : [{ path: name, expected, received: describe(value) }];
  });
  if (unknown.length + invalid.length > 0) throw invalidRequest(operation, [...unknown, ...invalid]);
}

/** Throws an `InvalidRequestError` unless the value of one argument passes its rule. */
export function checkArgument(operation: string, path: string, value: unknown, rule: OptionRule): void {
  if (!rule.isValid(value))
    throw invalidRequest(operation, [{ path, expected: rule.expected, received: describe(value) }]);
}

/** Characters of an unknown name that an error shows. */
const longestName = 50;

/** Returns a number as it is, and the type of anything else. */
export function describe(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Returns `true` for objects other than arrays. */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
