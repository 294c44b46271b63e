/** A number of seconds, as `Retry-After` holds it. */
const seconds = /^\d+(?:\.\d+)?$/;

/** The start of an HTTP date: the name of a day. `Date.parse` alone accepts nearly any text. */
const dayName = /^[A-Z][a-z]{2,8},? /;

/**
 * Returns the milliseconds that a `Retry-After` header asks for, from seconds or an HTTP date, else `undefined`. `nowMs`
 * is the time by the clock that the date was made with.
 */
export function parseRetryAfter(value: string | null, nowMs: number): number | undefined {
  const text = value?.trim();
  if (!text) return undefined;
  if (seconds.test(text)) return Number(text) * 1000;
  const date = parseHttpDate(text);
  return date === undefined ? undefined : Math.max(0, date - nowMs);
}

/** Returns the milliseconds since 1970 of an HTTP date, else `undefined`. */
export function parseHttpDate(value: string | null): number | undefined {
  const text = value?.trim() ?? '';
  const date = dayName.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}
