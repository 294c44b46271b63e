import {
  aCount,
  aFunction,
  aNumberAboveZero,
  anObject,
  type OptionRule,
  optionIssues,
} from '../core/options.ts';
import {
  onAbort,
  sleep,
  startTimer,
  type Timer,
  throwIfAborted,
  untilAborted,
  withDeadline,
} from '../core/timers.ts';
import { maxRetryAfterMs } from './call/retry-policy.ts';
import { FailedAttempt, type Failure, localFailure } from './response/failure.ts';
import type { Success } from './response/read-response.ts';

/** Limits on all calls of a client together. */
export interface ThrottleLimits {
  /**
   * Maximum requests started per second, evenly spaced.
   * @defaultValue no limit
   */
  readonly requestsPerSecond?: number | undefined;
  /**
   * Maximum requests in flight.
   * @defaultValue no limit
   */
  readonly concurrency?: number | undefined;
  /**
   * Maximum calls that wait for these limits. The next call fails with outcome `not-sent`.
   * @defaultValue 10 000
   */
  readonly maxQueue?: number | undefined;
  /** Only a {@link ThrottleLimiter} has it. */
  readonly acquire?: undefined;
}

/** A rate limiter of your own, such as one that many machines share. */
export interface ThrottleLimiter extends Pick<ThrottleLimits, 'concurrency' | 'maxQueue'> {
  /** The limiter itself decides on the rate. */
  readonly requestsPerSecond?: undefined;
  /** Resolves when one request may start. Rejects when `signal` aborts. */
  acquire(signal: AbortSignal): Promise<void>;
}

/** Default of {@link ThrottleLimits.maxQueue}: some 10 MB of waiting calls. */
const defaultMaxQueue = 10_000;

/** Delay with which timers fire, in milliseconds, on the slowest systems. The next start makes up for it. */
const timerDelayMs = 16;

/**
 * The rate limiter that every attempt of a client passes, first come, first served. Each permit, taken by
 * {@link RateLimiter.acquire}, is returned by one {@link RateLimiter.release}.
 */
export class RateLimiter {
  readonly #limiter: ThrottleLimiter | undefined;
  readonly #intervalMs: number;
  readonly #concurrency: number;
  readonly #maxQueue: number;
  /** Calls that wait, each as the function that lets it start. */
  readonly #queue = new Set<() => void>();
  /** The order of the queue. Kept, because a new iterator would visit the places of all calls that have left. */
  readonly #order = this.#queue.values();
  /** Calls that wait for the user's limiter. */
  #asking = 0;
  #inFlight = 0;
  /** Time of the next start at the earliest, by `performance.now()`. */
  #nextStartAt = 0;
  #timer: Timer | undefined;

  constructor(throttle: ThrottleLimits | ThrottleLimiter) {
    const { requestsPerSecond = Number.POSITIVE_INFINITY, ...limits } = throttle;
    this.#limiter = throttle.acquire && throttle;
    this.#intervalMs = 1_000 / requestsPerSecond;
    this.#concurrency = limits.concurrency ?? Number.POSITIVE_INFINITY;
    this.#maxQueue = limits.maxQueue ?? defaultMaxQueue;
  }

  /**
   * Makes an attempt under a permit, which it waits for up to `ms` milliseconds. Rejects as {@link RateLimiter.acquire}
   * does, or with a `TimeLimitExceeded`.
   */
  async run(
    attempt: () => Promise<Success | Failure>,
    ms: number,
    signal: AbortSignal | undefined,
  ): Promise<Success | Failure> {
    await withDeadline(ms, signal, linked => this.acquire(linked));
    let retryAfterMs: number | undefined;
    try {
      const result = await attempt();
      if (!result.ok) retryAfterMs = result.retryAfterMs;
      return result;
    } finally {
      this.release(retryAfterMs);
    }
  }

  /**
   * Resolves once a permit is taken. Rejects with `signal.reason`, with the failure of a full queue, or with what the
   * user's limiter rejects with; then no permit is taken.
   */
  async acquire(signal: AbortSignal): Promise<void> {
    await this.#permit(signal);
    // After the wait, and not in what ended it: the user's limiter is called in the asynchronous context of its call.
    if (this.#limiter) await this.#ask(this.#limiter, signal);
  }

  /** Resolves once the limits of this client let a call start. */
  #permit(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      throwIfAborted(signal);
      if (this.#queue.size + this.#asking >= this.#maxQueue) throw queueFull(this.#maxQueue);
      // A time without calls is no delay to make up for.
      if (this.#queue.size === 0) this.#nextStartAt = Math.max(this.#nextStartAt, performance.now());
      const start = () => {
        removeListener();
        if (this.#limiter) this.#asking += 1;
        resolve();
      };
      this.#queue.add(start);
      const removeListener = onAbort(signal, () => {
        this.#queue.delete(start);
        this.#startWaiting();
        reject(signal.reason);
      });
      this.#startWaiting();
    });
  }

  /**
   * Returns a permit. If the service asked to wait, no request starts for so many milliseconds, up to 300 s; this
   * begins before any waiting call starts.
   */
  release(retryAfterMs = 0): void {
    this.#inFlight -= 1;
    const pauseMs = Math.min(retryAfterMs, maxRetryAfterMs);
    if (pauseMs > 0) this.#nextStartAt = Math.max(this.#nextStartAt, performance.now() + pauseMs);
    this.#startWaiting();
  }

  async #ask(limiter: ThrottleLimiter, signal: AbortSignal): Promise<void> {
    try {
      throwIfAborted(signal);
      await untilAborted(signal, limiter.acquire(signal));
      throwIfAborted(signal);
      // A pause can have begun meanwhile.
      while (this.#waitMs() > 0) await sleep(this.#waitMs(), signal);
    } catch (error) {
      this.release();
      throw error;
    } finally {
      this.#asking -= 1;
    }
  }

  /** Starts as many waiting calls as may start, and sets a timer for the next one. */
  #startWaiting(): void {
    clearTimeout(this.#timer);
    while (this.#queue.size > 0 && this.#inFlight < this.#concurrency) {
      if (this.#waitMs() > 0) {
        this.#timer = startTimer(() => {
          // The wait is over by the timer, whatever the clock says.
          this.#nextStartAt = Math.min(this.#nextStartAt, performance.now());
          this.#startWaiting();
        }, this.#waitMs());
        return;
      }
      this.#inFlight += 1;
      this.#nextStartAt = Math.max(this.#nextStartAt, performance.now() - timerDelayMs) + this.#intervalMs;
      const start = this.#order.next().value as () => void;
      this.#queue.delete(start);
      start();
    }
  }

  #waitMs(): number {
    return this.#nextStartAt - performance.now();
  }
}

function queueFull(maxQueue: number): FailedAttempt {
  const message = `the queue of waiting calls is full (throttle.maxQueue: ${maxQueue})`;
  const advice = 'Start fewer calls at once, for example with bulk.';
  return new FailedAttempt(localFailure('not-sent', message, { code: 'QUEUE_FULL', advice }));
}

/** Accepts limits, or a limiter with limits beside it. */
export const aThrottle = (): OptionRule => ({
  ...anObject,
  issuesOf: throttle => {
    const isLimiter = (throttle as ThrottleLimits | ThrottleLimiter).acquire !== undefined;
    const rate = isLimiter ? {} : { requestsPerSecond: aNumberAboveZero };
    const rules = { ...rate, acquire: aFunction, concurrency: aNumberAboveZero, maxQueue: aCount(1) };
    return optionIssues(throttle, rules, 'throttle', true);
  },
});
