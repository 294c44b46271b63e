import ky, { TimeoutError } from 'ky';
import { maxTimerMs, TimeLimitExceeded, untilAborted, withTimeout } from '../timers.ts';
import type {
  AttemptContext,
  Authentication,
  FetchAdapter,
  HeaderRecord,
  HttpResponse,
  Transport,
} from './transport.ts';

/** One interface of a service, as ky sees it. */
interface KyOptions {
  /** Base URL without a trailing slash. */
  readonly baseUrl: string;
  /** Headers of every request. */
  readonly headers: HeaderRecord;
  readonly authentication: Authentication;
  /** Sends the request that ky has built. */
  readonly fetch: FetchAdapter;
}

/**
 * Returns a transport that makes requests with ky, which builds the request, authenticates it, limits its time and
 * cancels it. Retries depend on the outcome and on whether a call is idempotent, which ky does not know, so ky makes
 * single attempts; any status is a response to read.
 */
export function kyTransport({ baseUrl, headers, authentication, fetch }: KyOptions): Transport {
  const instance = ky.create({
    prefix: baseUrl,
    headers,
    redirect: 'manual',
    retry: 0,
    throwHttpErrors: false,
    hooks: {
      beforeRequest: [
        async ({ request, options }) => {
          const attempt = options.context.attempt as AttemptContext;
          const isStatic = typeof authentication !== 'function';
          const key = isStatic ? authentication : await withLimits(attempt, authentication);
          for (const [name, value] of Object.entries(key)) request.headers.set(name, value);
          attempt.begin(isStatic ? [] : Object.values(key));
        },
      ],
    },
  });
  return async ({ path, ...request }, attempt) => {
    const { signal, timeoutMs, totalTimeoutMs } = attempt;
    const sent = instance(path, {
      ...request,
      ...(signal && { signal }),
      timeout: timeoutMs <= maxTimerMs && timeoutMs,
      totalTimeout: totalTimeoutMs <= maxTimerMs && totalTimeoutMs,
      context: { attempt },
      fetch: async built => withoutBody(await fetch(built as Request, attempt)),
    });
    try {
      // A `fetch` or a function that returns the key can ignore its signal.
      const response = await (signal ? untilAborted(signal, sent) : sent);
      const read = texts.get(response) as HttpResponse;
      texts.delete(response);
      return read;
    } catch (error) {
      throw error instanceof TimeoutError ? new TimeLimitExceeded(timeoutMs) : error;
    }
  };
}

/**
 * What was read of each response until it is returned. ky keeps a `Response` until the next major garbage collection,
 * and nothing of the body should be kept with it.
 */
const texts = new WeakMap<Response, HttpResponse>();

function withoutBody(read: HttpResponse): Response {
  const { status } = read;
  // A `Response` allows no other statuses.
  const response = status >= 200 && status <= 599 ? new Response(null, { status }) : Response.error();
  texts.set(response, read);
  return response;
}

/** ky does not end a hook: what comes later than a limit must not begin the attempt. */
const withLimits = <T>(attempt: AttemptContext, task: () => T | Promise<T>): Promise<T> =>
  withTimeout(Math.min(attempt.timeoutMs, attempt.totalTimeoutMs), attempt.signal, async () => task());
