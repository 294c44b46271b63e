import type { CallState } from './call-state.ts';
import type { HeaderRecord } from './endpoint.ts';
import { type AttemptContext, BodyTooLargeError, type HttpResponse } from './http-response.ts';
import { type Failure, invalidResponse, networkFailure, timeoutFailure } from './response/failure.ts';
import { TimeLimitExceeded } from './timers.ts';

/** Request of one attempt, its key included. */
interface AttemptRequest {
  readonly method: string;
  /** Path and query below the base URL. */
  readonly path: string;
  readonly headers: HeaderRecord;
  readonly body: string | undefined;
}

/**
 * Sends a request and reads the response to its end, within the limits. Rejects with a {@link TimeLimitExceeded}, with
 * the signal's own reason, or with what the runtime threw.
 */
export type AttemptSender = (request: AttemptRequest, context: AttemptContext) => Promise<HttpResponse>;

/** Turns what a sender rejected with into a failure. Throws the reason of an abort. */
export function failureOfSending(call: CallState, context: AttemptContext, error: unknown): Failure {
  const { options, endpoint } = call;
  const { signal, timeoutMs, maxBytes, phase } = context;
  if (signal?.aborted) throw signal.reason;
  if (error instanceof TimeLimitExceeded) {
    const limit = timeoutMs < options.timeout ? 'totalTimeout' : 'timeout';
    return timeoutFailure(limit, options[limit], phase, 'unknown');
  }
  if (error instanceof BodyTooLargeError) return tooLarge(error.status, maxBytes);
  return networkFailure(error, phase, endpoint, call.redactor);
}

const tooLarge = (status: number, maxBytes: number): Failure =>
  invalidResponse(
    status < 300 ? 'done' : 'unknown',
    status,
    [{ path: '', expected: `at most ${maxBytes} bytes (maxResponseBytes)`, received: 'more' }],
    'Raise the option maxResponseBytes, or ask for less at once.',
  );
