import * as z from 'zod/mini';
import { decimalText } from '../helpers/decimal-text.ts';
import { Secret } from '../helpers/secret.ts';

/** Schema of any text. */
export const text = () => z.string('text');

/** Schema of text that is not empty. */
export const nonEmptyText = (expected = 'text that is not empty') =>
  z.string(expected).check(z.minLength(1, expected));

/** Schema of text that matches a pattern. */
export const matchingText = (pattern: RegExp, expected: string | { readonly error: z.core.$ZodErrorMap }) =>
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

/** `Date` moves days that do not exist, such as 30 February, to others. The text of no date is `null`. */
const isDay = (value: string): boolean => new Date(value).toJSON()?.slice(0, 10) === value;

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

/** Schema of a list of texts in a response, such as a contact's tags. */
export const texts = () => z.array(text(), 'a list of texts');

/** Schema of a map of texts in a response, such as a contact's custom fields. */
export const textMap = () => z.catchall(z.object({}, 'a map of texts'), text());

/** Schema of a map of values in an input. Finite numbers become text, written out without an exponent. */
export function valueMap() {
  const number = z.pipe(z.number(), z.transform(decimalText));
  const value = z.union([z.string(), number], 'text or a finite number');
  return z.catchall(z.object({}, 'a map of texts and finite numbers'), value);
}

/** Schema of an object in an input, which has no other fields. */
export const params = <Fields extends z.core.$ZodLooseShape>(fields: Fields) =>
  z.strictObject(fields, 'an object');

/** Schema of an input that is only a name. */
export const named = () => params({ name: nonEmptyText() });

/** Schema of an object in a response, which may have more fields. */
export const record = <Fields extends z.core.$ZodLooseShape>(fields: Fields) =>
  z.looseObject(fields, 'an object');

/** Schema of a listing, or of one page of it. */
export const arrayOf = <Item extends z.core.$ZodType>(item: Item) => z.array(item, 'an array');
