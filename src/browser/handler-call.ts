import { alreadyDeletedResult, type CallResult } from '../call/api-promise.ts';
import { endAttempt, failCall, retryOrThrow, setOptions, startCall } from '../call/call.ts';
import { reportRequest, reportSuccess } from '../call/call-events.ts';
import type { CallOptions } from '../call/call-options.ts';
import type {
  Call,
  CallEndpoint,
  CallFailure,
  CallRequest,
  CallSettings,
  Effect,
} from '../call/call-state.ts';
import { failure, isErrorName, noResponseFailure, unusableResponse } from '../call/failure.ts';
import { hasUnknownOutcome, isIdempotent, requestedWaitMs } from '../call/retries.ts';
import { type SendProgress, type SendResult, withinLimits, withoutResponse } from '../call/send-result.ts';
import { meaningOf } from '../call/status.ts';
import { invalidRequest } from '../core/issues.ts';
import { isDate, jsonIssue, parseJson, typeName } from '../core/json.ts';
import type { Outcome } from '../error-details.ts';
import { ConfigurationError } from '../errors.ts';
import type { OperationResults } from '../resources/operation-types.ts';
import { type OperationName, operations } from '../resources/operations.ts';
import { type FetchFunction, type HttpResponse, lazyHeaders } from '../transport/fetch.ts';
import { NetworkError } from '../transport/network-error.ts';
import { callIdHeader, retryHeader, retryValue, type WireError } from './protocol.ts';

/** Bytes of bodies of this page's own calls in flight, in all, up to which a request has `keepalive`: browsers allow 64 kB. */
const maxKeepaliveBytes = 60_000;

/** Bytes that each request counts at least, so that there are fewer than the 256 that browsers allow. */
const minKeepaliveBytes = 512;
let bytesInFlight = 0;

/** Settings of a browser client, as its calls to the handler on the user's server get them. */
export interface HandlerSettings extends CallSettings {
  /** Address of the handler. */
  readonly url: URL;
  /** Given in place of the global `fetch`. */
  readonly fetch: FetchFunction | undefined;
  /** `false` on a server, where a relative URL leads nowhere. */
  readonly hasPage: boolean;
}

type HandlerCall = Call<CallEndpoint, HandlerSettings>;

/** Calls the handler: encodes the input, and posts it until a reply has data. */
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
      const received = readReply(call, sent);
      endAttempt(call, sent, received);
      if ('data' in received) {
        reportSuccess(call);
        // The handler has parsed it. What its option `output` makes of that, only the page can know.
        return received as CallResult<OperationResults[Name]>;
      }
      await retryOrThrow(call, sent);
    }
  } catch (error) {
    failCall(call, error);
    throw error;
  }
}

/** Posts a request once. A small one outlives its page; a retry does not: other scripts share the limit. */
async function post(call: HandlerCall): Promise<SendResult> {
  const { settings } = call;
  const { headers } = call.options;
  const { body = '' } = call.request;
  const progress: SendProgress = { phase: 'headers', sentAt: performance.now() };
  const isRetry = hasUnknownOutcome(call.failures);
  try {
    // Without a function, nothing is awaited: the request is sent before the page can leave.
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
        const response = await fetch(settings.url.href, {
          method: 'POST',
          headers: {
            ...callHeaders,
            [callIdHeader]: call.id(),
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
        // What a given `fetch` threw can be its own mistake. A browser does not say why a request failed.
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

const noPage = 'url must be absolute outside of a web page.';

/** Returns the request of a call. The handler checks the fields, as far as JSON can hold them. */
function encodeForHandler(endpoint: CallEndpoint, input: unknown): CallRequest {
  // The time of an event, in Unix seconds.
  const { time } = Object(input);
  const sent = isDate(time) ? { ...Object(input), time: Math.floor(time.getTime() / 1000) } : input;
  const issue = jsonIssue(sent);
  if (issue) throw invalidRequest(endpoint.name, [issue]);
  return {
    // The query of the handler's address can hold a token.
    path: '',
    body: JSON.stringify({ operation: endpoint.name, input: sent }),
    idempotent: isIdempotent(endpoint, input),
    isPerformedOnce: true,
  };
}

const checkUrl = 'Check the option url: createProxyHandler must respond there.';

/** Reads a response of the handler: `{ data }` or `{ error }`. Any other is judged by its status. */
function readReply(call: Call, sent: SendResult): CallResult<unknown> | CallFailure {
  if (sent.end !== 'response') return noResponseFailure(call, sent);
  const { kind } = call.endpoint;
  const { response } = sent;
  const { status, text, headers } = response;
  const json = parseJson(text);
  const { data, error }: Partial<Record<'data' | 'error', unknown>> = Object(json);
  // A server that has an envelope of its own sends `data: null` beside the reason of a failure.
  const isReply = data !== null || Object.keys(Object(json)).length === 1;
  if (status === 200 && data !== undefined && isReply) return { data, status, headers };
  if (status >= 400 && isWireError(error)) {
    if (error.notFound === true && kind === 'delete' && hasUnknownOutcome(call.failures))
      return alreadyDeletedResult(status, headers);
    return reportedFailure(error, response);
  }
  if (status >= 200 && status < 300) {
    const received = json === undefined ? 'no JSON' : typeName(json);
    const issue = { path: '', expected: 'a response of createProxyHandler', received };
    return unusableResponse(call, 'unknown', [issue], checkUrl);
  }
  return otherFailure(kind, response, json, call.url);
}

/**
 * Returns `true` for an error of the handler. Only what decides is checked: the rest comes from the user's own server, and is
 * shown as it came.
 */
const isWireError = (error: unknown): error is WireError => {
  const { name, message, outcome } = Object(error);
  return [name, message, outcome].every(member => typeof member === 'string');
};

/** Makes the failure of an error of the handler, which has retried. */
function reportedFailure(error: WireError, response: HttpResponse): CallFailure {
  const { name, status = response.status, body } = error;
  // No signal of this page aborted the call.
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

/** Those that a page knows. An outcome of any other text is `unknown`. */
const knownOutcomes: readonly Outcome[] = ['not-sent', 'refused', 'done'];

/** Something else than the handler responded. By most statuses, a filter can do so once the handler has acted. */
function otherFailure(
  kind: Effect['kind'],
  response: HttpResponse,
  json: unknown,
  { host }: URL,
): CallFailure {
  const { status, text } = response;
  const headers = response.headers();
  const meaning = meaningOf(status, json === undefined ? 'not JSON' : 'other JSON', kind);
  return failure(meaning.errorName, {
    ...meaning,
    // A browser hides the status of a redirect.
    summary: `${status || 'a redirect'} from ${host}: not a response of createProxyHandler`,
    retryAfterMs: status === 429 || status === 503 ? requestedWaitMs(headers) : undefined,
    advice: meaning.isTransient ? undefined : checkUrl,
    body: json ?? text,
    response: { status, headers },
  });
}
