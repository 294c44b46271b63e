import { InvalidRequestError } from '../errors.ts';
import type { Word } from './word.ts';

const nanosecondsPerSecond = 1_000_000_000n;

/** The years that ISO 8601 writes with four digits: from 0000 to the end of 9999. */
const firstNanosecond = -62_167_219_200n * nanosecondsPerSecond;
const endNanosecond = 253_402_300_800n * nanosecondsPerSecond;

const isoText = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/;

/**
 * The exact nanoseconds since the epoch of a time as this library gives them, such as a domain's `created`.
 *
 * @param text - ISO 8601 in UTC with at most nine decimals: `2025-12-22T09:04:10.613907001Z`.
 * @throws {@link InvalidRequestError} when the text is not that.
 *
 * @example
 * ```ts
 * console.log(epochNanoseconds('2025-12-22T09:04:10.613907001Z')); // 1766394250613907001n
 * ```
 */
export function epochNanoseconds(text: string): bigint {
  const [, seconds, decimals = ''] = isoText.exec(text) ?? [];
  const ms = Date.parse(`${seconds}Z`);
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 19) !== seconds)
    throw new InvalidRequestError(
      'epochNanoseconds: expected ISO 8601 in UTC such as 2025-12-22T09:04:10.613907001Z',
      {
        issues: [{ path: '', expected: 'ISO 8601 in UTC with at most nine decimals', received: typeof text }],
      },
    );
  return BigInt(ms) * 1_000_000n + BigInt(decimals.padEnd(9, '0'));
}

/** ISO 8601 text, exact to the nanosecond. */
export function isoFromNanoseconds(nanoseconds: bigint): string {
  const decimals = ((nanoseconds % nanosecondsPerSecond) + nanosecondsPerSecond) % nanosecondsPerSecond;
  const seconds = (nanoseconds - decimals) / nanosecondsPerSecond;
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  return `${whole}.${String(decimals).padStart(9, '0')}Z`;
}

/** Whole nanoseconds within the years 0 to 9999: a number, or digits where a number would round them. */
function isNanoseconds(value: unknown): value is number | string {
  if (!(Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d{1,21}$/.test(value))))
    return false;
  const nanoseconds = BigInt(value as number | string);
  return nanoseconds >= firstNanosecond && nanoseconds < endNanosecond;
}

const wire = {
  expected: 'whole nanoseconds since the epoch',
  fits: isNanoseconds,
  zero: () => 0,
};

const toIso = (value: unknown) => (value ? isoFromNanoseconds(BigInt(value as number | string)) : '');

/** Nanoseconds since the epoch, given as ISO 8601 text; absent and 0 are `""`. */
export const nanoseconds: Word<string> = { ...wire, convert: toIso };

/** The same for a time that may not have come yet: absent and 0 are `null`. */
export const nanosecondsOrNever: Word<string | null> = { ...wire, convert: value => toIso(value) || null };
