import ky, { NetworkError as KyNetworkError, TimeoutError as KyTimeoutError } from 'ky';
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
import { maxTimerMs, TimeLimitExceeded, withSignals } from '../core/timers.ts';
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
  const { signal, timeout, headers } = call.options;
  let phase: AttemptPhase = 'functions';
  let sentAt = performance.now();
  // The limit that ends the wait which has begun: ky does not tell.
  let limit = nextLimit(call).name;
  try {
    const callHeaders = typeof headers === 'function' ? await limited(call, headers) : headers;
    redactor.remember(redactor.secretsIn(callHeaders));
    const leftMs = timeLeftMs(call.endsAt);
    if (leftMs === 0) throw new TimeLimitExceeded('totalTimeout');
    const response = await http(urlOf(api, path, query), {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...api.headers,
        ...callHeaders,
      },
      timeout: kyTimeout(Math.min(timeout, leftMs)),
      // Only a function for the key takes time before `timeout` begins.
      ...(typeof api.key === 'function' && { totalTimeout: kyTimeout(leftMs) }),
      hooks: {
        beforeRequest: [
          async ({ request }) => {
            let { key } = api;
            if (typeof key === 'function') {
              const load = key;
              limit = nextLimit(call).name;
              key = await limited(call, () => load({ refused: isKeyRefused }));
              redactor.remember([key]);
            }
            request.headers.set(api.keyHeader, key);
            if (signal?.aborted) throw signal.reason;
            phase = 'head';
            sentAt = performance.now();
            limit = nextLimit(call).name;
            call.reportRequest();
          },
        ],
      },
      fetch: async request => {
        const onHead = () => {
          phase = 'body';
        };
        const read = async (signal: AbortSignal) =>
          asResponse(await send(request as Request, body, { signal, maxBytes: maxResponseBytes, onHead }));
        // ky would keep memory on the caller's signal.
        const ofTimeout = (request as Request).signal;
        return signal ? withSignals([signal, ofTimeout], read) : read(ofTimeout);
      },
    });
    return { phase, sentAt, endedAt: performance.now(), end: 'response', response: takeRead(response) };
  } catch (error) {
    const cause = error instanceof KyNetworkError ? error.cause : error;
    const thrown = cause instanceof KyTimeoutError ? new TimeLimitExceeded(limit) : cause;
    return withoutResponse({ phase, sentAt }, thrown, call);
  }
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
