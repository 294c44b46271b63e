import ky, {
  NetworkError as KyNetworkError,
  type Options as KyOptions,
  TimeoutError as KyTimeoutError,
} from 'ky';
import {
  type AttemptEnd,
  type AttemptLimits,
  limited,
  timeLeftMs,
  wasSent,
  withoutResponse,
} from '../call/attempt.ts';
import type { AttemptContext } from '../call/call-steps.ts';
import { endedByKey } from '../call/retries.ts';
import type { Redactor } from '../core/redactor.ts';
import { maxTimerMs, TimeLimitExceeded, withTimeout } from '../core/timers.ts';
import type { HttpResponse } from '../transport/fetch.ts';
import type { EncodedRequest, HttpMethod } from './endpoint.ts';
import type { ServiceInterface, ServiceSettings } from './service-settings.ts';

/** What one attempt sends. */
export interface ServiceRequest extends EncodedRequest {
  readonly method: HttpMethod;
}

/** ky as it is used: retries depend on the outcome and on whether a call is idempotent, and any status is a response. */
const http = /* @__PURE__ */ ky.create({ redirect: 'manual', retry: 0, throwHttpErrors: false });

/**
 * Makes one attempt with ky, which builds the request, has it authenticated, and limits its time. Never throws. ky calls the
 * hook and the `fetch` in the order in which they stand here.
 */
export async function send(
  { method, path, query, body }: ServiceRequest,
  service: ServiceInterface,
  { redactor, transport, maxResponseBytes: maxBytes }: ServiceSettings,
  context: AttemptContext,
): Promise<AttemptEnd> {
  const {
    limits,
    options: { headers },
  } = context;
  let progress: Progress = { phase: 'headers', sentAt: performance.now() };
  try {
    const contentType = body !== undefined && { 'content-type': 'application/json' };
    const callHeaders = typeof headers === 'function' ? await limited(limits, headers) : headers;
    const secrets = redactor.secretsIn(callHeaders);
    if (secrets.length > 0) context.atEnd(redactor.hold(secrets));
    const response = await http(urlOf(service, path, query), {
      method,
      headers: { ...contentType, ...service.headers, ...callHeaders },
      ...kyLimits(limits),
      hooks: {
        beforeRequest: [
          async ({ request }) => {
            progress = { ...progress, phase: 'key' };
            const { key, keyHeader } = service;
            request.headers.set(
              keyHeader,
              typeof key === 'string' ? key : await loadKey(key, context, redactor),
            );
            if (limits.signal?.aborted) throw limits.signal.reason;
            progress = { phase: 'head', sentAt: performance.now() };
            context.reportStart();
          },
        ],
      },
      fetch: async request => {
        const onHead = () => {
          progress = { ...progress, phase: 'body' };
        };
        const read = (signal: AbortSignal) =>
          transport(request as Request, body, { signal, maxBytes, onHead });
        return new ReadResponse(await withCallersSignal(limits, request as Request, read));
      },
    });
    return { ...progress, endedAt: performance.now(), end: 'response', response: takeRead(response) };
  } catch (error) {
    return withoutResponse(progress, thrownBy(error, progress, limits), limits);
  }
}

/** How far an attempt came. */
type Progress = Pick<AttemptEnd, 'phase' | 'sentAt'>;

/** Loads the key by a function, which has as long for it as `timeout` allows. */
async function loadKey(
  key: Exclude<ServiceInterface['key'], string>,
  { limits, failures, atEnd }: AttemptContext,
  redactor: Redactor,
): Promise<string> {
  const loaded = await limited(limits, () => key({ refused: endedByKey(failures) }));
  atEnd(redactor.hold([loaded]));
  return loaded;
}

/** Runs a task until the caller's signal or ky's aborts. Passed to ky, the caller's would keep memory of each attempt. */
const withCallersSignal = <T>(
  { signal }: AttemptLimits,
  request: Request,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> =>
  signal ? withTimeout(Number.POSITIVE_INFINITY, [signal, request.signal], task) : task(request.signal);

/** Returns the time limits of ky, of which the one for the attempt begins once a function has returned the key. */
function kyLimits(limits: AttemptLimits): Pick<KyOptions, 'timeout' | 'totalTimeout'> {
  const leftMs = timeLeftMs(limits);
  if (leftMs === 0) throw new TimeLimitExceeded('totalTimeout');
  return { timeout: kyTimeout(Math.min(limits.timeout, leftMs)), totalTimeout: kyTimeout(leftMs) };
}

/** Returns a time limit as ky takes it; `false` for none. */
const kyTimeout = (ms: number): number | false => ms <= maxTimerMs && ms;

/** Returns what ended an attempt, in place of the errors of ky, which hold the headers of the request. */
function thrownBy(error: unknown, { phase, sentAt }: Progress, { timeout, endsAt }: AttemptLimits): unknown {
  const cause = error instanceof KyNetworkError ? error.cause : error;
  if (!(cause instanceof KyTimeoutError)) return cause;
  // Until the request is sent, ky keeps `totalTimeout` alone.
  return new TimeLimitExceeded(wasSent({ phase }) && sentAt + timeout <= endsAt ? 'timeout' : 'totalTimeout');
}

function urlOf({ url, query: common }: ServiceInterface, path: string, query: string): string {
  const search = [query, common].filter(Boolean).join('&');
  return `${url.href}${path}${search && '?'}${search}`;
}

/** Takes what was read off the response that ky returned, which Node keeps in memory for long, with all it refers to. */
function takeRead(response: Response): HttpResponse {
  if (!(response instanceof ReadResponse) || !response.read)
    throw new TypeError('ky returned another response');
  const { read } = response;
  response.read = undefined;
  return read;
}

/** Jest's jsdom, as it comes, has no `Response`. The library loads there all the same. */
const ResponseOrObject = globalThis.Response ?? (Object as unknown as typeof Response);

/**
 * A response that the transport has read, so that `timeout` covers the body. ky passes it on. With a body of its own, which
 * is a stream, only to be read again, a POST would cost 1.4 times as much.
 */
class ReadResponse extends ResponseOrObject {
  /** Absent once it was taken. */
  read: HttpResponse | undefined;

  constructor(read: HttpResponse) {
    // A `Response` cannot have other statuses than these. `read` has the one that came.
    super(null, { status: read.status >= 200 && read.status <= 599 ? read.status : 200 });
    this.read = read;
  }

  override async text(): Promise<string> {
    return this.read?.text ?? '';
  }
}
