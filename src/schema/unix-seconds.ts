import * as z from 'zod/mini';

/** Seconds of the year 5138, which as milliseconds are a day of 1973: a larger number can only be milliseconds. */
const firstMilliseconds = 100_000_000_000;

const expected = 'a valid Date or whole Unix seconds (not milliseconds)';

/** A moment, as a `Date` or as whole Unix seconds. */
export const unixSeconds = (): z.ZodMiniType<Date | number> =>
  z.custom<Date | number>(value => {
    const seconds = value instanceof Date ? value.getTime() / 1000 : value;
    const whole = value instanceof Date ? !Number.isNaN(seconds) : Number.isSafeInteger(seconds);
    return whole && Number(seconds) >= 0 && Number(seconds) < firstMilliseconds;
  }, expected);
