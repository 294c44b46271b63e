import ky, { type BeforeRequestHook, NetworkError, TimeoutError } from 'ky';
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
    hooks: { beforeRequest: [authenticateBy(authentication)] },
  });
  return async ({ path, ...request }, attempt) => {
    const { signal, timeoutMs, totalTimeoutMs } = attempt;
    let read: HttpResponse | undefined;
    const sent = instance(path, {
      ...request,
      ...(signal && { signal }),
      timeout: timeoutMs <= maxTimerMs && timeoutMs,
      totalTimeout: totalTimeoutMs <= maxTimerMs && totalTimeoutMs,
      context: { attempt },
      fetch: async built => {
        read = await fetch(built as Request, attempt);
        return withoutBody(read.status);
      },
    });
    try {
      // A `fetch` or a function that returns the key can ignore its signal.
      await (signal ? untilAborted(signal, sent) : sent);
      return read as HttpResponse;
    } catch (error) {
      if (error instanceof TimeoutError) throw new TimeLimitExceeded();
      throw error instanceof NetworkError ? error.cause : error;
    } finally {
      // ky keeps its options until the next major garbage collection: nothing of the body should be kept with them.
      read = undefined;
    }
  };
}

/** Returns the hook that adds the headers of the authentication to a request, and then begins its attempt. */
const authenticateBy =
  (authentication: Authentication): BeforeRequestHook =>
  async ({ request, options }) => {
    const attempt = options.context.attempt as AttemptContext;
    const isStatic = typeof authentication !== 'function';
    const headers = isStatic ? authentication : await withLimits(attempt, authentication);
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
    attempt.begin(isStatic ? [] : Object.values(headers));
  };

/** Responses for ky, by status. The body was read before, so that one response per status is enough. */
const responses: Record<number, Response> = {};

function withoutBody(status: number): Response {
  // A `Response` allows no other statuses than these.
  const isAllowed = status >= 200 && status <= 599;
  responses[status] ??= isAllowed ? new Response(null, { status }) : Response.error();
  return responses[status];
}

/** ky does not cancel a hook: a key that comes after a time limit must not begin the attempt. */
const withLimits = <T>(attempt: AttemptContext, task: () => T | Promise<T>): Promise<T> =>
  withTimeout(Math.min(attempt.timeoutMs, attempt.totalTimeoutMs), attempt.signal, async () => task());
