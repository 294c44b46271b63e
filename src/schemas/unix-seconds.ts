import * as z from 'zod/mini';

/** Seconds of the year 5138. As milliseconds they are a day of 1973: a larger number can only be milliseconds. */
const firstMillisecondsValue = 100_000_000_000;

const millisecondsPerSecond = 1000;

const expected = 'a valid Date or whole Unix seconds (not milliseconds)';

/** Schema of a moment, as whole Unix seconds or as a `Date`, whose milliseconds are dropped. */
export function unixSeconds() {
  const seconds = z.int(expected).check(z.minimum(0, expected), z.lt(firstMillisecondsValue, expected));
  const date = z
    .date(expected)
    .check(
      z.minimum(new Date(0), expected),
      z.lt(new Date(firstMillisecondsValue * millisecondsPerSecond), expected),
    );
  const fromDate = z.transform((moment: Date) => Math.floor(moment.getTime() / millisecondsPerSecond));
  return z.union([seconds, z.pipe(date, fromDate)], expected);
}
