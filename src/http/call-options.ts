import { isPlainObject, typeName } from '../core/json.ts';
import {
  anAbortSignal,
  aTimeLimit,
  aWholeNumber,
  checkConfiguration,
  invalidOption,
  isOptions,
  type OptionRule,
  type OptionRules,
} from '../core/options.ts';
import type { Issue } from '../errors.ts';
import type { HeaderRecord } from './operation.ts';

/** Options of a single call. Each overrides the client's own. */
export interface CallOptions {
  /** Aborts the call at once, up to the end of its response. The call rejects with the signal's own `reason`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Time limit of one attempt, head and body together, in milliseconds; `Infinity` for none. A function that returns
   * the key has as long before it.
   * @defaultValue 30 000
   */
  readonly timeout?: number | undefined;
  /**
   * Time limit of the whole call in milliseconds: queueing, attempts, waits and body together.
   * @defaultValue no limit
   */
  readonly totalTimeout?: number | undefined;
  /**
   * Maximum number of retries. A request is retried only if it cannot take effect twice; 0 turns retries off.
   * @defaultValue 2
   */
  readonly maxRetries?: number | undefined;
  /**
   * Headers to send in addition to the client's own, or a function that returns them for each request, also as a
   * promise. Not for the API key, which is an option of the client.
   */
  readonly headers?: CallHeaders | (() => CallHeaders | Promise<CallHeaders>) | undefined;
}

/** Headers by name. Those that are `undefined` are not sent. */
export type CallHeaders = { readonly [name: string]: string | undefined };

/** Defaults of {@link CallOptions}: longer than any response that was seen, and enough retries for a short outage. */
export const callDefaults = {
  timeout: 30_000,
  totalTimeout: Number.POSITIVE_INFINITY,
  maxRetries: 2,
} as const satisfies CallOptions;

/** Longest key or header value, in characters: servers refuse more than 8 to 16 kB of headers. */
export const maxHeaderLength = 8_192;

/** Headers that hold the key. Options of the client set them. */
const keyHeader = /^(?:x-team-apikey|api_key)$/i;

/** Headers that HTTP or the runtime sets for each connection and body. */
const transportHeader =
  /^(?:connection|content-length|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade)$/i;

const anObjectOfHeaders: OptionRule = {
  expected: 'a plain object with a string for each header name, or a function that returns one',
  isValid: value => isPlainObject(value) || typeof value === 'function',
  issuesOf: headers =>
    Object.entries(isOptions(headers) ? headers : {}).flatMap(([path, value]): Issue[] => {
      const expected = value === undefined ? undefined : expectedHeader(path, value);
      return expected === undefined ? [] : [{ path, expected, received: typeof value }];
    }),
};

/** Says what a header that cannot be sent must be. */
function expectedHeader(name: string, value: unknown): string | undefined {
  if (keyHeader.test(name)) return 'left out: the key is an option of the full client';
  if (transportHeader.test(name)) return 'left out: HTTP sets this header itself';
  try {
    if (typeof value === 'string' && value.length <= maxHeaderLength && new Headers([[name, value]]))
      return undefined;
  } catch {}
  const [wrong] = /[^\t\x20-\x7e\x80-\xff]/u.exec(typeof value === 'string' ? value : '') ?? [];
  return `a valid header name and value${wrong ? `, without ${JSON.stringify(wrong)}` : ''}`;
}

export const callOptionRules: OptionRules<keyof CallOptions> = {
  signal: anAbortSignal,
  timeout: aTimeLimit,
  totalTimeout: aTimeLimit,
  maxRetries: /* @__PURE__ */ aWholeNumber(0),
  headers: anObjectOfHeaders,
};

/** {@link CallOptions} with every default applied. */
export interface ResolvedCallOptions {
  readonly signal: AbortSignal | undefined;
  readonly timeout: number;
  readonly totalTimeout: number;
  readonly maxRetries: number;
  readonly headers: ResolvedHeaders;
}

/** Valid headers by their names in lower case, or a function that returns them for each request. */
type ResolvedHeaders = HeaderRecord | (() => Promise<HeaderRecord>);

/** Merges valid options over defaults: those of a client over {@link callDefaults}, and those of a call over its client's. */
export function mergeCallOptions(
  defaults: typeof callDefaults | ResolvedCallOptions,
  options: CallOptions,
): ResolvedCallOptions {
  const {
    signal,
    timeout = defaults.timeout,
    totalTimeout = defaults.totalTimeout,
    maxRetries = defaults.maxRetries,
  } = options;
  const { headers: own }: Partial<ResolvedCallOptions> = defaults;
  const headers = own && options.headers === undefined ? own : mergeHeaders(own, options.headers);
  return { signal, timeout, totalTimeout, maxRetries, headers };
}

/** Merges headers over those of the client. Headers that a function returns are checked when it is called. */
export function mergeHeaders(
  defaults: CallOptions['headers'],
  headers: CallOptions['headers'],
): ResolvedHeaders {
  if (typeof defaults !== 'function' && typeof headers !== 'function')
    return { ...readHeaders(defaults), ...readHeaders(headers) };
  const resolve = async (part: CallOptions['headers']) => {
    if (typeof part !== 'function') return readHeaders(part);
    const returned = await part();
    // The value could be a key.
    if (!isOptions(returned))
      throw invalidOption('headers', 'a function that returns an object', typeName(returned));
    checkConfiguration('the function headers', { headers: returned }, { headers: anObjectOfHeaders });
    return readHeaders(returned);
  };
  return async () => ({ ...(await resolve(defaults)), ...(await resolve(headers)) });
}

/** Returns valid headers by their names in lower case, without those that are `undefined`. */
const readHeaders = (headers: CallHeaders = {}): HeaderRecord =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), value]],
    ),
  );
