import ky, {
  NetworkError as KyNetworkError,
  type Options as KyOptions,
  TimeoutError as KyTimeoutError,
} from 'ky';
import {
  type AttemptEnd,
  type AttemptLimits,
  limited,
  nextLimit,
  timeLeftMs,
  withoutResponse,
} from '../call/attempt.ts';
import type { AttemptContext } from '../call/call-steps.ts';
import { maxTimerMs, TimeLimitExceeded, withTimeout } from '../core/timers.ts';
import type { TimeoutError } from '../errors.ts';
import type { HttpResponse } from '../transport/fetch.ts';
import type { EncodedRequest, HttpMethod } from './endpoint.ts';
import type { ServiceInterface, ServiceSettings } from './service-settings.ts';

/** What one attempt sends. */
export interface ServiceRequest extends EncodedRequest {
  readonly method: HttpMethod;
}

/** ky as it is used: retries depend on the outcome and on whether a call is idempotent, and any status is a response. */
const http = /* @__PURE__ */ ky.create({ redirect: 'manual', retry: 0, throwHttpErrors: false });

/** How far an attempt came. */
interface Progress extends Pick<AttemptEnd, 'phase' | 'sentAt'> {
  /** Limit that ends it, which ky does not tell. Until the request is sent, ky keeps `totalTimeout` alone. */
  readonly limit: TimeoutError['limit'];
}

/**
 * Makes one attempt with ky, which builds the request, has it authenticated, and limits its time. Never throws.
 *
 * The order is: the headers of the options; then ky calls `authenticate` with the request that it has built, and passes
 * that to `sendRequest`; there the transport calls `onHead` when the head of the response has come, and returns the whole.
 */
export async function send(
  { method, path, query, body }: ServiceRequest,
  service: ServiceInterface,
  { redactor, transport, maxResponseBytes }: ServiceSettings,
  { limits, options: { headers }, previous, reportStart, atEnd }: AttemptContext,
): Promise<AttemptEnd> {
  let progress: Progress = { phase: 'headers', sentAt: performance.now(), limit: 'totalTimeout' };
  const authenticate = async ({ request }: { readonly request: Request }) => {
    progress = { ...progress, phase: 'key' };
    const { key, keyHeader } = service;
    const refused = previous.isKeyRefused;
    // A function has as long for the key as `timeout` allows.
    const loaded = typeof key === 'string' ? key : await limited(limits, () => key({ refused }));
    if (loaded !== key) atEnd(redactor.hold([loaded]));
    request.headers.set(keyHeader, loaded);
    if (limits.signal?.aborted) throw limits.signal.reason;
    progress = { phase: 'head', sentAt: performance.now(), limit: nextLimit(limits).name };
    reportStart();
  };
  const onHead = () => {
    progress = { ...progress, phase: 'body' };
  };
  const sendRequest = async (request: Request) => {
    const read = async (signal: AbortSignal) =>
      toKyResponse(await transport(request, body, { signal, maxBytes: maxResponseBytes, onHead }));
    if (!limits.signal) return read(request.signal);
    // Passed to ky, the caller's signal would keep memory of each attempt.
    return withTimeout(Number.POSITIVE_INFINITY, [limits.signal, request.signal], read);
  };
  try {
    const callHeaders = typeof headers === 'function' ? await limited(limits, headers) : headers;
    const secrets = redactor.secretsIn(callHeaders);
    if (secrets.length > 0) atEnd(redactor.hold(secrets));
    const contentType = body !== undefined && { 'content-type': 'application/json' };
    const response = await http(urlOf(service, path, query), {
      method,
      headers: { ...contentType, ...service.headers, ...callHeaders },
      ...kyLimits(limits),
      hooks: { beforeRequest: [authenticate] },
      fetch: sendRequest as typeof fetch,
    });
    const { phase, sentAt } = progress;
    return { phase, sentAt, endedAt: performance.now(), end: 'response', response: takeRead(response) };
  } catch (error) {
    const cause = error instanceof KyNetworkError ? error.cause : error;
    const thrown = cause instanceof KyTimeoutError ? new TimeLimitExceeded(progress.limit) : cause;
    return withoutResponse(progress, thrown, limits);
  }
}

/** Returns the time limits of ky, of which the one for the attempt begins once a function has returned the key. */
function kyLimits(limits: AttemptLimits): Pick<KyOptions, 'timeout' | 'totalTimeout'> {
  const leftMs = timeLeftMs(limits);
  if (leftMs === 0) throw new TimeLimitExceeded('totalTimeout');
  return { timeout: kyTimeout(Math.min(limits.timeout, leftMs)), totalTimeout: kyTimeout(leftMs) };
}

/** Returns a time limit as ky takes it; `false` for none. */
const kyTimeout = (ms: number): number | false => ms <= maxTimerMs && ms;

function urlOf({ url, query: common }: ServiceInterface, path: string, query: string): string {
  const search = [query, common].filter(Boolean).join('&');
  return `${url.href}${path}${search && '?'}${search}`;
}

/** An empty response that carries what was read. */
interface KyResponse extends Response {
  read?: HttpResponse | undefined;
}

/**
 * Makes the response that ky is given, and returns as it is: an empty one, which carries what the transport has read.
 * So `timeout` covers the body, and no body is written into a stream only to be read again, which is slow.
 */
function toKyResponse(read: HttpResponse): KyResponse {
  // A `Response` cannot have other statuses than these. `read` has the status that came.
  const status = read.status >= 200 && read.status <= 599 ? read.status : 200;
  return Object.assign(new Response(null, { status }), { read });
}

/** Takes what was read off the response that ky returned, which Node keeps in memory for long, with all it refers to. */
function takeRead(response: KyResponse): HttpResponse {
  const { read } = response;
  response.read = undefined;
  return read as HttpResponse;
}
