// biome-ignore-all assist/source/organizeImports: what ky needs to load comes before it.
import { lacksTextEncoder } from './text-encoder.ts';
import ky, { type BeforeRequestHook, type KyInstance, NetworkError, TimeoutError } from 'ky';
import { ConfigurationError } from '../errors.ts';
import type { HeaderRecord } from './operation.ts';
import type { Redactor } from '../core/redactor.ts';
import { maxTimerMs, throwIfAborted, TimeLimitExceeded } from '../core/timers.ts';
import {
  type AttemptContext,
  type Authentication,
  type RequestSender,
  type HttpResponse,
  jsonType,
  type Transport,
  withLimits,
} from './transport.ts';

if (lacksTextEncoder) Reflect.deleteProperty(globalThis, 'TextEncoder');

/** One interface of a service, as ky sees it. */
interface KyOptions {
  /** Base URL without a trailing slash. */
  readonly baseUrl: string;
  /** Query of every request, encoded and without `?`; empty for none. */
  readonly query: string;
  /** Headers of every request. */
  readonly headers: HeaderRecord;
  readonly authentication: Authentication;
  /** Sends the request that ky has built. */
  readonly sendBy: RequestSender;
  /** Gets the secrets that the headers of an attempt hold. */
  readonly redactor: Redactor;
}

/**
 * Returns a transport that makes requests with ky, which builds the request, authenticates it and limits its time.
 * Retries depend on the outcome and on whether a call is idempotent, which ky does not know, so ky makes single attempts;
 * any status is a response to read. `sendBy` listens to the caller's signal: ky would leave memory behind on it.
 */
export function kyTransport(options: KyOptions): Transport {
  const { baseUrl, sendBy, redactor } = options;
  const isKeyAwaited = typeof options.authentication === 'function';
  const instance = makeInstance(options);
  return async ({ method, path, query, headers, body }, attempt) => {
    if (!globalThis.Request)
      throw new ConfigurationError(
        'this runtime has no Request and Response. In Jest, use the environment node.',
      );
    const timeLeftMs = attempt.timeLeftMs();
    if (timeLeftMs === 0) throw new TimeLimitExceeded();
    redactor.remember(redactor.secretsIn(headers));
    let read: HttpResponse | undefined;
    const search = [query, options.query].filter(Boolean).join('&');
    try {
      await instance(`${baseUrl}${path}${search && '?'}${search}`, {
        method,
        // Those of an instance are copied several times for each request.
        headers: { ...options.headers, ...headers, ...(body !== undefined && jsonType) },
        timeout: kyTimeout(Math.min(attempt.timeoutMs, timeLeftMs)),
        // Only a function for the key takes time before `timeout` begins.
        ...(isKeyAwaited && { totalTimeout: kyTimeout(timeLeftMs) }),
        context: { attempt },
        fetch: async built => {
          read = await sendBy(built as Request, body, attempt);
          return withoutBody(read.status);
        },
      });
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

/** Returns a time limit as ky takes it; `false` for none. */
const kyTimeout = (ms: number): number | false => ms <= maxTimerMs && ms;

const makeInstance = ({ authentication, redactor }: KyOptions): KyInstance =>
  ky.create({
    redirect: 'manual',
    retry: 0,
    throwHttpErrors: false,
    hooks: { beforeRequest: [authenticateBy(authentication, redactor)] },
  });

/** Returns the hook that adds the headers of the authentication to a request, and then begins its attempt. */
const authenticateBy =
  (authentication: Authentication, redactor: Redactor): BeforeRequestHook =>
  async ({ request, options }) => {
    const { attempt } = options.context as { readonly attempt: AttemptContext };
    const isStatic = typeof authentication !== 'function';
    // ky does not cancel a hook: a key that comes after a time limit must not begin the attempt.
    const headers = isStatic
      ? authentication
      : await withLimits(attempt, async () => authentication(attempt.keyRefused));
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
    if (!isStatic) redactor.remember(Object.values(headers));
    throwIfAborted(attempt.signal);
    attempt.begin();
  };

/** Responses for ky, by status. The body was read before, so that one response per status is enough. */
const responses: Record<number, Response> = {};

function withoutBody(status: number): Response {
  // A `Response` allows no other statuses than these.
  const isAllowed = status >= 200 && status <= 599;
  responses[status] ??= isAllowed ? new Response(null, { status }) : Response.error();
  return responses[status];
}
