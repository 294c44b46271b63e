import { CongestionControl } from './congestion-control.ts';
import { FifoQueue } from './fifo-queue.ts';
import { Pause } from './pause.ts';
import { onAbort, startTimer, type Timer, toTimerMs, untilAborted } from './timers.ts';

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
}

/** A rate limiter of your own, such as one that many machines share. */
export interface ThrottleLimiter {
  /** Resolves when one request may start. Rejects when `signal` aborts. */
  acquire(signal: AbortSignal): Promise<void>;
}

/** Default of {@link ThrottleLimits.maxQueue}: some 10 MB of waiting calls. */
const defaultMaxQueue = 10_000;

/** Time over which the calls that waited for a pause start, in milliseconds. */
const resumeSpreadMs = 1_000;

/** Delay with which timers fire, in milliseconds, on the slowest systems; starts that it delays are caught up with. */
const timerDelayMs = 16;

/** Rejection of a call that may not wait because too many calls do. Never leaves the library. */
export class QueueFullError extends Error {
  /** Maximum calls that wait. */
  readonly maxQueue: number;

  constructor(maxQueue: number) {
    super(`${maxQueue} calls wait for the throttle already`);
    this.maxQueue = maxQueue;
  }
}

/** Response that asks to retry later: 429 or 503. */
export interface Refusal {
  /** Milliseconds that `Retry-After` asks for; `undefined` if the response has none. */
  readonly retryAfterMs: number | undefined;
}

/** Creates the rate limiter of a client, if it has a `throttle`. */
export const makeRateLimiter = (
  throttle: ThrottleLimits | ThrottleLimiter | undefined,
): RateLimiter | undefined => throttle && new RateLimiter(throttle);

/**
 * The rate limiter that every attempt of a client passes, first come, first served. Each permit, taken by
 * {@link RateLimiter.tryAcquire} or {@link RateLimiter.acquire}, is returned by one {@link RateLimiter.release}.
 */
export class RateLimiter {
  readonly #limiter: ThrottleLimiter | undefined;
  readonly #intervalMs: number;
  readonly #concurrency: number;
  readonly #maxQueue: number;
  readonly #congestion: CongestionControl;
  readonly #queue = new FifoQueue<() => void>();
  readonly #pause = new Pause(() => this.#startWaiting());
  /** Calls that wait for the user's own limiter. */
  #asking = 0;
  #inFlight = 0;
  #nextStartAt = 0;
  #timer: Timer | undefined;
  #resumeAfterPause = false;
  /** Calls that waited for the last pause and have not started. */
  #resuming = 0;
  /** Milliseconds between their starts. */
  #resumeIntervalMs = 0;

  constructor(throttle: ThrottleLimits | ThrottleLimiter) {
    this.#limiter = 'acquire' in throttle ? throttle : undefined;
    const limits = this.#limiter ? {} : (throttle as ThrottleLimits);
    const rate = limits.requestsPerSecond ?? Number.POSITIVE_INFINITY;
    this.#intervalMs = Math.min(1_000 / rate, Number.MAX_VALUE);
    this.#concurrency = limits.concurrency ?? Number.POSITIVE_INFINITY;
    this.#maxQueue = limits.maxQueue ?? defaultMaxQueue;
    this.#congestion = new CongestionControl(rate);
  }

  /** Takes a permit if one is free now and nobody waits. Always fails with a limiter of the user's own. */
  tryAcquire(): boolean {
    const free = !this.#limiter && this.#queue.size === 0 && this.#waitMs() === 0;
    if (free) this.#start(performance.now());
    return free;
  }

  /**
   * Resolves once a permit is taken. Rejects with `signal.reason`, with a {@link QueueFullError}, or with what the
   * user's own limiter rejects with; then no permit is taken. Pass the signal rather than racing the promise against
   * it: a race that ends first loses the permit.
   */
  async acquire(signal: AbortSignal = new AbortController().signal): Promise<void> {
    signal.throwIfAborted();
    if (this.tryAcquire()) return;
    if (this.#queue.size + this.#asking >= this.#maxQueue) throw new QueueFullError(this.#maxQueue);
    if (this.#limiter) await this.#ask(this.#limiter, signal);
    await this.#wait(signal);
  }

  /**
   * Returns a permit, and reports the result of the attempt: none, that the service accepted the request, or
   * that it refused it with a 429 or 503. A pause that a refusal asks for begins before any waiting call starts.
   */
  release(result?: 'success' | Refusal): void {
    this.#inFlight -= 1;
    if (result !== undefined) this.#report(result);
    this.#startWaiting();
  }

  /** Starts no request for at least this many milliseconds, up to 300 s. */
  pause(ms: number): void {
    this.#pause.begin(ms);
    this.#resumeAfterPause ||= this.#pause.remainingMs() > 0;
  }

  #report(result: 'success' | Refusal): void {
    const paused = this.#pause.remainingMs() > 0;
    if (result === 'success') {
      this.#congestion.succeeded(paused);
      return;
    }
    const { retryAfterMs = 0 } = result;
    if (this.#congestion.refused(retryAfterMs > 0, paused)) this.pause(retryAfterMs);
  }

  async #ask(limiter: ThrottleLimiter, signal: AbortSignal): Promise<void> {
    this.#asking += 1;
    try {
      await untilAborted(signal, limiter.acquire(signal));
    } finally {
      this.#asking -= 1;
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = this.#queue.push(() => {
        removeListener();
        resolve();
      });
      const removeListener = onAbort(signal, () => {
        leave();
        this.#startWaiting();
        reject(signal.reason);
      });
      this.#startWaiting();
    });
  }

  /** Milliseconds until a request may start; `Infinity` while one in flight must end first. */
  #waitMs(): number {
    if (this.#inFlight >= this.#concurrency) return Number.POSITIVE_INFINITY;
    const pauseMs = this.#pause.remainingMs();
    if (pauseMs > 0) return pauseMs;
    // The clock jumps back when fake timers are removed: no wait is longer than the time between two starts.
    return Math.max(0, Math.min(this.#nextStartAt - performance.now(), this.#startIntervalMs()));
  }

  /** Takes a permit for a request that was due at this time of the clock. */
  #start(dueAt: number): void {
    this.#inFlight += 1;
    this.#congestion.started();
    this.#nextStartAt = dueAt + this.#startIntervalMs();
    this.#resuming = Math.max(0, Math.min(this.#resuming - 1, this.#queue.size));
  }

  /** Milliseconds between the starts of two requests. */
  #startIntervalMs(): number {
    const resumeIntervalMs = this.#resuming > 0 ? this.#resumeIntervalMs : 0;
    return Math.max(this.#intervalMs, this.#congestion.intervalMs, resumeIntervalMs);
  }

  /** Starts as many waiting calls as may start, and sets a timer for the next one. */
  #startWaiting(): void {
    clearTimeout(this.#timer);
    if (this.#resumeAfterPause && this.#pause.remainingMs() === 0) this.#resume();
    while (this.#queue.size > 0) {
      const waitMs = this.#waitMs();
      if (waitMs > 0) {
        if (waitMs !== Number.POSITIVE_INFINITY) this.#setTimer(waitMs);
        return;
      }
      this.#start(Math.max(this.#nextStartAt, performance.now() - timerDelayMs));
      this.#queue.shift()?.();
    }
  }

  /** Spreads the starts of the calls that waited for a pause. */
  #resume(): void {
    this.#resumeAfterPause = false;
    this.#resuming = this.#queue.size;
    this.#resumeIntervalMs = resumeSpreadMs / Math.max(1, this.#queue.size);
    this.#nextStartAt = Math.max(this.#nextStartAt, performance.now());
  }

  /** The timer keeps the process alive while a call waits. */
  #setTimer(waitMs: number): void {
    this.#timer = startTimer(() => {
      // The wait is over even if the clock, which test tools may not have replaced, says otherwise.
      if (toTimerMs(waitMs) >= waitMs) this.#nextStartAt = Math.min(this.#nextStartAt, performance.now());
      this.#startWaiting();
    }, waitMs);
  }
}
