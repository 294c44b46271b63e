import * as z from 'zod/mini';
import { decimalText } from '../helpers/decimal-text.ts';
import { Secret } from '../helpers/secret.ts';

/** Schema of any text. */
export const text = () => z.string('text');

/** Schema of text that is not empty. */
export const nonEmptyText = (expected = 'text that is not empty') =>
  z.string(expected).check(z.minLength(1, expected));

/** Schema of text that matches a pattern. */
export const matchingText = (pattern: RegExp, expected: string) =>
  z.string(expected).check(z.regex(pattern, expected));

/** Schema of text whose length, counted in code points, is within bounds. */
export function boundedText(min: number, max: number) {
  const expected = `text of ${min} to ${max} characters`;
  return z.string(expected).check(z.minLength(min, expected), z.maxLength(max, expected));
}

/** Schema of an email address. It only asks for text on both sides of one `@`: the service decides on the rest. */
export const email = () => z.stringFormat('email', /^[^\s@]+@[^\s@]+$/, 'an email address');

/** Schema of a calendar day that exists, such as `2024-02-29`. */
export const day = () => z.stringFormat('date', isDay, 'a day that exists, as YYYY-MM-DD');

/** `Date` moves days that do not exist, such as 30 February, to others. */
function isDay(value: string): boolean {
  const milliseconds = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : Number.NaN;
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(value);
}

/** Schema of text that holds a secret. Becomes a {@link Secret}. */
export const secretText = () =>
  z.pipe(
    z.string('text'),
    z.transform((value: string) => new Secret(value)),
  );

/** Schema of a whole number that a JavaScript number holds exactly. */
export const integer = () => z.int('a whole number');

/** Schema of a whole number within bounds. */
export function boundedInteger(min: number, max?: number) {
  const expected = `a whole number from ${min}${max === undefined ? '' : ` to ${max}`}`;
  const upperBound = max === undefined ? [] : [z.maximum(max, expected)];
  return z.int(expected).check(z.minimum(min, expected), ...upperBound);
}

/** Schema of `true` or `false`. */
export const flag = () => z.boolean('true or false');

const expectedValue = 'text or a finite number';

/** Schema of a map of texts in a response, such as a contact's custom fields. */
export const textMap = () => z.catchall(z.object({}, 'a map of texts'), text());

/** Schema of a map of values in an input. Finite numbers become text, written out without an exponent. */
export function valueMap() {
  const number = z.pipe(z.number(expectedValue), z.transform(decimalText));
  const value = z.union([z.string(expectedValue), number], expectedValue);
  return z.catchall(z.object({}, 'a map of texts and finite numbers'), value);
}
