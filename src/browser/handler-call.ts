import { alreadyDeletedResult, type CallResult } from '../call/api-promise.ts';
import { endAttempt, failCall, retryOrThrow, setOptions, startCall } from '../call/call.ts';
import { callIdOf, reportRequest, reportSuccess } from '../call/call-events.ts';
import type { CallOptions } from '../call/call-options.ts';
import type {
  Answer,
  Call,
  CallEndpoint,
  CallFailure,
  CallRequest,
  CallSettings,
  Effect,
} from '../call/call-state.ts';
import { failure, isErrorName, noResponseFailure, unusableResponseFailure } from '../call/failure.ts';
import { hasUnknownOutcome, isIdempotent, requestedWaitMs } from '../call/retries.ts';
import { type SendProgress, type SendResult, withoutResponse } from '../call/send-result.ts';
import { meaningOf } from '../call/status.ts';
import { withinLimits } from '../call/time-limits.ts';
import { invalidRequestError } from '../core/issues.ts';
import { isDate, jsonIssue, parseJson, typeName } from '../core/json.ts';
import type { Outcome } from '../error-details.ts';
import { ConfigurationError } from '../errors.ts';
import type { OperationResults } from '../resources/operation-types.ts';
import { type OperationName, operations } from '../resources/operations.ts';
import { type FetchFunction, type HttpResponse, lazyHeaders } from '../transport/fetch.ts';
import { NetworkError } from '../transport/network-error.ts';
import { callIdHeader, retryHeader, retryValue, type WireError } from './protocol.ts';

/** Maximum total size of bodies in flight for which requests have `keepalive`, in bytes. Browsers allow 64 kB. */
const maxKeepaliveBytes = 60_000;

/** Minimum size counted for a request, in bytes, so that there are fewer than the 256 that browsers allow. */
const minKeepaliveBytes = 512;
let bytesInFlight = 0;

/** Settings that all calls of a browser client share. */
export interface HandlerSettings extends CallSettings {
  /** Address of the handler. */
  readonly url: URL;
  /** Replaces the global `fetch`. */
  readonly fetch: FetchFunction | undefined;
  /** `false` on a server, where a relative URL cannot be resolved. */
  readonly hasPage: boolean;
}

type HandlerCall = Call<CallEndpoint, HandlerSettings>;

/** Calls the handler: encodes the input, and posts it until a response contains data. */
export async function callHandler<Name extends OperationName>(
  name: Name,
  input: unknown,
  options: CallOptions | undefined,
  settings: HandlerSettings,
): Promise<CallResult<OperationResults[Name]>> {
  const call = startCall({ name, method: 'POST', path: '', ...operations[name] }, settings.url, settings);
  try {
    setOptions(call, options);
    call.request = encodeForHandler(call.endpoint, input);
    for (;;) {
      const sent = await post(call);
      const answer = readReply(call, sent);
      endAttempt(call, sent, answer);
      if ('data' in answer) {
        reportSuccess(call);
        // The handler has parsed the data, and its option `output` may have changed the type.
        return answer as CallResult<OperationResults[Name]>;
      }
      await retryOrThrow(call, sent);
    }
  } catch (error) {
    failCall(call, error);
    throw error;
  }
}

/** Posts a request once. Small requests, except retries, complete even if the visitor navigates away. */
async function post(call: HandlerCall): Promise<SendResult> {
  const { settings } = call;
  const { headers } = call.options;
  const { body = '' } = call.request;
  const progress: SendProgress = { phase: 'headers function', sentAt: performance.now() };
  const isRetry = hasUnknownOutcome(call.failures);
  try {
    // Without a function, nothing is awaited, so that the request is sent before the visitor can navigate away.
    const callHeaders = typeof headers === 'function' ? await withinLimits(call, headers) : headers;
    const fetch: FetchFunction = settings.fetch ?? globalThis.fetch;
    if (!settings.hasPage) throw new ConfigurationError(noPage, { option: 'url' });
    const response = await withinLimits(call, async signal => {
      progress.phase = 'head';
      progress.sentAt = performance.now();
      reportRequest(call);
      const size = Math.max(new Blob([body]).size, minKeepaliveBytes);
      bytesInFlight += size;
      try {
        const response = await fetch(call.url.href, {
          method: 'POST',
          headers: {
            ...callHeaders,
            [callIdHeader]: callIdOf(call),
            'content-type': 'application/json',
            ...(isRetry && { [retryHeader]: retryValue }),
          },
          body,
          signal,
          redirect: 'manual',
          keepalive: globalThis.location !== undefined && bytesInFlight <= maxKeepaliveBytes && !isRetry,
        });
        progress.phase = 'body';
        const text = await response.text();
        return { status: response.status, text, headers: lazyHeaders(response.headers) };
      } catch (cause) {
        // An error of a user's `fetch` is kept as the cause. A browser's error does not explain the failure.
        throw new NetworkError(settings.fetch ? { cause } : {});
      } finally {
        bytesInFlight -= size;
      }
    });
    return { ...progress, endedAt: performance.now(), end: 'response', response };
  } catch (error) {
    return withoutResponse(call, progress, error);
  }
}

const noPage = 'url must be absolute outside a web page.';

/**
 * Returns the request of a call. Only values that JSON cannot represent are rejected here; the handler validates the
 * rest.
 */
function encodeForHandler(endpoint: CallEndpoint, input: unknown): CallRequest {
  // The time of an event, in Unix seconds.
  const { time } = Object(input);
  const sent = isDate(time) ? { ...Object(input), time: Math.floor(time.getTime() / 1000) } : input;
  const issue = jsonIssue(sent);
  if (issue) throw invalidRequestError(endpoint.name, [issue]);
  return {
    // Events omit the handler's address, because its query can contain a token.
    path: '',
    body: JSON.stringify({ operation: endpoint.name, input: sent }),
    idempotent: isIdempotent(endpoint, input),
    isPerformedOnce: true,
  };
}

const checkUrl = 'Check the option url: createProxyHandler must respond there.';

/** Reads a response of the handler, `{ data }` or `{ error }`. Other responses are failures by their status. */
function readReply(call: Call, sent: SendResult): Answer {
  if (sent.end !== 'response') return noResponseFailure(call, sent);
  const { kind } = call.endpoint;
  const { response } = sent;
  const { status, text, headers } = response;
  const json = parseJson(text);
  const { data, error }: Partial<Record<'data' | 'error', unknown>> = Object(json);
  // `data: null` with other members is an error of another server, not a result.
  const isReply = data !== null || Object.keys(Object(json)).length === 1;
  if (status === 200 && data !== undefined && isReply) return { data, status, headers };
  if (status >= 400 && isWireError(error)) {
    if (error.notFound === true && kind === 'delete' && hasUnknownOutcome(call.failures))
      return alreadyDeletedResult(status, headers);
    return reportedFailure(error, response);
  }
  if (status >= 200 && status < 300) {
    const received = json === undefined ? 'no JSON' : typeName(json);
    const issue = { path: '', expected: 'a response from createProxyHandler', received };
    return unusableResponseFailure(call, 'unknown', [issue], checkUrl);
  }
  return otherFailure(kind, response, json, call.url);
}

/**
 * Returns `true` for an error of the handler. Only members that affect the call are checked; the user's own server is
 * trusted for the rest.
 */
const isWireError = (error: unknown): error is WireError => {
  const { name, message, outcome } = Object(error);
  return [name, message, outcome].every(member => typeof member === 'string');
};

/** Converts an error of the handler, which has already retried, to a failure. */
function reportedFailure(error: WireError, response: HttpResponse): CallFailure {
  const { name, status = response.status, body } = error;
  // An abort on the server is not an abort of this page.
  const isKnown = isErrorName(name) && name !== 'CallAbortedError';
  return failure(isKnown ? name : 'EmailMarketingError', {
    ...error,
    summary: '',
    outcome: knownOutcomes.find(each => each === error.outcome) ?? 'unknown',
    retryable: error.retryable === true,
    reason: name,
    status,
    body,
    issues: error.issues ?? [],
    limit: error.limit ?? 'timeout',
    phase: error.phase ?? 'head',
    response: { status, headers: response.headers() },
  });
}

/** Outcomes that the page accepts. Any other text becomes `unknown`. */
const knownOutcomes: readonly Outcome[] = ['not-sent', 'refused', 'done'];

/**
 * Returns the failure of a response that is not from the handler. With most statuses, the handler may already have
 * acted.
 */
function otherFailure(kind: Effect['kind'], response: HttpResponse, json: unknown, url: URL): CallFailure {
  const { status, text } = response;
  const headers = response.headers();
  const meaning = meaningOf(status, json === undefined ? 'not JSON' : 'other JSON', kind);
  return failure(meaning.errorName, {
    ...meaning,
    // Browsers hide the status of a redirect.
    summary: `${status || 'a redirect'} from ${url.host}: not a response from createProxyHandler`,
    retryAfterMs: status === 429 || status === 503 ? requestedWaitMs(headers) : undefined,
    advice: meaning.isTransient ? undefined : checkUrl,
    body: json ?? text,
    response: { status, headers },
  });
}
