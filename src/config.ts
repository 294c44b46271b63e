import { longestTimerMs } from './core/cancel.ts';
import { ConfigurationError } from './errors.ts';
import type { ApiKey, ClientOptions } from './options.ts';

/** The options that an environment variable can stand in for. */
type EnvironmentOption = 'baseUrl' | 'apiKey' | 'legacyBaseUrl' | 'legacyApiKey' | 'teamId' | 'log';

/** `baseUrl` is `EMAIL_MARKETING_BASE_URL`. */
const variableOf = (option: string) =>
  `EMAIL_MARKETING_${option.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase()}`;

/** An environment variable; none where the runtime has no environment, or does not let it be read. */
export function environment(option: EnvironmentOption): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  try {
    return process?.env?.[variableOf(option)] || undefined;
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
export const unusable = (option: string, expected: string) =>
  new ConfigurationError(`Option ${option} must be ${expected}.`);

/** The same for an option that can also come from the environment. */
export const unset = (option: EnvironmentOption, expected: string) =>
  unusable(`${option} (or environment variable ${variableOf(option)})`, expected);

const loopback = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** A base URL without its trailing slash. */
export function baseUrl(option: EnvironmentOption, value: string | undefined): string {
  if (typeof value !== 'string' || !URL.canParse(value))
    throw unset(option, 'a URL such as https://api.example.com');
  const { protocol, hostname, username, password, search, hash, origin, pathname } = new URL(value);
  if (protocol !== 'https:' && !(protocol === 'http:' && loopback.test(hostname)))
    throw unset(
      option,
      'an https: URL (http: is for this machine alone), as the key travels with each request',
    );
  if (username || password || search || hash) throw unset(option, 'a URL without user, query or fragment');
  return (origin + pathname).replace(/\/+$/, '');
}

/** Visible text that a header may hold, without white space at its ends. */
const headerText = /^[\x21-\x7e\x80-\xff]([\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/;

/** A key that can be sent, or the function that gives it. The key is in no message. */
export function apiKey(option: EnvironmentOption, value: ApiKey | undefined): ApiKey {
  const checked = (key: unknown) => {
    if (typeof key === 'string' && headerText.test(key)) return key;
    throw unset(
      option,
      'the key from the team settings: not empty, without line breaks or white space at its ends',
    );
  };
  return typeof value === 'function' ? async () => checked(await value()) : checked(value);
}

/** A team id: text that is not empty, without line breaks or white space at its ends, or none. */
export function teamId(value: unknown): string | undefined {
  if (value === undefined || (typeof value === 'string' && headerText.test(value))) return value;
  throw unset('teamId', 'text that is not empty, without line breaks or white space at its ends');
}

/** A whole number, or the default. */
export function count(option: string, value: number | undefined, fallback: number, min: number): number {
  if (value === undefined) return fallback;
  if (Number.isSafeInteger(value) && value >= min) return value;
  throw unusable(option, `a whole number from ${min}`);
}

/** Milliseconds above 0 that a timer can hold, or `Infinity`. */
export function milliseconds(option: string, value: number | undefined, fallback: number): number {
  if (value === undefined) return fallback;
  if (value === Number.POSITIVE_INFINITY || (value > 0 && value <= longestTimerMs)) return value;
  throw unusable(option, `milliseconds from above 0 to ${longestTimerMs}, or Infinity`);
}

/** One of the values that an option can have, or the default. */
export function oneOf<T extends string>(
  option: string,
  value: string | undefined,
  known: readonly T[],
  fallback: T,
): T {
  const found = value === undefined ? fallback : known.find(name => name === value);
  if (!found) throw unusable(option, `one of ${known.join(', ')}`);
  return found;
}

/** A function, or none. */
export function callable<F>(option: string, value: F): F {
  if (value === undefined || typeof value === 'function') return value;
  throw unusable(option, 'a function');
}

/** Bounds that are numbers above 0, a limiter, or nothing. */
export function throttle(value: ClientOptions['throttle']): ClientOptions['throttle'] {
  if (value && !('acquire' in value))
    for (const bound of [value.requestsPerSecond, value.concurrency])
      if (bound !== undefined && !(bound > 0))
        throw unusable('throttle', 'bounds above 0, or { acquire(signal) }');
  return value;
}

const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const keyHeader = /^(x-team-apikey|api_key)$/;

/** Headers by their names in small letters, those that are `undefined` left out. */
export function headers(given: ClientOptions['headers']): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(given ?? {})) {
    if (value === undefined) continue;
    const key = name.toLowerCase();
    if (keyHeader.test(key)) throw unusable(`headers.${name}`, 'left out: the key is an option of its own');
    if (!headerName.test(key) || (value !== '' && !headerText.test(value)))
      throw unusable(`headers.${name}`, 'a header name with text that a header may hold');
    clean[key] = value;
  }
  return clean;
}
