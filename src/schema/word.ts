import * as z from 'zod/mini';
import { isObject } from '../core/json.ts';
import { Secret } from './secret.ts';

/** One kind of field that answers have. */
export interface Word<T> {
  /** What a value must be, as the end of a sentence. */
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
  /** What an absent or `null` field stands for, as it would be sent. */
  readonly zero: () => unknown;
  /** The rule in parts, for a field whose own fields are to be named when they are wrong. */
  readonly schema?: () => z.ZodMiniType;
  /** Puts zero values inside a value that fits no better without them. */
  readonly fill?: (value: unknown) => void;
  /** Makes the published value of one that fits. */
  readonly convert?: (value: unknown) => T;
  /** The type of the published value, for the compiler alone. */
  readonly type?: T;
}

const isText = (value: unknown) => typeof value === 'string';

/** Any text; absent is `""`. */
export const text: Word<string> = { expected: 'text', fits: isText, zero: () => '' };

/** A whole number that a JavaScript number holds exactly; absent is 0. */
export const integer: Word<number> = {
  expected: 'a whole number',
  fits: Number.isSafeInteger,
  zero: () => 0,
};

/** A boolean; absent is `false`. */
export const flag: Word<boolean> = {
  expected: 'true or false',
  fits: value => typeof value === 'boolean',
  zero: () => false,
};

/** An id as a record has it: any text that is not empty. */
export const recordId: Word<string> = {
  expected: 'text that is not empty',
  fits: value => isText(value) && value !== '',
  zero: () => '',
};

/** A list of texts; absent is `[]`. */
export const texts: Word<string[]> = {
  expected: 'a list of texts',
  fits: value => Array.isArray(value) && value.every(isText),
  zero: () => [],
};

function holdsTextAlone(map: Record<string, unknown>): boolean {
  for (const key in map) if (!isText(map[key])) return false;
  return true;
}

/** A map of texts to texts; absent is `{}`. */
export const textMap: Word<Record<string, string>> = {
  expected: 'a map of texts',
  fits: value => isObject(value) && holdsTextAlone(value),
  zero: () => ({}),
};

/** A field that stays absent where nothing was sent. */
export const orAbsent = <T>({ schema, ...word }: Word<T>): Word<T | undefined> => ({
  ...word,
  schema: () => z.optional(schema?.() ?? z.custom(word.fits, word.expected)),
  fits: value => value === undefined || word.fits(value),
  zero: () => undefined,
});

/** Text that holds a secret. Whatever comes in its place is kept as secret as the text would be. */
export const secret: Word<Secret> = {
  expected: text.expected,
  fits: () => true,
  zero: text.zero,
  convert: value => new Secret(typeof value === 'string' ? value : JSON.stringify(value)),
};
