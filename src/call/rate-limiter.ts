import { onAbort, sleep, startTimer, type Timer, throwIfAborted, untilAborted } from '../core/timers.ts';
import { isWorkers, type ThrottleLimiter, type ThrottleLimits } from './throttle-limits.ts';

/** Longest `Retry-After` that is observed, in milliseconds. After a longer one, the call fails. */
export const maxRetryAfterMs = 300_000;

/** Default of `maxQueue`, about 10 MB of waiting calls. */
const defaultMaxQueue = 10_000;

/** How late a timer may fire, in milliseconds, and still be made up for by the next start. */
const timerDelayMs = 16;

/**
 * Permission to send one request. Call it to give the permit back (further calls do nothing), and to pause all requests
 * for `retryAfterMs`, at most 300 s.
 */
export type ReleasePermit = (retryAfterMs?: number) => void;

/** Rate limiter for all attempts of a client, in order of arrival. */
export class RateLimiter {
  readonly #limiter: ThrottleLimiter | undefined;
  readonly #intervalMs: number;
  readonly #concurrency: number;
  readonly #maxQueue: number;
  /** Functions that start the waiting calls. */
  readonly #queue = new Set<() => void>();
  /** Number of calls with a permit, or waiting for the user's limiter. */
  #inFlight = 0;
  /** Number of calls that wait for the user's limiter. */
  #waitingForLimiter = 0;
  /** Earliest time of the next start, by `performance.now()`. */
  #nextStartAt = 0;
  #timer: Timer | undefined;

  constructor(throttle: ThrottleLimits | ThrottleLimiter) {
    const { requestsPerSecond = Number.POSITIVE_INFINITY, ...limits } = throttle;
    this.#limiter = throttle.acquire && throttle;
    this.#intervalMs = 1_000 / requestsPerSecond;
    this.#concurrency = limits.concurrency ?? Number.POSITIVE_INFINITY;
    // On Workers, a waiting call disappears when its request ends, but would count as waiting forever.
    this.#maxQueue = limits.maxQueue ?? (isWorkers() ? Number.POSITIVE_INFINITY : defaultMaxQueue);
  }

  /** `true` if the queue is full. */
  get isFull(): boolean {
    return this.#queue.size + this.#waitingForLimiter >= this.#maxQueue;
  }

  /** Acquires a permit. Rejects with `signal.reason`, or as the user's limiter does. */
  async acquire(signal: AbortSignal): Promise<ReleasePermit> {
    throwIfAborted(signal);
    // Idle time does not allow a burst.
    if (this.#queue.size === 0) this.#nextStartAt = Math.max(this.#nextStartAt, performance.now());
    await this.#waitForStart(signal);
    try {
      if (this.#limiter) await this.#acquireFromLimiter(this.#limiter, signal);
      let isHeld = true;
      return retryAfterMs => {
        if (isHeld) this.#release(retryAfterMs);
        isHeld = false;
      };
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  /** Resolves when the limits of this client let a call start. */
  #waitForStart(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        removeListener();
        resolve();
      };
      const removeListener = onAbort(signal, () => {
        this.#queue.delete(start);
        reject(signal.reason);
      });
      this.#queue.add(start);
      this.#startNext();
    });
  }

  #startNext(): void {
    clearTimeout(this.#timer);
    for (const start of this.#queue) {
      if (this.#inFlight >= this.#concurrency) return;
      // With the user's limiter, each call waits for the end of a pause separately.
      if (!this.#limiter && this.#waitMs() > 0) {
        this.#timer = startTimer(() => this.#startNext(), this.#waitMs());
        return;
      }
      this.#queue.delete(start);
      this.#inFlight += 1;
      if (this.#limiter) this.#waitingForLimiter += 1;
      this.#nextStartAt = Math.max(this.#nextStartAt, performance.now() - timerDelayMs) + this.#intervalMs;
      start();
    }
  }

  #release(retryAfterMs = 0): void {
    this.#inFlight -= 1;
    const pauseMs = Math.min(retryAfterMs, maxRetryAfterMs);
    // The pause begins before a waiting call can start.
    if (pauseMs > 0) this.#nextStartAt = Math.max(this.#nextStartAt, performance.now() + pauseMs);
    this.#startNext();
  }

  async #acquireFromLimiter(limiter: ThrottleLimiter, signal: AbortSignal): Promise<void> {
    try {
      throwIfAborted(signal);
      await untilAborted(signal, limiter.acquire(signal));
      throwIfAborted(signal);
      // A pause may have begun in the meantime.
      while (this.#waitMs() > 0) await sleep(this.#waitMs(), signal);
    } finally {
      this.#waitingForLimiter -= 1;
    }
  }

  #waitMs(): number {
    return this.#nextStartAt - performance.now();
  }
}
