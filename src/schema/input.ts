import * as z from 'zod/mini';
import { isPlainObject } from '../core/json.ts';
import type { InputCheck } from '../core/operation.ts';
import { judge, toIssue } from './judge.ts';

/** A schema for each field of an input, checked against the interface that documents it. */
export type Fields<T> = { readonly [K in keyof T]-?: z.ZodMiniType<T[K]> };

/**
 * Makes the check of an operation's input. What passes is handed on as it was given, so that nothing is lost, unless
 * `toWire` turns it into what the service takes.
 */
export function inputOf<T>(
  schema: () => z.ZodMiniType<T>,
  toWire: (input: T) => unknown = same,
): InputCheck<T> {
  let made: z.ZodMiniType<T> | undefined;
  return input => {
    made ??= schema();
    const issues = judge(made, input).map(toIssue);
    return issues.length > 0 ? { ok: false, issues } : { ok: true, value: toWire(input as T) };
  };
}

const same = (input: unknown) => input;

/** An input with named fields; a field that does not exist is refused by name, as what it holds would be lost. */
export const fields = <T>(shape: Fields<T>): z.ZodMiniType<T> =>
  z.strictObject(shape as z.core.$ZodLooseShape, 'an object') as unknown as z.ZodMiniType<T>;

/** The same, or left out. */
export const optional = <T>(schema: z.ZodMiniType<T>): z.ZodMiniType<T | undefined> => z.optional(schema);

const isText = (value: unknown): value is string => typeof value === 'string';

/** Any text. */
export const anyText = (): z.ZodMiniType<string> => z.custom<string>(isText, 'text');

/** Text that is not empty. */
export const someText = (expected = 'text that is not empty'): z.ZodMiniType<string> =>
  z.custom(value => isText(value) && value !== '', expected);

/** Text of a bounded length, in characters. */
export const boundedText = (min: number, max: number): z.ZodMiniType<string> =>
  z.custom(
    value => isText(value) && value.length >= min && value.length <= max,
    `text of ${min} to ${max} characters`,
  );

/** A whole number within bounds. */
export const boundedInteger = (min: number, max: number): z.ZodMiniType<number> =>
  z.custom(
    value => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max,
    `a whole number from ${min} to ${max}`,
  );

/** What looks like an email address; the service knows best. */
export const email = (): z.ZodMiniType<string> =>
  z.custom(value => isText(value) && /^[^\s@]+@[^\s@]+$/.test(value), 'an email address');

/** A list of texts that are not empty. */
export const textList = (): z.ZodMiniType<readonly string[]> =>
  z.custom(
    value => Array.isArray(value) && value.every(item => isText(item) && item !== ''),
    'a list of texts that are not empty',
  );

/** A map of texts to texts. Every key counts, `__proto__` too. */
export const textMap = (): z.ZodMiniType<Readonly<Record<string, string>>> =>
  z.custom<Readonly<Record<string, string>>>(isPlainObject, 'a map of texts').check(({ value, issues }) => {
    for (const [key, item] of Object.entries(value))
      if (!isText(item)) issues.push({ code: 'custom', path: [key], message: 'text', input: item });
  });

/** A day that exists, as `YYYY-MM-DD`. */
export const day = (): z.ZodMiniType<string> =>
  z.custom(value => isText(value) && isDay(value), 'a day that exists, as YYYY-MM-DD');

function isDay(text: string): boolean {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}
