import { parseJson, typeName } from '../../core/json.ts';
import { noSecrets } from '../../core/redactor.ts';
import * as errors from '../../errors.ts';
import type { ServiceApi } from '../../http/call.ts';
import {
  classByStatus,
  classOfStatus,
  connectionFailure,
  type Failure,
  invalidResponse,
  isRefusal,
  isTransientStatus,
  noResponseFailure,
  notSentFailure,
} from '../../http/failure.ts';
import type { FetchFunction } from '../../http/fetch.ts';
import type { Operation } from '../../http/operation.ts';
import { FetchMistake, mistakeFailure } from '../../http/response/fetch-mistake.ts';
import { isRedirectStatus, requestedWaitMs, type Success } from '../../http/response.ts';
import { callFetch } from '../../http/transport/call-fetch.ts';
import { type HttpResponse, jsonType, type Transport, withLimits } from '../../http/transport.ts';
import { callIdHeader, isRetry, makeCallId, retryHeader, type WireError } from '../protocol.ts';
import { RefusedRequest, sendFromPage } from './refused-request.ts';

/** Returns a handler as an API of one address: each attempt of a call is one POST with the id of that call. */
export const handlerApi = (url: URL, transport: Transport): ServiceApi => ({
  url,
  performsOnce: true,
  encodeInput: ({ name }, input) => ({
    // The query of the handler's address can hold a token.
    path: '',
    query: '',
    body: JSON.stringify({ operation: name, input }),
    headers: { [callIdHeader]: makeCallId() },
  }),
  transport,
  readResponse: readProxyResponse,
  failureOf: (error, { phase }) => {
    if (error instanceof FetchMistake) return mistakeFailure(error.cause);
    if (error instanceof RefusedRequest) return refusedFailure(url.host);
    return phase === 'queue' ? notSentFailure(error, noSecrets) : noResponseFailure(url.host, phase);
  },
});

const refusedFailure = (host: string): Failure =>
  connectionFailure(
    'not-sent',
    undefined,
    `the browser did not send the request to ${host}`,
    'Check that it is online, and that the content security policy of the page allows the request.',
  );

/** Bytes of bodies in flight, in all, above which browsers reject a request with `keepalive`. */
const maxKeepaliveBytes = 65_536;

/** Bytes that each request counts at least, so that there are 128: browsers reject more than 256 as well. */
const minKeepaliveBytes = 512;
let bytesInFlight = 0;

/**
 * Returns a transport over a `fetch`. The global one is looked up at each request. A small request outlives its web page; a
 * retry does not, nor does one that the browser has refused, because other scripts of the page may have used up the bytes
 * that browsers allow.
 */
export const fetchTransport =
  (url: URL, hasPage: boolean, fetchOption: FetchFunction | undefined): Transport =>
  ({ method, headers, body = '' }, attempt) =>
    withLimits(attempt, async signal => {
      const fetch: FetchFunction | undefined = fetchOption ?? globalThis.fetch;
      if (!fetch) throw new errors.ConfigurationError('this runtime has no fetch: pass the option fetch.');
      if (!hasPage) throw new errors.ConfigurationError(noPage, { option: 'url' });
      attempt.begin();
      const size = Math.max(new Blob([body]).size, minKeepaliveBytes);
      bytesInFlight += size;
      const init = {
        method,
        headers: { ...headers, ...jsonType, ...(attempt.mayHaveActed && { [retryHeader]: isRetry }) },
        body,
        signal,
        redirect: 'manual',
      } as const;
      const send = (keepalive: boolean) =>
        callFetch(fetch, fetchOption !== undefined, url.href, { ...init, keepalive });
      const keepalive = bytesInFlight < maxKeepaliveBytes && !attempt.mayHaveActed;
      // What it means to fail at once is only known of the browser's own `fetch`.
      const isOfBrowser = !fetchOption && typeof globalThis.navigator?.onLine === 'boolean';
      try {
        const response = await (isOfBrowser ? sendFromPage(send, keepalive) : send(keepalive));
        attempt.phase = 'body';
        const text = await response.text();
        return { status: response.status, text, headers: () => new Headers(response.headers as Headers) };
      } finally {
        bytesInFlight -= size;
      }
    });

const noPage = 'a relative url needs a web page: pass a whole URL, or call it in the browser only.';

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

const advice = 'Check the option url: createProxyHandler must respond there.';
const redirectAdvice = `The visitor may no longer be signed in. ${advice}`;

/** Reads a response of the handler: `{ data }` or `{ error }`. Any other response is an error by its status. */
function readProxyResponse(response: HttpResponse, { kind }: Operation): Success | Failure {
  const { status, text, headers } = response;
  const json = parseJson(text);
  const { data, error }: Partial<Record<'data' | 'error', unknown>> = Object(json);
  // A server that has an envelope of its own sends `data: null` beside the reason of a failure.
  const isReply = data !== null || Object.keys(Object(json)).length === 1;
  if (status === 200 && data !== undefined && isReply) return { ok: true, json: data, status, headers };
  const failure = status >= 400 && handlerFailure(Object(error), response);
  if (failure) return failure;
  if (status >= 200 && status < 300) {
    const received = json === undefined ? 'no JSON' : typeName(json);
    const issue = { path: '', expected: 'a response of createProxyHandler', received };
    return invalidResponse('unknown', status, [issue], advice);
  }
  return otherFailure(response, json, kind);
}

/**
 * Returns the failure that the handler reports; `undefined` for anything else. The handler's client has retried the call
 * as often as it may, so the browser client does not. A newer handler may report a class that this page does not know.
 */
function handlerFailure(error: Partial<WireError>, response: HttpResponse): Failure | undefined {
  const { name, message, outcome, status = 0 } = error;
  if (typeof name !== 'string' || typeof message !== 'string' || typeof outcome !== 'string')
    return undefined;
  const fallback: ErrorClass = status ? errors.ApiError : errors.EmailMarketingError;
  const errorClass = errorClasses().find(each => each.prototype.name === name) ?? fallback;
  // What came as JSON has no member that is `undefined`.
  const defaults = { issues: [], retryAfterMs: undefined, limit: 'timeout', phase: 'head' } as const;
  const members = { ...defaults, ...error, status, body: undefined, response: responseOf(response) };
  const fields = members as Details;
  return {
    ok: false,
    outcome,
    status,
    reason: name,
    transient: false,
    notFound: error.notFound === true,
    message: () => message,
    toError: (_message, details) => new errorClass(message, { ...fields, ...details }),
  };
}

const responseOf = ({ status, headers }: HttpResponse): errors.ApiError['response'] => ({
  status,
  headers: headers(),
});

/**
 * Something between the browser and the handler responded, or nothing is mounted at the address. A filter can respond
 * once the handler has acted, by most statuses.
 */
function otherFailure(response: HttpResponse, json: unknown, kind: Operation['kind']): Failure {
  const { status, text, headers } = response;
  const retryAfterMs = requestedWaitMs(headers());
  const transient = isTransientStatus(status);
  const isRedirect = isRedirectStatus(status);
  const fields = { status, body: json ?? text, response: responseOf(response), retryAfterMs };
  return {
    ok: false,
    outcome: isRefusal(status) || (kind === 'read' && status >= 400 && !transient) ? 'refused' : 'unknown',
    status,
    retryAfterMs,
    transient,
    message: host =>
      isRedirect
        ? `${host} responded with a redirect, which is not followed`
        : `${status} from ${host}: not a response of createProxyHandler`,
    advice: isRedirect ? redirectAdvice : transient ? undefined : advice,
    toError: (message, details) => new (classOfStatus(status))(message, { ...details, ...fields }),
  };
}
