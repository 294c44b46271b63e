import { type ApiPromise, type CallResult, deletedBefore } from '../call/api-promise.ts';
import {
  type AttemptResult,
  type Circumstances,
  ended,
  type HttpResponse,
  limited,
} from '../call/attempt.ts';
import { type CallRequest, type CallSettings, makeCall } from '../call/call.ts';
import type { CallOptions } from '../call/call-options.ts';
import {
  type ErrorClass,
  endFailure,
  type Failure,
  failure,
  type NetworkFailure,
  noWholeResponse,
  unusableResponse,
} from '../call/failure.ts';
import { type Effect, isIdempotent, requestedWaitMs, type Target } from '../call/retries.ts';
import {
  classByStatus,
  classOfStatus,
  isRedirectStatus,
  isTransientStatus,
  outcomeOfStatus,
} from '../call/status.ts';
import { isDate, isObject, parseJson, typeName } from '../core/json.ts';
import * as errors from '../errors.ts';
import type { FetchFunction } from '../transport/fetch.ts';
import { callIdHeader, makeCallId, retryHeader, retryValue, type WireError } from './protocol.ts';

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
    return makeCall(options, {
      target,
      url: this.#url,
      settings: this.#settings,
      encode: () => encode(target, input),
      attempt: (request, given) => this.#attempt(request, given),
      classify: (made, given) =>
        made.end === 'response'
          ? readReply(target.kind, made.response, given)
          : endFailure(given, made, this.#lost),
      parse: async received => received,
    });
  }

  /** What a given `fetch` threw can be its own mistake. */
  readonly #lost: NetworkFailure = ({ url }, { thrown }) =>
    noWholeResponse({ url }, undefined, this.#fetch && thrown, url.host);

  /**
   * Makes one attempt. The global `fetch` is looked up at each request. A small request outlives its web page; a retry
   * does not, because other scripts of the page may have used up the bytes that browsers allow. Never throws.
   */
  async #attempt({ body, id }: Request, given: Circumstances): Promise<AttemptResult> {
    const { mayHaveActed, options } = given;
    let phase: errors.TimeoutPhase = 'queue';
    let sentAt = performance.now();
    try {
      const { headers } = options;
      // Without a function, nothing is awaited: the request is sent before the page can leave.
      const callHeaders = typeof headers === 'function' ? await limited(given, headers) : headers;
      const fetch: FetchFunction | undefined = this.#fetch ?? globalThis.fetch;
      if (!fetch) throw new errors.ConfigurationError('this runtime has no fetch: pass the option fetch.');
      if (!this.#hasPage) throw new errors.ConfigurationError(noPage, { option: 'url' });
      const response = await limited(given, async signal => {
        phase = 'head';
        sentAt = performance.now();
        given.onSend();
        const size = Math.max(new Blob([body]).size, minKeepaliveBytes);
        bytesInFlight += size;
        try {
          const response = await fetch(this.#url.href, {
            method: 'POST',
            headers: {
              ...callHeaders,
              [callIdHeader]: id,
              'content-type': 'application/json',
              ...(mayHaveActed && { [retryHeader]: retryValue }),
            },
            body,
            signal,
            redirect: 'manual',
            keepalive: bytesInFlight < maxKeepaliveBytes && !mayHaveActed,
          });
          phase = 'body';
          const text = await response.text();
          return { status: response.status, text, headers: () => new Headers(response.headers as Headers) };
        } finally {
          bytesInFlight -= size;
        }
      });
      return { phase, sentAt, endedAt: performance.now(), end: 'response', response };
    } catch (error) {
      return ended({ phase, sentAt }, error, given);
    }
  }
}

/** A call as the handler takes it. */
interface Request extends CallRequest {
  readonly body: string;
  readonly id: string;
}

const noPage = 'a relative url needs a web page: pass a whole URL, or call it in the browser only.';

/** Returns the request of a call. The handler checks the fields. */
function encode(target: Target, given: unknown): Request {
  // The time of an event, in Unix seconds.
  const hasDate = isObject(given) && isDate(given.time);
  const input = hasDate ? { ...given, time: Math.floor((given.time as Date).getTime() / 1000) } : given;
  return {
    // The query of the handler's address can hold a token.
    path: '',
    body: JSON.stringify({ operation: target.name, input }),
    id: makeCallId(),
    idempotent: isIdempotent(target, given),
    isPerformedOnce: true,
  };
}

const advice = 'Check the option url: createProxyHandler must respond there.';

/** Reads a response of the handler: `{ data }` or `{ error }`. Any other is judged by its status. */
function readReply(
  kind: Effect['kind'],
  response: HttpResponse,
  given: Circumstances,
): CallResult<unknown> | Failure {
  const { status, text, headers } = response;
  const json = parseJson(text);
  const { data, error }: Partial<Record<'data' | 'error', unknown>> = Object(json);
  // A server that has an envelope of its own sends `data: null` beside the reason of a failure.
  const isReply = data !== null || Object.keys(Object(json)).length === 1;
  if (status === 200 && data !== undefined && isReply) return { data, status, headers };
  const reported: Partial<WireError> = Object(error);
  if (status >= 400 && isWireError(reported)) {
    if (reported.notFound === true && kind === 'delete' && given.mayHaveActed) return deletedBefore();
    return reportedFailure(reported, response);
  }
  if (status >= 200 && status < 300) {
    const received = json === undefined ? 'no JSON' : typeName(json);
    const issue = { path: '', expected: 'a response of createProxyHandler', received };
    return unusableResponse(given, 'unknown', [issue], advice);
  }
  return otherFailure(kind, response, json, given.url);
}

/** Members that the constructors of all error classes take. */
type Details = errors.ApiErrorDetails &
  Pick<errors.TimeoutError, 'limit' | 'phase'> & {
    readonly issues: readonly errors.Issue[];
    readonly retryAfterMs: number | undefined;
  };

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
  ] as readonly ErrorClass<Details>[];

const isWireError = ({ name, message, outcome }: Partial<WireError>): boolean =>
  [name, message, outcome].every(member => typeof member === 'string');

/**
 * Reads the error that the handler reports, which has retried its call as often as it may. A newer handler may report a
 * class that this page does not know.
 */
function reportedFailure(error: Partial<WireError>, response: HttpResponse): Failure {
  const { name, message, status = 0 } = error;
  const outcome = outcomes.find(each => each === error.outcome) ?? 'unknown';
  const fallback = (status ? errors.ApiError : errors.EmailMarketingError) as ErrorClass<Details>;
  const errorClass = errorClasses().find(each => each.prototype.name === name) ?? fallback;
  // What came as JSON has no member that is `undefined`.
  const defaults = { issues: [], retryAfterMs: undefined, limit: 'timeout', phase: 'head' } as const;
  const details = { ...defaults, ...error, status, response: responseOf(response) } as unknown as Details;
  return {
    errorClass,
    happened: '',
    message,
    outcome,
    isTransient: false,
    reason: name,
    // A failure without a status has that of the handler's response.
    status: status || response.status,
    details,
  };
}

const outcomes: readonly errors.Outcome[] = ['not-sent', 'refused', 'unknown', 'done'];

const responseOf = ({ status, headers }: HttpResponse): errors.ApiError['response'] => ({
  status,
  headers: headers(),
});

const redirectAdvice = `The visitor may no longer be signed in. ${advice}`;

/**
 * Something between the browser and the handler responded, or another address. A filter can respond once the handler has
 * acted, by most statuses.
 */
function otherFailure(kind: Effect['kind'], response: HttpResponse, json: unknown, { host }: URL): Failure {
  const { status, text } = response;
  const isRedirect = isRedirectStatus(status);
  const isTransient = isTransientStatus(status);
  const happened = isRedirect
    ? `${host} responded with a redirect, which is not followed`
    : `${status} from ${host}: not a response of createProxyHandler`;
  const errorClass = classOfStatus(status) as typeof errors.RateLimitError;
  return failure(errorClass, happened, {
    outcome: outcomeOfStatus(status, kind),
    status,
    body: json ?? text,
    response: responseOf(response),
    retryAfterMs: status === 429 || status === 503 ? requestedWaitMs(response.headers()) : undefined,
    advice: isRedirect ? redirectAdvice : isTransient ? undefined : advice,
  });
}
