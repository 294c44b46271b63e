import { type ApiPromise, alreadyDeletedResult, type CallResult } from '../call/api-promise.ts';
import { type AttemptContext, type AttemptResult, limited, withoutResponse } from '../call/attempt.ts';
import { type Call, type CallRequest, type CallSettings, startCall } from '../call/call.ts';
import type { CallOptions } from '../call/call-options.ts';
import {
  type CallFailure,
  type ErrorClass,
  failure,
  noResponseFailure,
  unusableResponse,
} from '../call/failure.ts';
import { type CallTarget, type Effect, isIdempotent, requestedWaitMs } from '../call/retries.ts';
import { isRedirectStatus, meaningOf, outcomeOfStatus, scopeOfStatus } from '../call/status.ts';
import { isDate, parseJson, typeName } from '../core/json.ts';
import type { Issue, Outcome } from '../error-details.ts';
import {
  ApiError,
  type ApiErrorDetails,
  AuthenticationError,
  BadRequestError,
  CallAbortedError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  EmailMarketingError,
  InvalidRequestError,
  InvalidResponseError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from '../errors.ts';
import type { FetchFunction, HttpResponse } from '../transport/fetch.ts';
import { NetworkError } from '../transport/network-error.ts';
import { callIdHeader, retryHeader, retryValue, type WireError } from './protocol.ts';

/** Bytes of bodies of this page's own calls in flight, in all, up to which a request has `keepalive`: browsers allow 64 kB. */
const maxKeepaliveBytes = 60_000;

/** Bytes that each request counts at least, so that there are fewer than the 256 that browsers allow. */
const minKeepaliveBytes = 512;
let bytesInFlight = 0;

/** Makes calls to the handler on the user's server. Each attempt is one POST with the id of its call. */
export class HandlerCalls {
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

  perform(target: CallTarget, input: unknown, options?: CallOptions): ApiPromise<unknown> {
    return startCall(target, this.#url, this.#settings, options, async call => {
      const request = call.begin(encode(target, input));
      for (;;) {
        const attempt = await this.#send(request, call.id, call.nextAttempt());
        const result = readAttempt(target.kind, attempt, call);
        call.endAttempt(attempt, result);
        if ('data' in result) return result;
        await call.waitOrThrow(attempt, result);
      }
    });
  }

  /** Makes one attempt. A small request outlives its page; a retry does not: other scripts share the limit. */
  async #send(
    request: HandlerRequest,
    callId: string,
    { limits, headers, previous, reportStart }: AttemptContext,
  ): Promise<AttemptResult> {
    let progress: Pick<AttemptResult, 'phase' | 'sentAt'> = { phase: 'headers', sentAt: performance.now() };
    const { hasUnknownOutcome } = previous;
    try {
      // Without a function, nothing is awaited: the request is sent before the page can leave.
      const callHeaders = typeof headers === 'function' ? await limited(limits, headers) : headers;
      const fetch: FetchFunction | undefined = this.#fetch ?? globalThis.fetch;
      if (!fetch) throw new ConfigurationError('this runtime has no fetch: pass the option fetch.');
      if (!this.#hasPage) throw new ConfigurationError(noPage, { option: 'url' });
      const response = await limited(limits, async signal => {
        progress = { phase: 'head', sentAt: performance.now() };
        reportStart();
        const size = Math.max(new Blob([request.body]).size, minKeepaliveBytes);
        bytesInFlight += size;
        try {
          const response = await fetch(this.#url.href, {
            method: 'POST',
            headers: {
              ...callHeaders,
              [callIdHeader]: callId,
              'content-type': 'application/json',
              ...(hasUnknownOutcome && { [retryHeader]: retryValue }),
            },
            body: request.body,
            signal,
            redirect: 'manual',
            keepalive: bytesInFlight <= maxKeepaliveBytes && !hasUnknownOutcome,
          });
          progress = { ...progress, phase: 'body' };
          const text = await response.text();
          return { status: response.status, text, headers: headersOf(response.headers) };
        } catch (cause) {
          // What a given `fetch` threw can be its own mistake. A browser does not say why a request failed.
          throw new NetworkError(this.#fetch ? { cause } : {});
        } finally {
          bytesInFlight -= size;
        }
      });
      return { ...progress, endedAt: performance.now(), end: 'response', response };
    } catch (error) {
      return withoutResponse(progress, error, limits);
    }
  }
}

/** Returns what reads headers, and keeps nothing else of a response. */
const headersOf = (headers: unknown) => () => new Headers(headers as Headers);

/** What every attempt of a call sends to the handler. */
interface HandlerRequest extends CallRequest {
  readonly body: string;
}

const noPage = 'a relative url needs a web page: pass a whole URL, or call it in the browser only.';

/** Returns the request of a call. The handler checks the fields. */
function encode(target: CallTarget, input: unknown): HandlerRequest {
  // The time of an event, in Unix seconds.
  const { time } = Object(input);
  const sent = isDate(time) ? { ...Object(input), time: Math.floor(time.getTime() / 1000) } : input;
  return {
    // The query of the handler's address can hold a token.
    path: '',
    body: JSON.stringify({ operation: target.name, input: sent }),
    idempotent: isIdempotent(target, input),
    isPerformedOnce: true,
  };
}

const advice = 'Check the option url: createProxyHandler must respond there.';

/** Reads a response of the handler: `{ data }` or `{ error }`. Any other is judged by its status. */
function readAttempt(
  kind: Effect['kind'],
  attempt: AttemptResult,
  call: Call,
): CallResult<unknown> | CallFailure {
  if (attempt.end !== 'response') return noResponseFailure(call, attempt);
  const { response } = attempt;
  const { status, text, headers } = response;
  const json = parseJson(text);
  const { data, error }: Partial<Record<'data' | 'error', unknown>> = Object(json);
  // A server that has an envelope of its own sends `data: null` beside the reason of a failure.
  const isReply = data !== null || Object.keys(Object(json)).length === 1;
  if (status === 200 && data !== undefined && isReply) return { data, status, headers };
  const reported: Partial<WireError> = Object(error);
  if (status >= 400 && isWireError(reported)) {
    if (reported.notFound === true && kind === 'delete' && call.previous.hasUnknownOutcome)
      return alreadyDeletedResult();
    return reportedFailure(reported, response);
  }
  if (status >= 200 && status < 300) {
    const received = json === undefined ? 'no JSON' : typeName(json);
    const issue = { path: '', expected: 'a response of createProxyHandler', received };
    return unusableResponse(call, 'unknown', [issue], advice);
  }
  return otherFailure(kind, response, json, call.url);
}

/** Members that the constructors of all error classes take. */
type Details = ApiErrorDetails &
  Pick<TimeoutError, 'limit' | 'phase'> & {
    readonly issues: readonly Issue[];
    readonly retryAfterMs: number | undefined;
  };

const errorClasses = [
  EmailMarketingError,
  ConfigurationError,
  InvalidRequestError,
  InvalidResponseError,
  ConnectionError,
  TimeoutError,
  CallAbortedError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
] as unknown as readonly ErrorClass<Details>[];

const isWireError = ({ name, message, outcome }: Partial<WireError>): boolean =>
  [name, message, outcome].every(member => typeof member === 'string');

/** Reads an error of the handler, which has retried. A newer one may report a class that this page does not know. */
function reportedFailure(error: Partial<WireError>, response: HttpResponse): CallFailure {
  const { name, message, status = 0 } = error;
  const outcome = outcomes.find(each => each === error.outcome) ?? 'unknown';
  const fallback = (status ? ApiError : EmailMarketingError) as ErrorClass<Details>;
  const errorClass = errorClasses.find(each => each.prototype.name === name) ?? fallback;
  // What came as JSON has no member that is `undefined`.
  const defaults = { issues: [], limit: 'timeout', phase: 'head' } as const;
  // A failure without a status has that of the handler's response.
  const reported = { ...response, status: status || response.status };
  const details = { ...defaults, ...error, outcome, response: responseOf(reported) } as unknown as Details;
  return {
    ...failure(errorClass, '', { ...details, outcome }),
    message,
    reason: name,
    status: reported.status,
  };
}

const outcomes: readonly Outcome[] = ['not-sent', 'refused', 'unknown', 'done'];

const responseOf = ({ status, headers }: HttpResponse): ApiError['response'] => ({
  status,
  headers: headers(),
});

/** Something else than the handler responded. By most statuses, a filter can do so once the handler has acted. */
function otherFailure(
  kind: Effect['kind'],
  response: HttpResponse,
  json: unknown,
  { host }: URL,
): CallFailure {
  const { status, text } = response;
  const isRedirect = isRedirectStatus(status);
  const { errorClass, isTransient } = meaningOf(status);
  const happened = isRedirect
    ? `${host} responded with a redirect, which is not followed`
    : `${status} from ${host}: not a response of createProxyHandler`;
  return failure(errorClass, happened, {
    outcome: outcomeOfStatus(status, kind),
    isTransient,
    scope: scopeOfStatus(status, false),
    body: json ?? text,
    response: responseOf(response),
    retryAfterMs: status === 429 || status === 503 ? requestedWaitMs(response.headers()) : undefined,
    advice: isTransient ? undefined : advice,
  });
}
