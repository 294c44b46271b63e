import { isPlainObject } from '../core/json.ts';
import {
  anAbortSignal,
  aTimeLimit,
  aWholeNumber,
  checkConfiguration,
  type OptionRule,
  type OptionRules,
  required,
} from '../core/option-rules.ts';
import type { Issue } from '../error-details.ts';

/** Options of a single call. They override the options of the client. */
export interface CallOptions {
  /** Aborts the call, even while its response is being read. The call rejects with the signal's own `reason`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Time limit of one attempt including the response body, in milliseconds; `Infinity` for none. A function that
   * returns the key has the same limit.
   * @defaultValue 30 000
   */
  readonly timeout?: number | undefined;
  /**
   * Time limit of the whole call in milliseconds, including queueing, attempts and waits.
   * @defaultValue no limit
   */
  readonly totalTimeout?: number | undefined;
  /**
   * Maximum number of retries. 0 turns retries off. A request is retried only if it cannot take effect twice.
   * @defaultValue 2
   */
  readonly maxRetries?: number | undefined;
  /**
   * Headers to add to the client's headers, or a function that returns them, or a promise for them, for each
   * request. The API key is an option of the client instead.
   */
  readonly headers?: CallHeaders | (() => CallHeaders | Promise<CallHeaders>) | undefined;
}

/** Headers by name. `undefined` values are not sent. */
export type CallHeaders = { readonly [name: string]: string | undefined };

/** Defaults of {@link CallOptions}. No response has taken longer than the time limit; the retries outlast a short outage. */
export const callDefaults = {
  timeout: 30_000,
  totalTimeout: Number.POSITIVE_INFINITY,
  maxRetries: 2,
} as const satisfies CallOptions;

/** Options of a call with every default applied. */
export interface ResolvedCallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeout: number;
  readonly totalTimeout: number;
  readonly maxRetries: number;
  /** Headers of the client and of the call, or a function that returns them for each request. */
  readonly headers: HeaderRecord | (() => Promise<HeaderRecord>);
}

/** Merges valid options over defaults: a client's over the library's, or a call's over its client's. */
export function mergeCallOptions(
  defaults: Omit<ResolvedCallOptions, 'headers'> & Partial<ResolvedCallOptions>,
  { signal, timeout, totalTimeout, maxRetries, headers }: CallOptions,
): ResolvedCallOptions {
  return {
    signal,
    timeout: timeout ?? defaults.timeout,
    totalTimeout: totalTimeout ?? defaults.totalTimeout,
    maxRetries: maxRetries ?? defaults.maxRetries,
    headers: mergeHeaders(defaults.headers, headers),
  };
}

/** Maximum length of a key or header value, in characters. Servers reject more than 8 to 16 kB of headers. */
export const maxHeaderLength = 8_192;

/** Headers of the key, and those that HTTP or the runtime sets for each connection and body. */
const reservedHeader =
  /^(?:accept-encoding|api_key|connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|x-team-apikey)$/i;

const anObjectOfHeaders: OptionRule = {
  expected: 'an object of strings, or a function that returns one',
  isValid: value => isPlainObject(value) || typeof value === 'function',
  issuesOf: headers =>
    Object.entries(isPlainObject(headers) ? headers : {}).flatMap(([path, value]): Issue[] => {
      const expected = value === undefined ? undefined : expectedHeader(path, value);
      return expected === undefined ? [] : [{ path, expected, received: typeof value }];
    }),
};

function expectedHeader(name: string, value: unknown): string | undefined {
  if (reservedHeader.test(name)) return 'left out: the client or HTTP sets this header';
  try {
    if (typeof value === 'string' && value.length <= maxHeaderLength && new Headers([[name, value]]))
      return undefined;
  } catch {}
  return 'a valid header name and value';
}

/** Rules of the call options that a client can set for all its calls. */
export const defaultCallRules: OptionRules<Exclude<keyof CallOptions, 'signal'>> = {
  timeout: aTimeLimit,
  totalTimeout: aTimeLimit,
  maxRetries: /* @__PURE__ */ aWholeNumber(0),
  headers: anObjectOfHeaders,
};

export const callOptionRules = (): OptionRules<keyof CallOptions> => ({
  signal: anAbortSignal,
  ...defaultCallRules,
});

/** Valid headers by lower-case name. */
type HeaderRecord = Readonly<Record<string, string>>;

/** Merges headers over defaults. Headers from a function are checked when it is called. */
function mergeHeaders(
  defaults: ResolvedCallOptions['headers'] = {},
  headers: CallOptions['headers'] = {},
): ResolvedCallOptions['headers'] {
  if (typeof defaults !== 'function' && typeof headers !== 'function')
    return { ...defaults, ...withLowerCase(headers) };
  const resolve = async (part: typeof headers) => {
    if (typeof part !== 'function') return withLowerCase(part);
    const returned = await part();
    checkConfiguration('headers', { headers: returned }, { headers: required(anObjectOfHeaders) });
    return withLowerCase(returned);
  };
  return async () => ({ ...(await resolve(defaults)), ...(await resolve(headers)) });
}

const withLowerCase = (headers: CallHeaders): HeaderRecord =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), value]],
    ),
  );
