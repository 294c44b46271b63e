import * as z from 'zod/mini';

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
export const email = () => z.email({ pattern: /^[^\s@]+@[^\s@]+$/, error: 'an email address' });

/** Schema of a calendar day that exists, such as `2024-02-29`. */
export const day = () => z.stringFormat('date', isDay, 'a day that exists, as YYYY-MM-DD');

/** `Date` moves days that do not exist, such as 30 February, to others. */
function isDay(value: string): boolean {
  const milliseconds = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(value) : Number.NaN;
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString().startsWith(value);
}

const idOfTag = /^tag_[a-zA-Z0-9]{22}$/;

/** Schema of a list of names of tags. A name may begin with `tag_`, but not be the id of a tag. */
export function tagNames() {
  const expected = 'a list of texts that are not empty';
  const name = z.refine<string>(
    text => !idOfTag.test(text),
    'names of tags: this is the id of a tag; the legacy interface takes its name',
  );
  return z.array(nonEmptyText(expected).check(name), expected);
}
