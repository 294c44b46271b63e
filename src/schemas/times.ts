import * as z from 'zod/mini';
import { isoFromNanoseconds } from '../helpers/epoch-nanoseconds.ts';
import { isDate } from '../http/json.ts';

const expectedNanoseconds = 'whole nanoseconds since the epoch';

/** Digits of nanoseconds (no more than those of the year 9999 have), and a year of four digits, as ISO 8601 has them. */
const isInRange = (value: number | string): boolean =>
  /^-?\d{1,21}$/.test(String(value)) && /^\d{4}-/.test(isoFromNanoseconds(BigInt(value)));

const nanoseconds = () =>
  z
    .union([z.int(expectedNanoseconds), z.string()], expectedNanoseconds)
    .check(z.refine(isInRange, expectedNanoseconds));

const isoText = (value: number | string): string =>
  BigInt(value) === 0n ? '' : isoFromNanoseconds(BigInt(value));

/** Schema of a time in nanoseconds (rule 2.5), as a number or the text of its digits. Becomes ISO 8601 text; 0 becomes `""`. */
export const nanosecondTime = () => z.pipe(nanoseconds(), z.transform(isoText));

/** Schema of the same for a time that may be unset: 0 becomes `null`. */
export const optionalNanosecondTime = () =>
  z.pipe(
    nanoseconds(),
    z.transform((value: number | string) => isoText(value) || null),
  );

/** Seconds of the year 5138. As milliseconds they are a day of 1973: a larger number can only be milliseconds. */
const firstMillisecondsValue = 100_000_000_000;

const expectedTime = 'a valid Date or whole Unix seconds (not milliseconds)';

/** Schema of a moment, as whole Unix seconds or as a `Date`, whose milliseconds are dropped. */
export function unixSeconds() {
  const seconds = z
    .int(expectedTime)
    .check(z.minimum(0, expectedTime), z.lt(firstMillisecondsValue, expectedTime));
  const fromDate = z.transform((moment: Date) => Math.floor(moment.getTime() / 1000));
  return z.union([seconds, z.pipe(z.pipe(z.custom<Date>(isDate), fromDate), seconds)], expectedTime);
}
