import { checkConfiguration } from './check-options.ts';
import type { ThrottleLimiter, ThrottleLimits } from './limits/rate-limiter.ts';
import { aCount, aFunction, aNumberAboveZero, type OptionRules } from './option-rules.ts';

/** Throws a `ConfigurationError` unless the option `throttle`, which is an object, holds limits or a limiter. */
export function checkThrottle(throttle: ThrottleLimits | ThrottleLimiter | undefined): void {
  if (throttle === undefined) return;
  const rules: OptionRules = {
    ...('acquire' in throttle ? { acquire: aFunction } : { requestsPerSecond: aNumberAboveZero }),
    concurrency: aNumberAboveZero,
    maxQueue: aCount(1),
  };
  checkConfiguration('throttle', throttle, rules, 'throttle.');
}
