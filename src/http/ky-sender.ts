import ky, { isTimeoutError } from 'ky';
import type { AttemptContext, HttpResponse, Transport } from './http-response.ts';
import type { AttemptSender } from './send.ts';
import { maxTimerMs, onAbort, TimeLimitExceeded, untilAborted } from './timers.ts';

/**
 * Returns a sender that makes requests with ky, which builds the request, limits its time and cancels it. Retries
 * depend on the outcome and on whether a call is idempotent, which ky does not know, so ky makes single attempts; any
 * status is a response to read.
 */
export function sendByKy(baseUrl: string, transport: Transport): AttemptSender {
  const instance = ky.create({ prefix: baseUrl, retry: 0, throwHttpErrors: false, redirect: 'manual' });
  return async ({ path, method, headers, body }, context) => {
    const { timeoutMs, signal } = context;
    // A signal that outlives many calls must keep nothing of them: it is linked, and unlinked at the end.
    const controller = signal && new AbortController();
    const unlink = signal && onAbort(signal, () => controller?.abort(signal.reason));
    const sent = instance(path, {
      method,
      headers,
      timeout: timeoutMs > maxTimerMs ? false : timeoutMs,
      fetch: request => sendAsResponse(transport, request as Request, context),
      ...(body !== undefined && { body }),
      ...(controller && { signal: controller.signal }),
    }) as Promise<unknown> as Promise<PassedOn>;
    try {
      // Not every `fetch` heeds its signal.
      const passedOn = await (signal ? untilAborted(signal, sent) : sent);
      const { response } = passedOn;
      // What ky keeps lives until the next major garbage collection: the body must not.
      passedOn.response = undefined;
      return response as HttpResponse;
    } catch (error) {
      if (isTimeoutError(error)) throw new TimeLimitExceeded(timeoutMs);
      throw error instanceof TransportError ? error.thrown : error;
    } finally {
      unlink?.();
    }
  };
}

/** Wraps what a transport threw, so that ky adds nothing to it. */
class TransportError extends Error {
  readonly thrown: unknown;

  constructor(thrown: unknown) {
    super();
    this.thrown = thrown;
  }
}

/** A response that was read to its end. ky passes on what is no `Response` as it is. */
interface PassedOn {
  response: HttpResponse | undefined;
}

async function sendAsResponse(
  transport: Transport,
  request: Request,
  context: AttemptContext,
): Promise<Response> {
  try {
    const passedOn: PassedOn = { response: await transport(request, context) };
    return passedOn as unknown as Response;
  } catch (error) {
    throw new TransportError(error);
  }
}
