import { ConfigurationError } from '../errors.ts';
import { anAbortSignal, isOptions } from './check-options.ts';
import type { ThrottleLimiter, ThrottleLimits } from './rate-limiter.ts';
import { type Logger, loggedLevels } from './telemetry.ts';
import { maxTimerMs } from './timers.ts';
import { unknownNames } from './unknown-option.ts';

/** Longest name that a message shows, in characters. */
const maxShownLength = 100;

/** Makes the error of an option, which says what to write. A number that was given is shown. */
export const invalidOption = (option: string, expected: string, given?: unknown): ConfigurationError =>
  new ConfigurationError(
    `Option ${option} must be ${expected}${typeof given === 'number' ? ` (got ${given})` : ''}.`,
    { option },
  );

/** Refuses options that do not exist, with the nearest one that does. */
export function checkNames(options: unknown, known: readonly string[], of: string): void {
  if (!isOptions(options)) throw new ConfigurationError(`The options of ${of} must be an object.`);
  const [unknown] = unknownNames(options, known);
  if (!unknown) return;
  const hint = unknown.nearest
    ? ` Did you mean "${unknown.nearest}"?`
    : ` Known options: ${known.join(', ')}.`;
  const option = unknown.name.slice(0, maxShownLength);
  throw new ConfigurationError(`Unknown option "${option}" of ${of}.${hint}`, { option });
}

/** Returns an object with members, or `undefined`. */
export function members<T>(option: string, value: T): T {
  if (value === undefined || isOptions(value)) return value;
  throw invalidOption(option, 'an object');
}

/** Returns a whole number from `min`, or the default. */
export function wholeNumber(
  option: string,
  value: number | undefined,
  fallback: number,
  min: number,
): number {
  if (value === undefined) return fallback;
  if (Number.isSafeInteger(value) && value >= min) return value;
  throw invalidOption(option, `a whole number from ${min}`, value);
}

/** Returns milliseconds above 0 that a timer supports, or `Infinity`, or the default. */
export function milliseconds(option: string, value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  const isNumber = typeof value === 'number';
  if (isNumber && value > 0 && (value <= maxTimerMs || value === Number.POSITIVE_INFINITY)) return value;
  throw invalidOption(option, `milliseconds above 0, at most ${maxTimerMs}, or Infinity`, value);
}

/** Returns one of the values that an option can have, or the default. */
export function oneOf<T extends string>(
  option: string,
  value: string | undefined,
  known: readonly T[],
  fallback: T,
): T {
  const found = value === undefined ? fallback : known.find(name => name === value);
  if (!found) throw invalidOption(option, `one of ${known.join(', ')}`);
  return found;
}

/** Returns `true`, `false` or `undefined`. */
export function flag(option: string, value: boolean | undefined): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value;
  throw invalidOption(option, 'true or false', value);
}

/** Returns an `AbortSignal`, also one of another realm, or `undefined`. */
export function abortSignal(option: string, value: AbortSignal | undefined): AbortSignal | undefined {
  if (value === undefined || anAbortSignal.isValid(value)) return value;
  throw invalidOption(option, anAbortSignal.expected, value);
}

/** Returns a function, or `undefined`. */
export function callable<F>(option: string, value: F): F {
  if (value === undefined || typeof value === 'function') return value;
  throw invalidOption(option, 'a function');
}

/** Returns an object with a function for each level that is logged, or `undefined`. */
export function logger(value: Logger | undefined): Logger | undefined {
  if (value === undefined) return undefined;
  for (const level of loggedLevels)
    if (typeof value?.[level] !== 'function')
      throw invalidOption('logger', `an object with the functions ${loggedLevels.join(', ')}, as console is`);
  return value;
}

const throttleNames = {
  requestsPerSecond: true,
  concurrency: true,
  maxQueue: true,
} satisfies Record<keyof ThrottleLimits, true>;

/** Returns limits that are numbers above 0, a limiter, or `undefined`. */
export function throttle(
  value: ThrottleLimits | ThrottleLimiter | undefined,
): ThrottleLimits | ThrottleLimiter | undefined {
  if (value === undefined) return undefined;
  members('throttle', value);
  if ('acquire' in value) {
    callable('throttle.acquire', value.acquire);
    return value;
  }
  checkNames(value, Object.keys(throttleNames), 'throttle');
  for (const [name, limit] of Object.entries(value))
    if (limit !== undefined && !(typeof limit === 'number' && limit > 0))
      throw invalidOption(`throttle.${name}`, 'a number above 0', limit);
  if (value.maxQueue !== Number.POSITIVE_INFINITY) wholeNumber('throttle.maxQueue', value.maxQueue, 1, 1);
  return value;
}

/** Visible text that a header may hold, without white space at its ends. */
export const headerText = /^[\x21-\x7e\x80-\xff](?:[\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/;

/** Longest key or header value, in characters: servers refuse more than 8 to 16 kB of headers. */
export const maxHeaderLength = 8_192;

const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;

/** Headers that HTTP or `fetch` sets itself: another value would break the request. */
const forbiddenHeaders = [
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/**
 * Returns headers by their names in lower case, without those that are `undefined`. `reserved` lists those that hold a
 * key, and are set from options of their own.
 */
export function headers(
  given: Readonly<Record<string, string | undefined>> | undefined,
  reserved: readonly string[],
): Record<string, string> {
  const clean: Record<string, string> = {};
  if (given !== undefined && !isOptions(given))
    throw invalidOption('headers', 'an object with a text for each header name');
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value === undefined) continue;
    const key = name.toLowerCase();
    const option = `headers.${name.slice(0, maxShownLength)}`;
    if (reserved.includes(key)) throw invalidOption(option, 'left out: the key is an option of its own');
    if (forbiddenHeaders.includes(key)) throw invalidOption(option, 'left out: it is set for each request');
    const isText = typeof value === 'string' && value.length <= maxHeaderLength;
    if (!headerName.test(key) || !isText || (value !== '' && !headerText.test(value)))
      throw invalidOption(option, 'a header name with text that a header may hold');
    clean[key] = value;
  }
  return clean;
}
