import {
  aCount,
  aFunction,
  aNumberAboveZero,
  anObject,
  type OptionRule,
  optionIssues,
} from '../core/options.ts';
import { onAbort, sleep, startTimer, type Timer, throwIfAborted, untilAborted } from '../core/timers.ts';
import { QueueFull } from './failure.ts';
import { maxRetryAfterMs } from './retries.ts';

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

/** Longest time without a timer of a call that waits or holds a permit, in milliseconds, while nothing is due. */
const pulseMs = 1_000;

/** Least time between two searches for calls that are lost, in milliseconds: in between, every timer fires that is due. */
const searchMs = 2_000;

/** A call that waits for a permit or holds one. */
interface LimitedCall {
  /** Time at which its own timer fires, by `performance.now()`. */
  dueAt: number;
  /** Ends its wait, so that it looks again if it may start. */
  wake(): void;
}

/** Returns a permit. `retryAfterMs` is the wait that the service asked for: no request starts for so long, up to 300 s. */
export type Release = (retryAfterMs?: number) => void;

/**
 * The rate limiter that every attempt of a client passes, first come, first served.
 *
 * On Cloudflare Workers a client outlives the requests that it serves, and what belongs to a request ends with it: its
 * timers, and whatever awaits a promise. So each call starts itself, and its own timer shows that it still exists.
 */
export class RateLimiter {
  readonly #limiter: ThrottleLimiter | undefined;
  readonly #intervalMs: number;
  readonly #concurrency: number;
  readonly #maxQueue: number;
  /** Calls that wait for the limits of this client. */
  readonly #queue = new Set<LimitedCall>();
  /** The order of the queue. Kept, because a new iterator would visit the places of all calls that have left. */
  readonly #order = this.#queue.values();
  #first: LimitedCall | undefined;
  /** Calls that hold a permit, and wait for the user's limiter. */
  readonly #asking = new Set<LimitedCall>();
  /** Calls that hold a permit. */
  readonly #inFlight = new Set<LimitedCall>();
  /** Time of the next start at the earliest, by `performance.now()`. */
  #nextStartAt = 0;
  #searchedAt = 0;

  constructor(throttle: ThrottleLimits | ThrottleLimiter) {
    const { requestsPerSecond = Number.POSITIVE_INFINITY, ...limits } = throttle;
    this.#limiter = throttle.acquire && throttle;
    this.#intervalMs = 1_000 / requestsPerSecond;
    this.#concurrency = limits.concurrency ?? Number.POSITIVE_INFINITY;
    this.#maxQueue = limits.maxQueue ?? defaultMaxQueue;
  }

  /**
   * Takes a permit. Resolves to the function that returns it. Rejects with `signal.reason`, with `QueueFull`, or with what the user's limiter rejects with; then no permit is taken.
   */
  async acquire(signal: AbortSignal): Promise<Release> {
    throwIfAborted(signal);
    const isFull = () => this.#queue.size + this.#asking.size >= this.#maxQueue;
    if (isFull()) this.#dropLost();
    if (isFull()) throw new QueueFull(this.#maxQueue);
    const call: LimitedCall = { dueAt: 0, wake: () => {} };
    await this.#wait(call, signal);
    const release = this.#hold(call);
    if (this.#limiter)
      await this.#ask(this.#limiter, call, signal).catch(error => {
        release();
        throw error;
      });
    return release;
  }

  /** Waits until the limits of this client let a call start. */
  async #wait(call: LimitedCall, signal: AbortSignal): Promise<void> {
    // A time without calls is no delay to make up for.
    if (this.#queue.size === 0) this.#nextStartAt = Math.max(this.#nextStartAt, performance.now());
    try {
      for (;;) {
        this.#queue.add(call);
        const isNext = this.#next() === call && this.#inFlight.size < this.#concurrency;
        const startAt = this.#nextStartAt;
        const waitMs = isNext ? this.#waitMs() : pulseMs;
        if (waitMs <= 0) break;
        const isOver = await this.#sleep(call, waitMs, signal);
        // The wait is over by the timer, whatever the clock says, unless a pause has begun.
        if (isOver && isNext && startAt === this.#nextStartAt)
          this.#nextStartAt = Math.min(startAt, performance.now());
        this.#dropLost();
      }
      this.#nextStartAt = Math.max(this.#nextStartAt, performance.now() - timerDelayMs) + this.#intervalMs;
      this.#inFlight.add(call);
      if (this.#limiter) this.#asking.add(call);
    } finally {
      this.#queue.delete(call);
      this.#next()?.wake();
    }
  }

  /** Resolves to `true` after a time, and to `false` as soon as the call is woken. */
  #sleep(call: LimitedCall, ms: number, signal: AbortSignal): Promise<boolean> {
    let end = () => {};
    call.dueAt = performance.now() + ms;
    // A promise of its own, which no other request settles: workerd passes that on later, and ends a request without timers.
    const over = new Promise<true>((resolve, reject) => {
      const timer = startTimer(() => resolve(true), ms);
      const removeListener = onAbort(signal, () => reject(signal.reason));
      end = () => {
        clearTimeout(timer);
        removeListener();
      };
    });
    const woken = new Promise<false>(resolve => {
      call.wake = () => resolve(false);
    });
    return Promise.race([over, woken]).finally(end);
  }

  /** Returns the first of the waiting calls. */
  #next(): LimitedCall | undefined {
    while (this.#queue.size > 0 && !(this.#first && this.#queue.has(this.#first)))
      this.#first = this.#order.next().value;
    return this.#queue.size > 0 ? this.#first : undefined;
  }

  /** Shows that a call holds its permit, until the function is called that this returns. */
  #hold(call: LimitedCall): Release {
    let timer: Timer;
    const show = () => {
      call.dueAt = performance.now() + pulseMs;
      timer = startTimer(show, pulseMs);
      this.#dropLost();
    };
    show();
    return (retryAfterMs = 0) => {
      clearTimeout(timer);
      this.#inFlight.delete(call);
      const pauseMs = Math.min(retryAfterMs, maxRetryAfterMs);
      // Before any waiting call starts.
      if (pauseMs > 0) this.#nextStartAt = Math.max(this.#nextStartAt, performance.now() + pauseMs);
      this.#next()?.wake();
    };
  }

  /** Forgets the calls whose timers have not fired: their requests have ended. */
  #dropLost(): void {
    const now = performance.now();
    if (now - this.#searchedAt < searchMs) return;
    for (const calls of [this.#queue, this.#asking, this.#inFlight])
      for (const call of calls) {
        if (call.dueAt >= this.#searchedAt) continue;
        calls.delete(call);
        this.#next()?.wake();
      }
    this.#searchedAt = now;
  }

  async #ask(limiter: ThrottleLimiter, call: LimitedCall, signal: AbortSignal): Promise<void> {
    try {
      throwIfAborted(signal);
      await untilAborted(signal, limiter.acquire(signal));
      throwIfAborted(signal);
      // A pause can have begun meanwhile.
      while (this.#waitMs() > 0) await sleep(this.#waitMs(), signal);
    } finally {
      this.#asking.delete(call);
    }
  }

  #waitMs(): number {
    return this.#nextStartAt - performance.now();
  }
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
