import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { RetryBudget, retryDelayMs } from '../../../src/http/retries.ts';

const refusal = 'wait' as const;
const failure = 'failure' as const;

describe('retryDelayMs', () => {
  const delayOf = (retry: number, retryAfterMs: number | undefined, random: number) => {
    vi.spyOn(Math, 'random').mockReturnValue(random);
    return retryDelayMs(retry, retryAfterMs);
  };
  afterEach(() => void vi.restoreAllMocks());

  test('has full jitter up to a bound that doubles from 500 ms to 8 s', () => {
    const largest = [1, 2, 3, 4, 5, 6, 50, 5_000].map(retry => delayOf(retry, undefined, 1));
    expect(largest).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000]);
    expect(delayOf(3, undefined, 0)).toBe(0);
    expect(delayOf(3, undefined, 0.5)).toBe(1_000);
  });

  test('is at least `Retry-After`, with up to a quarter of it or half a second added', () => {
    expect(delayOf(1, 1_000, 0)).toBe(1_000);
    expect(delayOf(1, 1_000, 1)).toBe(1_250);
    expect(delayOf(1, 60_000, 1)).toBe(60_500);
    expect(delayOf(1, 0, 1)).toBe(0);
  });

  test('is always a number of milliseconds that timers support', () => {
    const anyMs = fc.option(fc.double({ min: 0, max: 300_000, noNaN: true }), { nil: undefined });
    fc.assert(
      fc.property(
        fc.integer({ min: 1 }),
        anyMs,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (retry, ms, random) => {
          const delay = delayOf(retry, ms, random);
          expect(delay).toBeGreaterThanOrEqual(ms ?? 0);
          expect(delay).toBeLessThanOrEqual(300_500);
        },
      ),
    );
  });
});

describe('the retry budget', () => {
  const takeAll = (budget: RetryBudget, kind: 'failure' | 'wait') => {
    let taken = 0;
    while (taken < 10_000 && budget.take(kind)) taken += 1;
    return taken;
  };

  test.each([
    ['a failure', failure],
    ['a refusal with `Retry-After`', refusal],
  ])('allows 100 retries after %s: 500 calls that all fail make 600 requests', (_kind, kind) => {
    const budget = new RetryBudget();
    let requests = 0;
    for (let call = 0; call < 500; call += 1) {
      requests += 1;
      for (let retry = 1; retry <= 2 && budget.take(kind); retry += 1) requests += 1;
    }
    expect(requests).toBe(600);
  });

  test('earns a retry after ten successes, and one per success after a response with `Retry-After`', () => {
    const budget = new RetryBudget();
    takeAll(budget, failure);
    takeAll(budget, refusal);
    for (let success = 0; success < 30; success += 1) budget.earn();
    expect([takeAll(budget, failure), takeAll(budget, refusal)]).toEqual([3, 30]);
  });

  test('never allows more than 100 retries', () => {
    const budget = new RetryBudget();
    for (let success = 0; success < 10_000; success += 1) budget.earn();
    expect([takeAll(budget, failure), takeAll(budget, refusal)]).toEqual([100, 100]);
  });

  test('counts the two kinds of failure separately', () => {
    const budget = new RetryBudget();
    takeAll(budget, refusal);
    expect(budget.take(failure)).toBe(true);
    takeAll(budget, failure);
    budget.earn();
    expect([budget.take(failure), budget.take(refusal)]).toEqual([false, true]);
  });
});

test('the retry budget allows one retry per ten successful calls in the long run', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 2_000 }), successes => {
      const budget = new RetryBudget();
      let taken = 0;
      let succeeded = 0;
      for (const success of successes) {
        if (success) {
          succeeded += 1;
          budget.earn();
        } else if (budget.take('failure')) taken += 1;
      }
      expect(taken).toBeLessThanOrEqual(100 + Math.ceil(succeeded / 10));
    }),
  );
});
