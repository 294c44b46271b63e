import { isPlainObject } from '../core/json.ts';
import {
  aCount,
  aFunction,
  aNumberAboveZero,
  anObjectOf,
  type OptionRule,
  rule,
} from '../core/option-rules.ts';

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

/** Your own rate limiter, for example one that several machines share. */
export interface ThrottleLimiter extends Pick<ThrottleLimits, 'concurrency' | 'maxQueue'> {
  /** The limiter itself determines the rate. */
  readonly requestsPerSecond?: undefined;
  /** Resolves when one request may start. Rejects when `signal` aborts. */
  acquire(signal: AbortSignal): PromiseLike<unknown>;
}

/**
 * Returns `true` on Cloudflare Workers, where a request's timers and promises end with it, so that shared limits would
 * stall.
 */
export const isWorkers = (): boolean => globalThis.navigator?.userAgent === 'Cloudflare-Workers';

const aLimiterOnly = /* @__PURE__ */ rule(
  'only { acquire } on Cloudflare Workers',
  value =>
    isPlainObject(value) &&
    aFunction.isValid(value.acquire) &&
    [value.requestsPerSecond, value.concurrency, value.maxQueue].every(limit => limit === undefined),
);

/** Accepts limits, or a limiter with optional limits. */
export const aThrottle = (): OptionRule =>
  isWorkers()
    ? aLimiterOnly
    : anObjectOf('throttle', {
        requestsPerSecond: aNumberAboveZero,
        acquire: aFunction,
        concurrency: aCount(1),
        maxQueue: aCount(1),
      });
