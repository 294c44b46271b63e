import { longestTimerMs } from './core/cancel.ts';
import { type LogLevel, logLevels } from './core/observe.ts';
import { ConfigurationError } from './errors.ts';
import type { ApiKey } from './options.ts';

/** An environment variable; none where the runtime has no environment, or does not let it be read. */
export function environment(name: string): string | undefined {
  try {
    return globalThis.process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}

/** Whether this is a page or a worker of a browser, where nothing is secret. */
export function isBrowser(): boolean {
  const { document, navigator } = globalThis as { document?: unknown; navigator?: { userAgent?: string } };
  return document !== undefined || /^Mozilla\//.test(navigator?.userAgent ?? '');
}

/** The error of an option, saying what to write. */
export const unusable = (
  option: string,
  variable: string | undefined,
  expected: string,
): ConfigurationError =>
  new ConfigurationError(
    `Option ${option}${variable ? ` (or environment variable ${variable})` : ''} must be ${expected}.`,
  );

const loopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** A base URL without its trailing slash. */
export function baseUrl(option: string, variable: string, value: string | undefined): string {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  const wrong = (expected: string) => unusable(option, variable, expected);
  if (!url) throw wrong('a URL such as https://api.example.com');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback.test(url.hostname)))
    throw wrong('an https: URL (http: is for this machine alone), as the key travels with each request');
  if (url.username || url.password || url.search || url.hash)
    throw wrong('a URL without user, query or fragment');
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

/** Visible text that a header may hold, without white space at its ends. */
const headerText = /^[\x21-\x7e\x80-\xff]([\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/;

const keyRule = 'text that a header may hold: no line break, no white space at its ends, and not empty';

/** A key that can be sent, or the function that gives it. The key is in no message. */
export function apiKey(option: string, variable: string, value: ApiKey | undefined): ApiKey {
  if (typeof value === 'function') return async () => checkedKey(option, variable, await value());
  return checkedKey(option, variable, value);
}

function checkedKey(option: string, variable: string, value: unknown): string {
  if (typeof value === 'string' && headerText.test(value)) return value;
  throw unusable(option, variable, value === undefined ? 'set to the key from the team settings' : keyRule);
}

/** A whole number, or the default. */
export function count(option: string, value: number | undefined, fallback: number, min: number): number {
  if (value === undefined) return fallback;
  if (Number.isSafeInteger(value) && value >= min) return value;
  throw unusable(option, undefined, `a whole number from ${min}`);
}

/** Milliseconds above 0 that a timer can hold, or `Infinity`. */
export function milliseconds(option: string, value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  if (value === Number.POSITIVE_INFINITY || (value > 0 && value <= longestTimerMs)) return value;
  throw unusable(option, undefined, `milliseconds from above 0 to ${longestTimerMs}, or Infinity`);
}

/** A log level, or the default. */
export function logLevel(value: string | undefined): LogLevel {
  if (value === undefined) return 'warn';
  const level = logLevels.find(name => name === value);
  if (!level) throw unusable('logLevel', 'EMAIL_MARKETING_LOG', `one of ${logLevels.join(', ')}`);
  return level;
}

const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const keyHeaders = ['x-team-apikey', 'api_key'];

/** Headers by their names in small letters, those that are `undefined` left out. */
export function headers(
  given: Readonly<Record<string, string | undefined>> | undefined,
): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(given ?? {})) {
    const key = name.toLowerCase();
    if (value === undefined) continue;
    if (keyHeaders.includes(key))
      throw unusable(`headers.${name}`, undefined, 'left out: the key is an option of its own');
    if (!headerName.test(key) || (value !== '' && !headerText.test(value)))
      throw unusable(`headers.${name}`, undefined, 'a header name with text that a header may hold');
    clean[key] = value;
  }
  return clean;
}

/** A team id: text that is not empty. */
export function teamId(value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw unusable('teamId', 'EMAIL_MARKETING_TEAM_ID', 'text that is not empty');
}
