import * as z from 'zod/mini';
import { isObject } from '../core/json.ts';

/**
 * One kind of field that answers have. `schema` is the rule; `fits` is the same rule for the common case, told in a
 * fraction of the time. A property test holds the two together.
 */
export interface Word<T> {
  /** The rule; its error says what is expected. */
  readonly schema: z.ZodMiniType;
  readonly fits: (value: unknown) => boolean;
  /** What an absent or `null` field stands for, as it would be sent. */
  readonly zero: () => unknown;
  /** Puts zero values inside a value that fits no better without them. */
  readonly fill?: (value: unknown) => void;
  /** Makes the published value of one that fits. */
  readonly convert?: (value: unknown) => T;
  /** The type of the published value, for the compiler alone. */
  readonly type?: T;
}

const isText = (value: unknown) => typeof value === 'string';

/** Any text; absent is `""`. */
export const text: Word<string> = { schema: z.string('text'), fits: isText, zero: () => '' };

/** A field that stays absent where nothing was sent. */
export const optional = <T>(word: Word<T>): Word<T | undefined> => ({
  ...word,
  schema: z.optional(word.schema),
  fits: value => value === undefined || word.fits(value),
  zero: () => undefined,
});

/** A whole number that a JavaScript number holds exactly; absent is 0. */
export const integer: Word<number> = {
  schema: z.int('a whole number'),
  fits: Number.isSafeInteger,
  zero: () => 0,
};

/** A boolean; absent is `false`. */
export const flag: Word<boolean> = {
  schema: z.boolean('true or false'),
  fits: value => typeof value === 'boolean',
  zero: () => false,
};

/** An id as a record has it: any text that is not empty. */
export const recordId: Word<string> = {
  schema: z.string('text that is not empty').check(z.minLength(1, 'text that is not empty')),
  fits: value => isText(value) && value !== '',
  zero: () => '',
};

/** A list of texts; absent is `[]`. */
export const texts: Word<string[]> = {
  schema: z.array(z.string('text'), 'a list of texts'),
  fits: value => Array.isArray(value) && value.every(isText),
  zero: () => [],
};

/** A map of texts to texts; absent is `{}`. */
export const textMap: Word<Record<string, string>> = {
  schema: z.record(z.string(), z.string('text'), 'a map of texts'),
  fits: value => isObject(value) && Object.values(value).every(isText),
  zero: () => ({}),
};
