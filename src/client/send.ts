import ky, {
  type BeforeRequestHook,
  NetworkError as KyNetworkError,
  type Options as KyOptions,
  TimeoutError as KyTimeoutError,
} from 'ky';
import { reportRequest } from '../call/call-events.ts';
import type { Call } from '../call/call-state.ts';
import {
  type SendPhase,
  type SendProgress,
  type SendResult,
  wasAttempted,
  withoutResponse,
} from '../call/send-result.ts';
import { timeLeftMs, withinLimits } from '../call/time-limits.ts';
import { maxTimerMs, TimeLimitExceeded, throwIfAborted, withTimeout } from '../core/timers.ts';
import type { HttpResponse } from '../transport/fetch.ts';
import type { ServiceApi, ServiceCall } from './service-settings.ts';

/**
 * ky builds, authenticates and limits one request. This library retries, depending on outcome and operation, and reads
 * a failed status like any response.
 */
const http = /* @__PURE__ */ ky.create({ redirect: 'manual', retry: 0, throwHttpErrors: false });

/** Sends the request once. ky builds it, calls the hook that authenticates it, and limits its time. Never throws. */
export async function send(call: ServiceCall): Promise<SendResult> {
  const { redactor, transport, maxResponseBytes: maxBytes } = call.settings;
  const api = call.settings[call.endpoint.api];
  const { signal, headers } = call.options;
  const { body } = call.request;
  const progress: SendProgress = { phase: 'headers function', sentAt: performance.now() };
  /** The response bypasses ky through this list. It is emptied below, because Node keeps these closures for a while. */
  const responses: HttpResponse[] = [];

  /** ky calls this once it has built the request. */
  const authenticate: BeforeRequestHook = async ({ request }) => {
    progress.phase = 'key function';
    const { key, keyHeader } = api;
    request.headers.set(keyHeader, typeof key === 'string' ? key : await loadKey(call, key));
    throwIfAborted(signal);
    progress.phase = 'connection';
    progress.sentAt = performance.now();
    reportRequest(call);
  };

  /**
   * ky calls this in place of `fetch`. The body is read here, so that `timeout` covers it. ky gets an empty response:
   * reading the body again through ky would make a POST 1.4 times as expensive.
   */
  const sendAndRead = async (request: Request): Promise<Response> => {
    const onPhase = (phase: SendPhase) => () => {
      progress.phase = phase;
    };
    const [onSend, onHead] = [onPhase('head'), onPhase('body')];
    const response = await withCallersSignal(signal, request, linked =>
      transport(request, body, { signal: linked, maxBytes, onSend, onHead }),
    );
    responses.push(response);
    return new Response();
  };

  try {
    const callHeaders = typeof headers === 'function' ? await withinLimits(call, headers) : headers;
    const secrets = redactor.secretsIn(callHeaders);
    if (secrets.length > 0) call.releases.push(redactor.hold(secrets));
    await http(requestUrl(call, api), {
      method: call.endpoint.method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...api.headers,
        ...callHeaders,
      },
      ...kyLimits(call),
      hooks: { beforeRequest: [authenticate] },
      fetch: request => sendAndRead(request as Request),
    });
    const response = responses.pop() as HttpResponse;
    return { ...progress, endedAt: performance.now(), end: 'response', response };
  } catch (error) {
    return withoutResponse(call, progress, thrownBy(error, progress, call));
  }
}

/** Calls the user's key function, with the time limit `timeout`. */
async function loadKey(call: ServiceCall, key: Exclude<ServiceApi['key'], string>): Promise<string> {
  const refused = call.failures.at(-1)?.isKeyRefused === true;
  const loaded = await withinLimits(call, () => key({ refused }));
  call.releases.push(call.settings.redactor.hold([loaded]));
  return loaded;
}

/**
 * Runs a task until the caller's or ky's signal aborts. If ky got the caller's signal, it would keep each attempt in
 * memory.
 */
const withCallersSignal = <T>(
  signal: AbortSignal | undefined,
  request: Request,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> =>
  signal ? withTimeout(Number.POSITIVE_INFINITY, [signal, request.signal], task) : task(request.signal);

/** Returns the time limits for ky. `timeout` starts once the key is loaded, `totalTimeout` immediately. */
function kyLimits(call: Call): Pick<KyOptions, 'timeout' | 'totalTimeout'> {
  const leftMs = timeLeftMs(call);
  if (leftMs === 0) throw new TimeLimitExceeded('totalTimeout');
  return { timeout: kyTimeout(Math.min(call.options.timeout, leftMs)), totalTimeout: kyTimeout(leftMs) };
}

/** Returns a time limit for ky; `false` for none. */
const kyTimeout = (ms: number): number | false => ms <= maxTimerMs && ms;

/** Returns the cause of a failed attempt. Errors of ky contain request headers, so they never leave this file. */
function thrownBy(error: unknown, { phase, sentAt }: SendProgress, { startedAt, options }: Call): unknown {
  const cause = error instanceof KyNetworkError ? error.cause : error;
  if (!(cause instanceof KyTimeoutError)) return cause;
  const attemptEndsFirst = sentAt + options.timeout <= startedAt + options.totalTimeout;
  // Before the transport gets the request, only `totalTimeout` can end it.
  return new TimeLimitExceeded(wasAttempted(phase) && attemptEndsFirst ? 'timeout' : 'totalTimeout');
}

function requestUrl({ url, request }: Call, api: ServiceApi): string {
  const search = [request.query, api.query].filter(Boolean).join('&');
  return `${url.href}${request.path}${search && '?'}${search}`;
}
