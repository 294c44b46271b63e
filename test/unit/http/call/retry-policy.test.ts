import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mayRetry, RetryBudget, retryDelayMs } from '../../../../src/http/call/retry-policy.ts';

const refusal = { retryAfterMs: 1_000 };
const failure = { retryAfterMs: undefined };

describe('mayRetry', () => {
  test.each([
    ['an idempotent request', true, 'not-sent', true],
    ['an idempotent request', true, 'refused', true],
    ['an idempotent request', true, 'unknown', true],
    ['an idempotent request', true, 'done', false],
    ['a request that is not idempotent', false, 'not-sent', true],
    ['a request that is not idempotent', false, 'refused', true],
    ['a request that is not idempotent', false, 'unknown', false],
    ['a request that is not idempotent', false, 'done', false],
  ] as const)('for %s (%o) after outcome %o is %o', (_request, idempotent, outcome, expected) => {
    expect(mayRetry(idempotent, { outcome, transient: true })).toBe(expected);
    expect(mayRetry(idempotent, { outcome, transient: false })).toBe(false);
  });

  test.each([
    [0, true],
    [300_000, true],
    [300_001, false],
    [Number.POSITIVE_INFINITY, false],
    [Number.NaN, false],
  ])('with a `Retry-After` of %d ms is %o', (retryAfterMs, expected) => {
    expect(mayRetry(true, { outcome: 'refused', transient: true, retryAfterMs })).toBe(expected);
  });
});

describe('retryDelayMs', () => {
  test('has full jitter below a bound that doubles from 500 ms up to 8 s', () => {
    const largest = [1, 2, 3, 4, 5, 6, 50, 5_000].map(retry => retryDelayMs(retry, undefined, () => 1));
    expect(largest).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000]);
    expect(retryDelayMs(3, undefined, () => 0)).toBe(0);
    expect(retryDelayMs(3, undefined, () => 0.5)).toBe(1_000);
  });

  test('waits at least as long as `Retry-After` says, plus a quarter at most and half a second at most', () => {
    expect(retryDelayMs(1, 1_000, () => 0)).toBe(1_000);
    expect(retryDelayMs(1, 1_000, () => 1)).toBe(1_250);
    expect(retryDelayMs(1, 60_000, () => 1)).toBe(60_500);
    expect(retryDelayMs(1, 0, () => 1)).toBe(0);
  });

  test('is a number of milliseconds that timers support, whatever comes', () => {
    const anyMs = fc.option(fc.double({ min: 0 }), { nil: undefined });
    fc.assert(
      fc.property(
        fc.integer({ min: 1 }),
        anyMs,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (retry, ms, random) => {
          const delay = retryDelayMs(retry, Number.isNaN(ms) ? undefined : ms, () => random);
          expect(delay).toBeGreaterThanOrEqual(Math.min(ms ?? 0, 300_000) || 0);
          expect(delay).toBeLessThanOrEqual(300_500);
        },
      ),
    );
  });
});

describe('the retry budget', () => {
  const takeAll = (budget: RetryBudget, kind: typeof refusal | typeof failure) => {
    let taken = 0;
    while (taken < 10_000 && budget.take(kind)) taken += 1;
    return taken;
  };

  test.each([
    ['a failure', failure],
    ['a refusal with `Retry-After`', refusal],
  ])('holds 100 retries after %s: 500 calls that all fail make 600 requests', (_kind, kind) => {
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

  test('never holds more than 100 retries', () => {
    const budget = new RetryBudget();
    for (let success = 0; success < 10_000; success += 1) budget.earn();
    expect([takeAll(budget, failure), takeAll(budget, refusal)]).toEqual([100, 100]);
  });

  test('keeps the two kinds of failure apart', () => {
    const budget = new RetryBudget();
    takeAll(budget, refusal);
    expect(budget.take(failure)).toBe(true);
    takeAll(budget, failure);
    budget.earn();
    expect([budget.take(failure), budget.take(refusal)]).toEqual([false, true]);
  });
});

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
