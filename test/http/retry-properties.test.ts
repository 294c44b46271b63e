// Properties of retry delays and the retry budget, for random inputs.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RetryBudget, retryDelayMs } from '../../src/http/call/retry-policy.ts';

const retry = fc.integer({ min: 1, max: 60 });
const draw = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('backoff', () => {
  const ceiling = (number: number) => retryDelayMs(number, undefined, () => 1);

  test('has full jitter, evenly between nothing and a ceiling', () => {
    fc.assert(
      fc.property(retry, draw, (number, drawn) => {
        expect(retryDelayMs(number, undefined, () => drawn)).toBeCloseTo(drawn * ceiling(number), 6);
      }),
    );
  });

  test('has a ceiling that doubles until it no longer grows', () => {
    const first = ceiling(1);
    const last = ceiling(60);
    expect(first).toBeGreaterThan(0);
    fc.assert(fc.property(retry, number => ceiling(number) === Math.min(last, first * 2 ** (number - 1))));
  });
});

test('the retry budget allows retries of a tenth of the calls in the long run', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 2_000 }), successes => {
      const budget = new RetryBudget();
      let taken = 0;
      let succeeded = 0;
      for (const success of successes) {
        if (success) {
          succeeded += 1;
          budget.earn();
        } else if (budget.take({ retryAfterMs: undefined })) taken += 1;
      }
      expect(taken).toBeLessThanOrEqual(100 + Math.ceil(succeeded / 10));
    }),
  );
});
