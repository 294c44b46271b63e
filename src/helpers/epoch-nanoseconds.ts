import { invalidArgument } from './invalid-argument.ts';

const nanosecondsPerSecond = 1_000_000_000n;
const nanosecondsPerMillisecond = 1_000_000n;

const isoPattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z$/;

/** Length of `2025-12-22T09:04:10`. */
const wholeSecondsLength = 19;

/**
 * Converts a time from this library, such as a domain's `created`, to nanoseconds since the Unix epoch.
 *
 * @param text - ISO 8601 in UTC with at most nine decimals: `2025-12-22T09:04:10.613907001Z`.
 * @throws {@link InvalidRequestError} for any other text.
 *
 * @example
 * ```ts
 * console.log(epochNanoseconds('2025-12-22T09:04:10.613907001Z')); // 1766394250613907001n
 * ```
 */
export function epochNanoseconds(text: string): bigint {
  const [, seconds = '', decimals = ''] = isoPattern.exec(text) ?? [];
  const time = new Date(`${seconds}Z`);
  const expected = 'ISO 8601 in UTC, such as 2025-12-22T09:04:10.613907001Z';
  // `Date` turns days that do not exist into others; an invalid date becomes `null`.
  if (time.toJSON()?.slice(0, wholeSecondsLength) !== seconds)
    throw invalidArgument('epochNanoseconds', 'text', expected, text);
  return BigInt(time.getTime()) * nanosecondsPerMillisecond + BigInt(decimals.padEnd(9, '0'));
}

/** Converts nanoseconds to ISO 8601, without loss. */
export function isoFromNanoseconds(nanoseconds: bigint): string {
  const decimals = ((nanoseconds % nanosecondsPerSecond) + nanosecondsPerSecond) % nanosecondsPerSecond;
  const seconds = (nanoseconds - decimals) / nanosecondsPerSecond;
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, wholeSecondsLength);
  return `${whole}.${String(decimals).padStart(9, '0')}Z`;
}
