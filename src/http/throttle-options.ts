import { checkConfiguration, invalidOption } from './check-options.ts';
import { aCount, aFunction, aNumberAboveZero, type OptionRules } from './option-rules.ts';
import type { ThrottleLimiter, ThrottleLimits } from './rate-limiter.ts';

const limitRules = (): OptionRules<keyof ThrottleLimits> => ({
  requestsPerSecond: aNumberAboveZero,
  concurrency: aNumberAboveZero,
  maxQueue: aCount(1),
});

/** Throws a `ConfigurationError` unless the option `throttle`, which is an object, holds limits or a limiter. */
export function checkThrottle(throttle: ThrottleLimits | ThrottleLimiter | undefined): void {
  if (throttle === undefined) return;
  if (!('acquire' in throttle)) checkConfiguration('throttle', throttle, limitRules(), 'throttle.');
  else if (!aFunction.isValid(throttle.acquire)) throw invalidOption('throttle.acquire', aFunction.expected);
}
