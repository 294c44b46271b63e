import type { Outcome } from '../errors.ts';
import type { Fault } from './fault.ts';

/** Ceiling of the first wait, in milliseconds; it doubles with each further one. */
const firstWaitMs = 500;

/** Ceiling of any wait that the service did not ask for, in milliseconds. */
const longestWaitMs = 8_000;

/** Longest `Retry-After` that is waited for, in milliseconds; beyond it the error is handed over at once. */
const longestRetryAfterMs = 300_000;

/**
 * What may be made again, by what the failed attempt's outcome says (columns) and whether repeating the call would act
 * twice (rows). `refused` means 429, and 503 with `Retry-After`: no other refusal is transient.
 */
const repeats: Readonly<Record<'always' | 'never', Readonly<Record<Outcome, boolean>>>> = {
  always: { 'not-sent': true, refused: true, unknown: true, done: false },
  never: { 'not-sent': true, refused: true, unknown: false, done: false },
};

/** Whether a call may be made again after this fault. */
export const mayRepeat = (repeat: 'always' | 'never', fault: Fault): boolean =>
  fault.transient &&
  repeats[repeat][fault.outcome] &&
  (fault.retryAfterMs === undefined || fault.retryAfterMs <= longestRetryAfterMs);

/**
 * Milliseconds to wait before the `retry`-th retry (from 1): exponential backoff with full jitter, or what the service
 * asked for and up to a first wait more, so that those held together do not come back together.
 */
export function waitMs(
  retry: number,
  retryAfter: number | undefined,
  random: () => number = Math.random,
): number {
  if (retryAfter !== undefined) return retryAfter + random() * Math.min(firstWaitMs, retryAfter / 4);
  return random() * Math.min(longestWaitMs, firstWaitMs * 2 ** (retry - 1));
}

/** Retries that a client may make at once out of the blue. */
const burst = 100;

/** Retries that each success earns back. */
const earned = 0.1;

/**
 * A retry budget that all calls of a client share: in an outage, retries soon stop, and never come to more than a
 * tenth of the calls that succeed.
 */
export class RetryBudget {
  #left = burst;

  /** Takes one retry, if there is one left. Waits that the service itself asked for are free. */
  take(fault: Fault): boolean {
    if (fault.retryAfterMs !== undefined) return true;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** A call has succeeded. */
  earn(): void {
    this.#left = Math.min(burst, this.#left + earned);
  }
}
