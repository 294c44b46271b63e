import * as z from 'zod/mini';
import { isoFromNanoseconds } from '../helpers/epoch-nanoseconds.ts';

/** First and last nanosecond of the years that ISO 8601 writes with four digits: 0000 to 9999. */
const firstNanosecond = -62_167_219_200_000_000_000n;
const lastNanosecond = 253_402_300_799_999_999_999n;

const expected = 'whole nanoseconds since the epoch';

/** More digits than any nanosecond of the year 9999 has. */
const digits = /^-?\d{1,21}$/;

function isInRange(value: number | string): boolean {
  const exact = BigInt(value);
  return exact >= firstNanosecond && exact <= lastNanosecond;
}

function nanoseconds() {
  const text = z.string(expected).check(z.regex(digits, { error: expected, abort: true }));
  return z.union([z.int(expected), text], expected).check(z.refine(isInRange, expected));
}

const isoText = (value: number | string): string =>
  BigInt(value) === 0n ? '' : isoFromNanoseconds(BigInt(value));

/** Schema of a time in nanoseconds, as a number or as the text of its digits. Becomes ISO 8601 text; 0 becomes `""`. */
export const nanosecondTime = () => z.pipe(nanoseconds(), z.transform(isoText));

/** Schema of the same for a time that may be unset: 0 becomes `null`. */
export const optionalNanosecondTime = () =>
  z.pipe(
    nanoseconds(),
    z.transform((value: number | string) => isoText(value) || null),
  );
