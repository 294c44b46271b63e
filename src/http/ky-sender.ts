import ky, { isTimeoutError } from 'ky';
import type { HttpResponse, Transport } from './http-response.ts';
import type { AttemptSender } from './send.ts';
import { maxTimerMs, onAbort, TimeLimitExceeded, untilAborted } from './timers.ts';

/**
 * Returns a sender that makes requests with ky, which builds the request, limits its time and cancels it. Retries
 * depend on the outcome and on whether a call is idempotent, which ky does not know, so ky makes single attempts; any
 * status is a response to read.
 */
export function sendByKy(baseUrl: string, transport: Transport): AttemptSender {
  const instance = ky.create({ prefix: baseUrl, retry: 0, throwHttpErrors: false, redirect: 'manual' });
  return async ({ path, method, headers, body }, { timeoutMs, signal }, context) => {
    // A signal that outlives many calls must keep nothing of them: it is linked, and unlinked at the end.
    const controller = signal && new AbortController();
    const unlink = onAbort(signal, () => controller?.abort(signal?.reason));
    const response = instance(path, {
      method,
      headers,
      timeout: timeoutMs > maxTimerMs ? false : timeoutMs,
      fetch: request => toBufferedResponse(transport(request as Request, context)),
      ...(body !== undefined && { body }),
      ...(controller && { signal: controller.signal }),
    }) as Promise<unknown> as Promise<BufferedResponse>;
    try {
      // Not every `fetch` heeds its signal.
      return (await (signal ? untilAborted(signal, response) : response)).whole;
    } catch (error) {
      if (isTimeoutError(error)) throw new TimeLimitExceeded(timeoutMs);
      throw error instanceof TransportError ? error.thrown : error;
    } finally {
      unlink();
    }
  };
}

/** An error of a transport, wrapped so that ky adds nothing to it. */
class TransportError extends Error {
  readonly thrown: unknown;

  constructor(thrown: unknown) {
    super('the transport failed');
    this.thrown = thrown;
  }
}

/** A response that was read to its end, with what ky looks at. ky passes on what is tagged as a `Response`. */
class BufferedResponse {
  readonly whole: HttpResponse;

  constructor(whole: HttpResponse) {
    this.whole = whole;
  }

  get ok(): boolean {
    return this.whole.status >= 200 && this.whole.status < 300;
  }

  get [Symbol.toStringTag](): string {
    return 'Response';
  }
}

async function toBufferedResponse(sent: Promise<HttpResponse>): Promise<Response> {
  try {
    return new BufferedResponse(await sent) as unknown as Response;
  } catch (error) {
    throw new TransportError(error);
  }
}
