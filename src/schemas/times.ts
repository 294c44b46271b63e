import * as z from 'zod/mini';
import { isDate } from '../core/json.ts';
import { isoFromNanoseconds } from '../helpers/epoch-nanoseconds.ts';
import { boundedInteger, check, convertThen, matchingText, numberToText } from './fields.ts';

const isoTime =
  /^(?:\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|\+00:00))?$/;

/** Schema of a time in a response; empty if the service sends none. */
export const time = () => matchingText(isoTime, 'a time in ISO 8601, UTC');

/** Returns `true` for nanoseconds up to the year 9999, the last that ISO 8601 writes with four digits. */
const isInRange = (digits: string): boolean =>
  /^-?\d{1,21}$/.test(digits) && /^\d{4}-/.test(isoFromNanoseconds(BigInt(digits)));

function nanoseconds<Unset extends string | null>(unset: Unset) {
  const expected = 'whole nanoseconds since the epoch';
  const digits = z.string(expected).check(check(isInRange, expected));
  const toIso = (value: string): string | Unset => {
    // Invalid values are kept by lenient parsing.
    if (typeof value !== 'string' || !isInRange(value)) return value;
    const time = BigInt(value);
    return time === 0n ? unset : isoFromNanoseconds(time);
  };
  return convertThen(numberToText, z.pipe(digits, z.transform(toIso)));
}

/** Schema of a time in nanoseconds (rule 2.5). Becomes ISO 8601 text; 0 becomes `""`. */
export const nanosecondTime = () => nanoseconds('');

/** Like `nanosecondTime`, for a time that can be unset: 0 becomes `null`. */
export const optionalNanosecondTime = () => nanoseconds(null);

/** Largest number accepted as seconds, in the year 5138. Larger numbers are milliseconds. */
const lastSecond = 99_999_999_999;

/** Schema of a time: whole Unix seconds, or a `Date`, whose milliseconds are dropped. */
export function unixSeconds() {
  const toSeconds = (time: Date | number) => (isDate(time) ? Math.floor(time.getTime() / 1000) : time);
  const expected = 'a valid Date or whole Unix seconds (not milliseconds)';
  return convertThen(toSeconds, boundedInteger(-lastSecond, lastSecond, expected));
}
