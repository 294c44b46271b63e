import { EmailMarketingError } from '../errors.ts';
import type { CallState } from './call-state.ts';
import { QueueFullError } from './limits/rate-limiter.ts';
import { callbackFailure, type Failure, queueFullFailure, timeoutFailure } from './response/failure.ts';
import type { Success } from './response/read-response.ts';
import { TimeLimitExceeded } from './timers.ts';

/** Result of an attempt: the JSON of a success, or a failure. */
export type AttemptResult = Success | Failure;

/** Success of a deletion that an earlier attempt has done. */
export const alreadyDone = (): Success => ({
  ok: true,
  json: {},
  response: { status: 200, headers: () => new Headers() },
});

/**
 * Turns what was thrown before anything was sent into a failure. `limit` names the option that bounded the wait. Throws
 * the reason of an abort.
 */
export function failureBeforeSending(
  { options }: CallState,
  error: unknown,
  limit: 'timeout' | 'totalTimeout',
): Failure {
  if (options.signal?.aborted) throw options.signal.reason;
  if (error instanceof TimeLimitExceeded) return timeoutFailure(limit, options[limit], 'queue', 'not-sent');
  if (error instanceof QueueFullError) return queueFullFailure(error.maxQueue);
  if (EmailMarketingError.isInstance(error)) throw error;
  return callbackFailure(error);
}
