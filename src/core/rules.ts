import type { Issue } from '../errors.ts';
import { isPlainObject, tagOf } from './json.ts';
import { maxTimerMs } from './timers.ts';

/** Rule of an option: the expected value, and a test of it. */
export interface OptionRule {
  readonly expected: string;
  readonly isValid: (value: unknown) => boolean;
  /** `true` if the option cannot be left out. */
  readonly isRequired?: true;
  /** Returns what is wrong with the members of a valid value. */
  readonly issuesOf?: (value: unknown) => readonly Issue[];
}

/** Rules by the name of the option; no other name is accepted. */
export type OptionRules<Name extends PropertyKey = string> = Readonly<Record<Name, OptionRule>>;

/**
 * Returns `true` for an object that can hold options: a plain object, an instance of a user's class, or a module. The
 * content of a list, a map or a promise would be ignored.
 */
export const isOptions = (value: unknown): value is Readonly<Record<string, unknown>> =>
  ['Object', 'Module'].includes(tagOf(value));

export const anObject: OptionRule = { expected: 'an object', isValid: isOptions };

/** Accepts names and values of the user's own, which those of a class would lack: getters are not copied. */
export const aPlainObject: OptionRule = { expected: 'a plain object', isValid: isPlainObject };

export const anArray: OptionRule = { expected: 'an array', isValid: Array.isArray };

export const aFunction: OptionRule = {
  expected: 'a function',
  isValid: value => typeof value === 'function',
};

export const aBoolean: OptionRule = {
  expected: 'true or false',
  isValid: value => typeof value === 'boolean',
};

/** Accepts an `AbortSignal`, even one of another realm. */
export const anAbortSignal: OptionRule = {
  expected: 'an AbortSignal',
  isValid: value =>
    typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value,
};

export const aNumberAboveZero: OptionRule = {
  expected: 'a number above 0',
  isValid: value => typeof value === 'number' && value > 0,
};

export const aNumberFromOne: OptionRule = {
  expected: 'a number from 1',
  isValid: value => typeof value === 'number' && value >= 1,
};

/** Accepts milliseconds that a timer supports, and `Infinity`. */
export const aTimeLimit: OptionRule = {
  expected: `milliseconds above 0, at most ${maxTimerMs}, or Infinity`,
  isValid: value =>
    typeof value === 'number' && value > 0 && (value <= maxTimerMs || value === Number.POSITIVE_INFINITY),
};

export const aWholeNumber = (min: number, max?: number): OptionRule => ({
  expected: `a whole number from ${min}${max === undefined ? '' : ` to ${max}`}`,
  isValid: value =>
    Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= (max ?? Number(value)),
});

export function aCount(min: number): OptionRule {
  const { expected, isValid } = aWholeNumber(min);
  return {
    expected: `${expected}, or Infinity`,
    isValid: value => value === Number.POSITIVE_INFINITY || isValid(value),
  };
}

export const oneOf = (values: readonly unknown[]): OptionRule => ({
  expected: `one of ${values.join(', ')}`,
  isValid: value => values.includes(value),
});

/** Accepts any value, which is checked elsewhere. */
export const anything: OptionRule = { expected: 'any value', isValid: () => true };

export const required = (rule: OptionRule): OptionRule => ({ ...rule, isRequired: true });
