import * as z from 'zod/mini';
import { isoFromNanoseconds } from '../helpers/epoch-nanoseconds.ts';
import { isDate } from '../http/json.ts';
import { boundedInteger, converted, digitsOf, passes } from './fields.ts';

/** Digits of nanoseconds (no more than those of the year 9999 have), and a year of four digits, as ISO 8601 has them. */
const isInRange = (digits: string): boolean =>
  /^-?\d{1,21}$/.test(digits) && /^\d{4}-/.test(isoFromNanoseconds(BigInt(digits)));

/** Schema of nanoseconds, as a number or the text of its digits, whose text is converted. */
function nanoseconds<Time>(convert: (digits: string) => Time) {
  const expected = 'whole nanoseconds since the epoch';
  const digits = z.string(expected).check(passes(isInRange, expected));
  return converted(digitsOf, z.pipe(digits, z.transform(convert)));
}

const isoText = (digits: string): string => (BigInt(digits) === 0n ? '' : isoFromNanoseconds(BigInt(digits)));

/** Schema of a time in nanoseconds (rule 2.5). Becomes ISO 8601 text; 0 becomes `""`. */
export const nanosecondTime = () => nanoseconds(isoText);

/** Schema of the same for a time that may be unset: 0 becomes `null`. */
export const optionalNanosecondTime = () => nanoseconds(digits => isoText(digits) || null);

/** Last second of the year 5138. As milliseconds it is a day of 1973: a larger number can only be milliseconds. */
const lastSecond = 99_999_999_999;

/** Schema of a moment, as whole Unix seconds or as a `Date`, whose milliseconds are dropped. */
export function unixSeconds() {
  const toSeconds = (time: Date | number) => (isDate(time) ? Math.floor(time.getTime() / 1000) : time);
  const expected = 'a valid Date or whole Unix seconds (not milliseconds)';
  return converted(toSeconds, boundedInteger(0, lastSecond, expected));
}
