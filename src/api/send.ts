import ky, {
  NetworkError as KyNetworkError,
  type Options as KyOptions,
  TimeoutError as KyTimeoutError,
} from 'ky';
import {
  type AttemptPhase,
  type AttemptResult,
  limited,
  nextLimit,
  type Previous,
  timeLeftMs,
  withoutResponse,
} from '../call/attempt.ts';
import type { Call } from '../call/call.ts';
import type { Redactor } from '../core/redactor.ts';
import { maxTimerMs, TimeLimitExceeded, withTimeout } from '../core/timers.ts';
import type { HttpResponse } from '../transport/fetch.ts';
import type { ApiInterface, ApiSettings } from './api-settings.ts';
import type { EncodedRequest, HttpMethod } from './operation.ts';

/** ky as it is used: retries depend on the outcome and on whether a call is idempotent, and any status is a response. */
const http = /* @__PURE__ */ ky.create({ redirect: 'manual', retry: 0, throwHttpErrors: false });

/** Makes one attempt with ky, which builds the request, has it authenticated, and limits its time. Never throws. */
export async function send(
  method: HttpMethod,
  { path, query, body }: EncodedRequest,
  api: ApiInterface,
  { redactor, send, maxResponseBytes }: ApiSettings,
  call: Call,
  { isKeyRefused }: Previous,
): Promise<AttemptResult> {
  const { signal, headers } = call.options;
  let phase: AttemptPhase = 'functions';
  let sentAt = performance.now();
  // The limit that ends the wait which has begun: ky does not tell.
  let limit = nextLimit(call).name;
  const authenticate = async ({ request }: { readonly request: Request }) => {
    limit = nextLimit(call).name;
    request.headers.set(api.keyHeader, await loadKey(api, isKeyRefused, redactor, call));
    if (signal?.aborted) throw signal.reason;
    phase = 'head';
    sentAt = performance.now();
    limit = nextLimit(call).name;
    call.reportRequest();
  };
  const onHead = () => {
    phase = 'body';
  };
  const sendRequest = async (request: Request) => {
    const read = async (signal: AbortSignal) =>
      asResponse(await send(request, body, { signal, maxBytes: maxResponseBytes, onHead }));
    if (!signal) return read(request.signal);
    // ky would keep memory on the caller's signal.
    return withTimeout(Number.POSITIVE_INFINITY, [signal, request.signal], read);
  };
  try {
    const callHeaders = typeof headers === 'function' ? await limited(call, headers) : headers;
    redactor.remember(redactor.secretsIn(callHeaders));
    const contentType = body !== undefined && { 'content-type': 'application/json' };
    const response = await http(urlOf(api, path, query), {
      method,
      headers: { ...contentType, ...api.headers, ...callHeaders },
      ...limitsOf(call, api),
      hooks: { beforeRequest: [authenticate] },
      fetch: request => sendRequest(request as Request),
    });
    return { phase, sentAt, endedAt: performance.now(), end: 'response', response: takeRead(response) };
  } catch (error) {
    const cause = error instanceof KyNetworkError ? error.cause : error;
    const thrown = cause instanceof KyTimeoutError ? new TimeLimitExceeded(limit) : cause;
    return withoutResponse({ phase, sentAt }, thrown, call);
  }
}

/** Returns the key, which a function has as long for as `timeout` allows. */
async function loadKey({ key }: ApiInterface, refused: boolean, redactor: Redactor, call: Call) {
  if (typeof key === 'string') return key;
  const loaded = await limited(call, () => key({ refused }));
  redactor.remember([loaded]);
  return loaded;
}

/** Returns the time limits of ky. Only a function for the key takes time before `timeout` begins. */
function limitsOf(call: Call, { key }: ApiInterface): Pick<KyOptions, 'timeout' | 'totalTimeout'> {
  const leftMs = timeLeftMs(call.endsAt);
  if (leftMs === 0) throw new TimeLimitExceeded('totalTimeout');
  const timeout = kyTimeout(Math.min(call.options.timeout, leftMs));
  return typeof key === 'function' ? { timeout, totalTimeout: kyTimeout(leftMs) } : { timeout };
}

function urlOf({ url, query: common }: ApiInterface, path: string, query: string): string {
  const search = [query, common].filter(Boolean).join('&');
  return `${url.href}${path}${search && '?'}${search}`;
}

/** Returns a time limit as ky takes it; `false` for none. */
const kyTimeout = (ms: number): number | false => ms <= maxTimerMs && ms;

/** Responses that were read, by what ky was given in their place. */
interface ReadResponse extends Response {
  read?: HttpResponse | undefined;
}

/** Makes a response for ky, which returns it as it is. Its body was read before, within ky's time limit. */
function asResponse(read: HttpResponse): Response {
  // A `Response` allows no other statuses than these.
  const status = read.status >= 200 && read.status <= 599 ? read.status : 200;
  return Object.assign(new Response(null, { status }), { read });
}

/** Takes what was read out of the response that ky returned: Node keeps that for long, and the body with it. */
function takeRead(response: ReadResponse): HttpResponse {
  const { read } = response;
  response.read = undefined;
  return read as HttpResponse;
}
