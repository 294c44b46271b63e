import { onAbort, sleep, startTimer, type Timer, throwIfAborted, untilAborted } from '../core/timers.ts';
import { isWorkers, type ThrottleLimiter, type ThrottleLimits } from './throttle-limits.ts';

/** Longest `Retry-After` that is observed, in milliseconds. A longer one is for the caller to plan. */
export const maxRetryAfterMs = 300_000;

/** Default of `maxQueue`: some 10 MB of waiting calls. */
const defaultMaxQueue = 10_000;

/** Delay with which timers fire, in milliseconds, on the slowest systems. The next start makes up for it. */
const timerDelayMs = 16;

/** Lets one request start. Gives itself back, once; no request starts for the wait that the service asked for, up to 300 s. */
export type Permit = (retryAfterMs?: number) => void;

/** The rate limiter that every attempt of a client passes, first come, first served. */
export class RateLimiter {
  readonly #limiter: ThrottleLimiter | undefined;
  readonly #intervalMs: number;
  readonly #concurrency: number;
  readonly #maxQueue: number;
  /** Functions that let the calls start that wait for the limits of this client. */
  readonly #queue = new Set<() => void>();
  /** Number of calls that hold a permit, and of those that wait for the user's limiter. */
  #inFlight = 0;
  #asking = 0;
  /** Time of the next start at the earliest, by `performance.now()`. */
  #nextStartAt = 0;
  #timer: Timer | undefined;

  constructor(throttle: ThrottleLimits | ThrottleLimiter) {
    const { requestsPerSecond = Number.POSITIVE_INFINITY, ...limits } = throttle;
    this.#limiter = throttle.acquire && throttle;
    this.#intervalMs = 1_000 / requestsPerSecond;
    this.#concurrency = limits.concurrency ?? Number.POSITIVE_INFINITY;
    // On Workers, a call that waits is lost without notice when its request ends: it would count as waiting for ever.
    this.#maxQueue = limits.maxQueue ?? (isWorkers() ? Number.POSITIVE_INFINITY : defaultMaxQueue);
  }

  /** `true` if no other call may wait. */
  get isFull(): boolean {
    return this.#queue.size + this.#asking >= this.#maxQueue;
  }

  /** Takes a permit. Rejects with `signal.reason`, or as the user's limiter does; then no permit is taken. */
  async acquire(signal: AbortSignal): Promise<Permit> {
    throwIfAborted(signal);
    // A time without calls is no delay to make up for.
    if (this.#queue.size === 0) this.#nextStartAt = Math.max(this.#nextStartAt, performance.now());
    await this.#turn(signal);
    try {
      if (this.#limiter) await this.#ask(this.#limiter, signal);
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

  /** Resolves when the limits of this client let a call start, which then holds a permit. */
  #turn(signal: AbortSignal): Promise<void> {
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
      // Each call that has a permit of the user's limiter waits for itself.
      if (!this.#limiter && this.#waitMs() > 0) {
        this.#timer = startTimer(() => this.#startNext(), this.#waitMs());
        return;
      }
      this.#queue.delete(start);
      this.#inFlight += 1;
      if (this.#limiter) this.#asking += 1;
      this.#nextStartAt = Math.max(this.#nextStartAt, performance.now() - timerDelayMs) + this.#intervalMs;
      start();
    }
  }

  #release(retryAfterMs = 0): void {
    this.#inFlight -= 1;
    const pauseMs = Math.min(retryAfterMs, maxRetryAfterMs);
    // Before any waiting call starts.
    if (pauseMs > 0) this.#nextStartAt = Math.max(this.#nextStartAt, performance.now() + pauseMs);
    this.#startNext();
  }

  async #ask(limiter: ThrottleLimiter, signal: AbortSignal): Promise<void> {
    try {
      throwIfAborted(signal);
      await untilAborted(signal, limiter.acquire(signal));
      throwIfAborted(signal);
      // A pause can have begun meanwhile.
      while (this.#waitMs() > 0) await sleep(this.#waitMs(), signal);
    } finally {
      this.#asking -= 1;
    }
  }

  #waitMs(): number {
    return this.#nextStartAt - performance.now();
  }
}
