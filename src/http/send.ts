import type { ConnectedEndpoint, HeaderRecord } from './endpoint.ts';
import { type Failure, invalidResponse, timeoutFailure } from './failure.ts';
import { type AttemptContext, BodyTooLargeError, type HttpResponse } from './http-response.ts';
import { networkFailure } from './network-failure.ts';
import { TimeLimitExceeded } from './timers.ts';

/** Request of one attempt, its key included. */
export interface AttemptRequest {
  readonly method: string;
  /** Path and query below the base URL. */
  readonly path: string;
  readonly headers: HeaderRecord;
  readonly body: string | undefined;
  readonly idempotent: boolean;
}

/** Bounds of one attempt. */
export interface AttemptLimits {
  /** Time limit over head and body together, in milliseconds; `Infinity` for none. */
  readonly timeoutMs: number;
  /** Option that the time limit comes from. */
  readonly limit: 'timeout' | 'totalTimeout';
  /** Value of that option, in milliseconds. */
  readonly limitMs: number;
  /** Largest body that is read, in bytes. */
  readonly maxBytes: number;
  /** Signal of the caller. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends a request and reads the response to its end, within the limits. Rejects with a {@link TimeLimitExceeded}, with
 * the signal's own reason, or with what the runtime threw.
 */
export type AttemptSender = (
  request: AttemptRequest,
  limits: AttemptLimits,
  context: AttemptContext,
) => Promise<HttpResponse>;

/** Makes one attempt. Rejects with the signal's own reason, and with nothing else. */
export async function send(
  endpoint: ConnectedEndpoint,
  request: AttemptRequest,
  limits: AttemptLimits,
): Promise<HttpResponse | Failure> {
  const { maxBytes, limit, limitMs, signal } = limits;
  const context: AttemptContext = { maxBytes, idempotent: request.idempotent, phase: 'head' };
  try {
    return await endpoint.send(request, limits, context);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    if (error instanceof TimeLimitExceeded) return timeoutFailure(limit, limitMs, context.phase, 'unknown');
    if (error instanceof BodyTooLargeError) return tooLarge(error.status, maxBytes);
    return networkFailure(error, context.phase, endpoint.host, endpoint.baseUrl);
  }
}

const tooLarge = (status: number, maxBytes: number): Failure =>
  invalidResponse(status >= 200 && status < 300 ? 'done' : 'unknown', status, [
    { path: '', expected: `at most ${maxBytes} bytes (maxResponseBytes)`, received: 'more' },
  ]);
