import type { Failure } from './failure.ts';
import type { Effect } from './operation.ts';

/** Upper bound of the random wait before the first retry, in milliseconds; it doubles with each further retry. */
const firstBackoffMs = 500;

/** Upper bound of every wait that the service did not ask for, in milliseconds: a short outage is over by then. */
const maxBackoffMs = 8_000;

/** Longest `Retry-After` that a call waits for, in milliseconds. A longer one is for the caller to plan. */
export const maxRetryAfterMs = 300_000;

/** Share of a `Retry-After` that is added at random at most, so that the retries do not all come at once. */
const retryAfterJitter = 1 / 4;

/** Returns `true` if a second request with the same input changes nothing: it is retried after an unknown outcome. */
export function isIdempotent(
  { kind, idempotent = kind === 'read' || kind === 'delete' }: Effect,
  input: unknown,
): boolean {
  return typeof idempotent === 'function' ? idempotent(input) : idempotent;
}

/** Returns `true` if a request may be retried after this failure: one that is not idempotent only if it did not act. */
export const mayRetry = (
  idempotent: boolean,
  { outcome, transient, retryAfterMs = 0 }: Pick<Failure, 'outcome' | 'transient' | 'retryAfterMs'>,
): boolean =>
  transient && outcome !== 'done' && (idempotent || outcome !== 'unknown') && retryAfterMs <= maxRetryAfterMs;

/**
 * Returns the milliseconds to wait before a retry, the first of which has the number 1: exponential backoff with full
 * jitter, or what the service asked for with some jitter on top.
 */
export function retryDelayMs(retry: number, retryAfterMs: number | undefined): number {
  if (retryAfterMs === undefined)
    return Math.random() * Math.min(maxBackoffMs, firstBackoffMs * 2 ** (retry - 1));
  const requestedMs = Math.min(retryAfterMs, maxRetryAfterMs);
  return requestedMs + Math.random() * Math.min(firstBackoffMs, requestedMs * retryAfterJitter);
}

/** Retries that each kind of failure has at the start, and at most: a short outage passes without a failed call. */
const maxRetries = 100;

/**
 * Number of successes that pay for so many retries: ten for each after a failure, which can leave work behind at the
 * service; one after a 503 with `Retry-After`, which costs the service little. A 429 costs nothing: the service is alive.
 */
const most = { failure: 10 * maxRetries, wait: maxRetries };

/**
 * A retry budget that all calls of a client share, so that retries do not multiply an outage. `calls` calls that all
 * fail make at most `calls` + 100 requests. In the long run retries come to at most a tenth of the calls that succeed,
 * and after a 503 with `Retry-After` to at most as many as succeed. Retries after a 429 are bounded by `maxRetries` alone.
 */
export class RetryBudget {
  /** Counted in successes, so that no fraction is rounded away. */
  readonly #left = { ...most };

  /** Takes one retry. Returns `false` if none is left: the call then fails with the error of its last attempt. */
  take({ status, retryAfterMs }: Pick<Failure, 'status' | 'retryAfterMs'>): boolean {
    if (status === 429) return true;
    const kind = retryAfterMs === undefined ? 'failure' : 'wait';
    const cost = most[kind] / maxRetries;
    if (this.#left[kind] < cost) return false;
    this.#left[kind] -= cost;
    return true;
  }

  /** Records that a call succeeded. */
  earn(): void {
    for (const kind of ['failure', 'wait'] as const)
      this.#left[kind] = Math.min(most[kind], this.#left[kind] + 1);
  }
}
