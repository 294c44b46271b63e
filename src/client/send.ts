import ky, {
  type BeforeRequestHook,
  NetworkError as KyNetworkError,
  type Options as KyOptions,
  TimeoutError as KyTimeoutError,
} from 'ky';
import { reportRequest } from '../call/call-events.ts';
import type { Call } from '../call/call-state.ts';
import {
  type SendProgress,
  type SendResult,
  timeLeftMs,
  wasAttempted,
  withinLimits,
  withoutResponse,
} from '../call/send-result.ts';
import { maxTimerMs, TimeLimitExceeded, throwIfAborted, withTimeout } from '../core/timers.ts';
import type { HttpResponse } from '../transport/fetch.ts';
import type { ServiceCall, ServiceInterface } from './service-settings.ts';

/** ky as it is used: retries depend on the outcome and on whether a call is idempotent, and any status is a response. */
const http = /* @__PURE__ */ ky.create({ redirect: 'manual', retry: 0, throwHttpErrors: false });

/** Sends a request once, with ky, which builds it, has it authenticated, and limits its time. Never throws. */
export async function send(call: ServiceCall): Promise<SendResult> {
  const { method, api } = call.endpoint;
  const { [api]: service, redactor, transport, maxResponseBytes: maxBytes } = call.settings;
  const { signal, headers } = call.options;
  const { path, query = '', body } = call.request;
  const progress: SendProgress = { phase: 'headers', sentAt: performance.now() };
  /** What the transport read. Emptied below: Node keeps what ky made, and with it these functions, for a while. */
  const read: HttpResponse[] = [];

  /** ky calls it when the request is built. */
  const authenticate: BeforeRequestHook = async ({ request }) => {
    progress.phase = 'key';
    const { key, keyHeader } = service;
    request.headers.set(keyHeader, typeof key === 'string' ? key : await loadKey(call, key));
    throwIfAborted(signal);
    progress.phase = 'connection';
    progress.sentAt = performance.now();
    reportRequest(call);
  };

  /** ky calls it then. The body is read here, so that `timeout` covers it: what ky gets is a response without one. */
  const sendAndRead = async (request: Request): Promise<Response> => {
    const onSend = () => {
      progress.phase = 'head';
    };
    const onHead = () => {
      progress.phase = 'body';
    };
    const response = await withCallersSignal(signal, request, linked =>
      transport(request, body, { signal: linked, maxBytes, onSend, onHead }),
    );
    read.push(response);
    return bareResponse(response.status);
  };

  try {
    const callHeaders = typeof headers === 'function' ? await withinLimits(call, headers) : headers;
    const secrets = redactor.secretsIn(callHeaders);
    if (secrets.length > 0) call.releases.push(redactor.hold(secrets));
    await http(urlOf(service, path, query), {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...service.headers,
        ...callHeaders,
      },
      ...kyLimits(call),
      hooks: { beforeRequest: [authenticate] },
      fetch: request => sendAndRead(request as Request),
    });
    const response = read.pop();
    if (!response) throw new TypeError('ky sent nothing');
    return { ...progress, endedAt: performance.now(), end: 'response', response };
  } catch (error) {
    return withoutResponse(call, progress, thrownBy(error, progress, call));
  }
}

/** Loads the key by a function, which has as long for it as `timeout` allows. */
async function loadKey(call: ServiceCall, key: Exclude<ServiceInterface['key'], string>): Promise<string> {
  const refused = call.failures.at(-1)?.isKeyRefused === true;
  const loaded = await withinLimits(call, () => key({ refused }));
  call.releases.push(call.settings.redactor.hold([loaded]));
  return loaded;
}

/** Runs a task until the caller's signal or ky's aborts. Passed to ky, the caller's would keep memory of each attempt. */
const withCallersSignal = <T>(
  signal: AbortSignal | undefined,
  request: Request,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> =>
  signal ? withTimeout(Number.POSITIVE_INFINITY, [signal, request.signal], task) : task(request.signal);

/** Returns a response without a body, of the status that came, if a `Response` can have it. */
const bareResponse = (status: number): Response =>
  new Response(null, { status: status >= 200 && status <= 599 ? status : 200 });

/** Returns the time limits of ky, of which the one for the attempt begins once a function has returned the key. */
function kyLimits(call: Call): Pick<KyOptions, 'timeout' | 'totalTimeout'> {
  const leftMs = timeLeftMs(call);
  if (leftMs === 0) throw new TimeLimitExceeded('totalTimeout');
  return { timeout: kyTimeout(Math.min(call.options.timeout, leftMs)), totalTimeout: kyTimeout(leftMs) };
}

/** Returns a time limit as ky takes it; `false` for none. */
const kyTimeout = (ms: number): number | false => ms <= maxTimerMs && ms;

/** Returns what ended an attempt, in place of the errors of ky, which hold the headers of the request. */
function thrownBy(error: unknown, { phase, sentAt }: SendProgress, { startedAt, options }: Call): unknown {
  const cause = error instanceof KyNetworkError ? error.cause : error;
  if (!(cause instanceof KyTimeoutError)) return cause;
  const attemptEndsFirst = sentAt + options.timeout <= startedAt + options.totalTimeout;
  // Until the request is passed to the transport, ky keeps only `totalTimeout`.
  return new TimeLimitExceeded(wasAttempted({ phase }) && attemptEndsFirst ? 'timeout' : 'totalTimeout');
}

function urlOf({ url, query: common }: ServiceInterface, path: string, query: string): string {
  const search = [query, common].filter(Boolean).join('&');
  return `${url.href}${path}${search && '?'}${search}`;
}
