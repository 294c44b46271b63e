import { isDate, isObject, parseJson, typeName } from '../../core/json.ts';
import * as errors from '../../errors.ts';
import type { ApiPromise, CallResult } from '../../http/api-promise.ts';
import { Call, type CallSettings, deletedBefore } from '../../http/call.ts';
import type { CallOptions } from '../../http/call-options.ts';
import {
  callError,
  endingError,
  noWholeResponse,
  statedError,
  unusableResponse,
} from '../../http/failure.ts';
import type { FetchFunction, HttpResponse } from '../../http/fetch.ts';
import { isIdempotent, requestedWaitMs, type Target } from '../../http/retries.ts';
import {
  classByStatus,
  classOfStatus,
  isRedirectStatus,
  isTransientStatus,
  outcomeOfStatus,
} from '../../http/status.ts';
import { callIdHeader, makeCallId, retryHeader, retryValue, type WireError } from '../protocol.ts';

/** What the handler replies: data, or the error of a call that it has retried as often as it may. */
type Reply = CallResult<unknown> | { readonly error: errors.EmailMarketingError };

/** Bytes of bodies in flight, in all, above which browsers reject a request with `keepalive`. */
const maxKeepaliveBytes = 65_536;

/** Bytes that each request counts at least, so that there are 128: browsers reject more than 256 as well. */
const minKeepaliveBytes = 512;
let bytesInFlight = 0;

/** Makes calls to the handler on the user's server: each attempt is one POST to one address, with the id of its call. */
export class Handler {
  readonly #url: URL;
  readonly #settings: CallSettings;
  readonly #fetch: FetchFunction | undefined;
  readonly #hasPage: boolean;

  constructor(url: URL, settings: CallSettings, fetch: FetchFunction | undefined, hasPage: boolean) {
    this.#url = url;
    this.#settings = settings;
    this.#fetch = fetch;
    this.#hasPage = hasPage;
  }

  /** Makes a call, from its input to its data. */
  call(target: Target, input: unknown, options?: CallOptions): ApiPromise<unknown> {
    const call = new Call(target, this.#url, this.#settings);
    return call.perform(async () => {
      const body = encodeCall(target.name, input);
      call.setOptions(options);
      // The query of the handler's address can hold a token.
      const request = { path: '', idempotent: isIdempotent(target, input), isPerformedOnce: true };
      const id = makeCallId();
      const reply = await call.retry(request, async () => readReply(call, await this.#send(call, body, id)));
      if ('error' in reply) throw reply.error;
      return reply;
    });
  }

  /**
   * Sends one attempt. The global `fetch` is looked up at each request. A small request outlives its web page; a retry
   * does not, because other scripts of the page may have used up the bytes that browsers allow.
   */
  async #send(call: Call, body: string, id: string): Promise<HttpResponse> {
    const size = Math.max(new Blob([body]).size, minKeepaliveBytes);
    try {
      const { headers: given } = call.options;
      // Without a function, nothing is awaited: the request is sent before the page can leave.
      const callHeaders = typeof given === 'function' ? await call.limited(given) : given;
      const headers = { ...callHeaders, [callIdHeader]: id, 'content-type': 'application/json' };
      const fetch: FetchFunction | undefined = this.#fetch ?? globalThis.fetch;
      if (!fetch) throw new errors.ConfigurationError('this runtime has no fetch: pass the option fetch.');
      if (!this.#hasPage) throw new errors.ConfigurationError(noPage, { option: 'url' });
      return await call.limited(async signal => {
        call.begin();
        bytesInFlight += size;
        const init = {
          method: call.target.method,
          headers: { ...headers, ...(call.mayHaveActed && { [retryHeader]: retryValue }) },
          body,
          signal,
          redirect: 'manual',
        } as const;
        const keepalive = bytesInFlight < maxKeepaliveBytes && !call.mayHaveActed;
        try {
          const response = await fetch(this.#url.href, { ...init, keepalive });
          call.receiveHead();
          const text = await response.text();
          return { status: response.status, text, headers: () => new Headers(response.headers as Headers) };
        } finally {
          bytesInFlight -= size;
        }
      });
    } catch (error) {
      throw endingError(call, error, lost =>
        noWholeResponse(call, undefined, this.#fetch && lost, call.url.host),
      );
    }
  }
}

const noPage = 'a relative url needs a web page: pass a whole URL, or call it in the browser only.';

/** Returns the body of a call. The handler checks the fields. */
function encodeCall(operation: string, given: unknown): string {
  // The time of an event, in Unix seconds.
  const hasDate = isObject(given) && isDate(given.time);
  const input = hasDate ? { ...given, time: Math.floor((given.time as Date).getTime() / 1000) } : given;
  return JSON.stringify({ operation, input });
}

const advice = 'Check the option url: createProxyHandler must respond there.';

/** Reads a response of the handler: `{ data }` or `{ error }`. Throws the error of any other, by its status. */
function readReply(call: Call, response: HttpResponse): Reply {
  const { status, text, headers } = response;
  call.receiveStatus(status);
  const json = parseJson(text);
  const { data, error }: Partial<Record<'data' | 'error', unknown>> = Object(json);
  // A server that has an envelope of its own sends `data: null` beside the reason of a failure.
  const isReply = data !== null || Object.keys(Object(json)).length === 1;
  if (status === 200 && data !== undefined && isReply) return { data, status, headers };
  const failure = status >= 400 && readError(call, Object(error), response);
  if (failure) return failure;
  if (status >= 200 && status < 300) {
    const received = json === undefined ? 'no JSON' : typeName(json);
    const issue = { path: '', expected: 'a response of createProxyHandler', received };
    throw unusableResponse(call, 'unknown', [issue], advice);
  }
  throw otherError(call, response, json);
}

/** Members that the constructors of all error classes take. */
type Details = errors.ApiErrorDetails &
  Pick<errors.TimeoutError, 'limit' | 'phase'> & {
    readonly issues: readonly errors.Issue[];
    readonly retryAfterMs: number | undefined;
  };

type ErrorClass = new (message: string, details: Details) => errors.EmailMarketingError;

const errorClasses = () =>
  [
    errors.EmailMarketingError,
    errors.ConfigurationError,
    errors.InvalidRequestError,
    errors.InvalidResponseError,
    errors.ConnectionError,
    errors.TimeoutError,
    errors.CallAbortedError,
    errors.ApiError,
    ...Object.values(classByStatus),
  ] as readonly ErrorClass[];

/**
 * Reads the error that the handler reports; `undefined` for anything else. A newer handler may report a class that this
 * page does not know.
 */
function readError(call: Call, error: Partial<WireError>, response: HttpResponse): Reply | undefined {
  const { name, message, status = 0, notFound } = error;
  if (typeof name !== 'string' || typeof message !== 'string' || typeof error.outcome !== 'string')
    return undefined;
  const outcome = outcomes.find(each => each === error.outcome) ?? 'unknown';
  // A failure without a status has that of the handler's response.
  if (status) call.receiveStatus(status);
  if (notFound === true && call.isRepeatedDeletion) return deletedBefore();
  const fallback: ErrorClass = status ? errors.ApiError : errors.EmailMarketingError;
  const errorClass = errorClasses().find(each => each.prototype.name === name) ?? fallback;
  // What came as JSON has no member that is `undefined`.
  const defaults = { issues: [], retryAfterMs: undefined, limit: 'timeout', phase: 'head' } as const;
  const fields = { ...defaults, ...error, status, response: responseOf(response) } as unknown as Details;
  return { error: statedError(call, errorClass, message, { ...fields, outcome, reason: name }) };
}

const outcomes: readonly errors.Outcome[] = ['not-sent', 'refused', 'unknown', 'done'];

const responseOf = ({ status, headers }: HttpResponse): errors.ApiError['response'] => ({
  status,
  headers: headers(),
});

const redirectAdvice = `The visitor may no longer be signed in. ${advice}`;

/**
 * Creates the error of a response of something between the browser and the handler, or of another address. A filter can
 * respond once the handler has acted, by most statuses.
 */
function otherError(call: Call, response: HttpResponse, json: unknown): errors.EmailMarketingError {
  const { status, text } = response;
  const { host } = call.url;
  const isRedirect = isRedirectStatus(status);
  const isTransient = isTransientStatus(status);
  const happened = isRedirect
    ? `${host} responded with a redirect, which is not followed`
    : `${status} from ${host}: not a response of createProxyHandler`;
  const errorClass = classOfStatus(status) as typeof errors.RateLimitError;
  return callError(call, errorClass, happened, {
    outcome: outcomeOfStatus(status, call.target.kind),
    status,
    body: json ?? text,
    response: responseOf(response),
    retryAfterMs: requestedWaitMs(response.headers()),
    advice: isRedirect ? redirectAdvice : isTransient ? undefined : advice,
  });
}
