import * as z from 'zod/mini';

/** Schema of any text. */
/* @__NO_SIDE_EFFECTS__ */
export const text = () => z.string('text');

/** Schema of text that is not empty. */
/* @__NO_SIDE_EFFECTS__ */
export const nonEmptyText = (expected = 'text that is not empty') =>
  z.string(expected).check(z.minLength(1, expected));

/** Schema of text whose length, counted in code points, is within bounds. */
/* @__NO_SIDE_EFFECTS__ */
export function boundedText(min: number, max: number) {
  const expected = `text of ${min} to ${max} characters`;
  return z.string(expected).check(z.minLength(min, expected), z.maxLength(max, expected));
}

/** Schema of an email address. It only asks for text on both sides of one `@`: the service decides on the rest. */
/* @__NO_SIDE_EFFECTS__ */
export const email = () => z.email({ pattern: /^[^\s@]+@[^\s@]+$/, error: 'an email address' });

/** Schema of a calendar day that exists, such as `2024-02-29`. */
/* @__NO_SIDE_EFFECTS__ */
export const day = () => z.iso.date('a day that exists, as YYYY-MM-DD');

/** Schema of a list of texts that are not empty. */
/* @__NO_SIDE_EFFECTS__ */
export const textList = () => z.array(nonEmptyText(), 'a list of texts that are not empty');
