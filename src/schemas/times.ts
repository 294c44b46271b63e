import * as z from 'zod/mini';
import { isoFromNanoseconds } from '../helpers/epoch-nanoseconds.ts';
import { isDate } from '../http/json.ts';

/** First and last nanosecond of the years that ISO 8601 writes with four digits: 0000 to 9999. */
const firstNanosecond = -62_167_219_200_000_000_000n;
const lastNanosecond = 253_402_300_799_999_999_999n;

const expectedNanoseconds = 'whole nanoseconds since the epoch';

/** More digits than any nanosecond of the year 9999 has. */
const digits = /^-?\d{1,21}$/;

function isInRange(value: number | string): boolean {
  const exact = BigInt(value);
  return exact >= firstNanosecond && exact <= lastNanosecond;
}

function nanoseconds() {
  const text = z
    .string(expectedNanoseconds)
    .check(z.regex(digits, { error: expectedNanoseconds, abort: true }));
  return z
    .union([z.int(expectedNanoseconds), text], expectedNanoseconds)
    .check(z.refine(isInRange, expectedNanoseconds));
}

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

const millisecondsPerSecond = 1000;

const expectedTime = 'a valid Date or whole Unix seconds (not milliseconds)';

/** Returns `true` for a `Date` within the bounds. */
function isMoment(value: unknown): value is Date {
  if (!isDate(value)) return false;
  const milliseconds = value.getTime();
  return milliseconds >= 0 && milliseconds < firstMillisecondsValue * millisecondsPerSecond;
}

/** Schema of a moment, as whole Unix seconds or as a `Date`, whose milliseconds are dropped. */
export function unixSeconds() {
  const seconds = z
    .int(expectedTime)
    .check(z.minimum(0, expectedTime), z.lt(firstMillisecondsValue, expectedTime));
  const fromDate = z.transform((moment: Date) => Math.floor(moment.getTime() / millisecondsPerSecond));
  return z.union([seconds, z.pipe(z.custom<Date>(isMoment, expectedTime), fromDate)], expectedTime);
}
