import { EmailMarketingError, type TimeoutPhase } from '../../errors.ts';
import { QueueFullError } from '../limits/rate-limiter.ts';
import type { Redaction } from '../secrets/redactor.ts';
import { networkFailure } from '../transport/node/node-transport.ts';
import { BodyTooLargeError } from '../transport/transport.ts';
import { type Failure, failureInUserCode, invalidResponse } from './failure.ts';

/**
 * Turns what ended an attempt without a response, other than a time limit, into a failure. In the phase `queue` nothing
 * was sent.
 */
export function sendingFailure(
  error: unknown,
  phase: TimeoutPhase,
  endpoint: { readonly address: string; readonly baseUrl: string },
  redactor: Redaction,
): Failure {
  if (error instanceof QueueFullError) return queueFullFailure(error.maxQueue);
  if (error instanceof BodyTooLargeError) return tooLarge(error);
  if (phase !== 'queue') return networkFailure(error, phase, endpoint, redactor);
  if (EmailMarketingError.isInstance(error)) throw error;
  return failureInUserCode('not-sent', "a function among the client's options", error);
}

const tooLarge = ({ status, maxBytes }: BodyTooLargeError): Failure =>
  invalidResponse(
    status < 300 ? 'done' : 'unknown',
    status,
    [{ path: '', expected: `at most ${maxBytes} bytes (maxResponseBytes)`, received: 'more' }],
    'Raise the option maxResponseBytes, or ask for less at once.',
  );

/** The call did not fit into the queue of the rate limiter. */
const queueFullFailure = (maxQueue: number): Failure => ({
  ok: false,
  outcome: 'not-sent',
  transient: false,
  message: () => `the queue of waiting calls is full (throttle.maxQueue: ${maxQueue})`,
  advice: 'Start fewer calls at once, for example with bulk.',
  toError: (message, details) => new EmailMarketingError(message, details),
});
