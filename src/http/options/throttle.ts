import { optionIssues } from './check-options.ts';
import { aCount, aFunction, aNumberAboveZero, isOptions, type OptionRule } from './rules.ts';

/** Passes limits, or a limiter with limits beside it. */
export const aThrottle = (): OptionRule => ({
  expected: 'an object',
  isValid: isOptions,
  issuesOf: throttle => {
    const isLimiter = 'acquire' in (throttle as object);
    const rules = {
      ...(isLimiter ? { acquire: aFunction } : { requestsPerSecond: aNumberAboveZero }),
      concurrency: aNumberAboveZero,
      maxQueue: aCount(1),
    };
    return optionIssues(throttle, rules, 'throttle');
  },
});
