import * as z from 'zod/mini';

/** Seconds of the year 5138. As milliseconds they are a day of 1973: a larger number can only be milliseconds. */
const firstMillisecondsValue = 100_000_000_000;

const millisecondsPerSecond = 1000;

const expected = 'a valid Date or whole Unix seconds (not milliseconds)';

/** Returns `true` for a `Date` within the bounds, also one of another realm, such as a frame or a test environment. */
function isDate(value: unknown): value is Date {
  if (Object.prototype.toString.call(value) !== '[object Date]') return false;
  const milliseconds = (value as Date).getTime();
  return milliseconds >= 0 && milliseconds < firstMillisecondsValue * millisecondsPerSecond;
}

/** Schema of a moment, as whole Unix seconds or as a `Date`, whose milliseconds are dropped. */
export function unixSeconds() {
  const seconds = z.int(expected).check(z.minimum(0, expected), z.lt(firstMillisecondsValue, expected));
  const fromDate = z.transform((moment: Date) => Math.floor(moment.getTime() / millisecondsPerSecond));
  return z.union([seconds, z.pipe(z.custom<Date>(isDate, expected), fromDate)], expected);
}
