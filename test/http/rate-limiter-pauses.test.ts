import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RateLimiter } from '../../src/http/rate-limiter.ts';
import { firstNumbers, order, startCalls, times } from './waiting-calls.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('a pause', () => {
  test('begins before a call that waits for the refused permit can start', async () => {
    const limiter = new RateLimiter({ concurrency: 1 });
    limiter.tryAcquire();
    const { starts } = startCalls(limiter, 3);
    limiter.release({ retryAfterMs: 2_000 });
    await pass(1_999);
    expect(starts).toEqual([]);
    await pass(1);
    expect(order(starts)).toEqual([0]);
  });

  test('is as long as the longest that was requested', async () => {
    const limiter = new RateLimiter({ concurrency: 3 });
    for (let call = 0; call < 3; call += 1) limiter.tryAcquire();
    for (const retryAfterMs of [1_000, 3_000, 2_000]) limiter.release({ retryAfterMs });
    const { starts } = startCalls(limiter, 1);
    await pass(5_000);
    expect(times(starts)).toEqual([3_000]);
  });

  test.each([
    3_600_000,
    365 * 24 * 3_600_000,
    Number.MAX_VALUE,
    Number('9'.repeat(400)),
    Number.POSITIVE_INFINITY,
  ])('of %d ms lasts 300 s', async retryAfterMs => {
    const limiter = new RateLimiter({ concurrency: 1 });
    limiter.tryAcquire();
    limiter.release({ retryAfterMs });
    const { starts } = startCalls(limiter, 1);
    await pass(600_000);
    expect(times(starts)).toEqual([300_000]);
  });

  test.each([0, -1, Number.NaN, Number.NEGATIVE_INFINITY])('of %d ms is none', async ms => {
    const limiter = new RateLimiter({ concurrency: 1 });
    limiter.pause(ms);
    expect(limiter.tryAcquire()).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('of 0 ms does not spread the starts of calls that wait', async () => {
    const limiter = new RateLimiter({ requestsPerSecond: 1_000 });
    const { starts } = startCalls(limiter, 3);
    limiter.pause(0);
    await pass(2_000);
    expect(times(starts)).toEqual([0, 1, 2]);
  });

  test('keeps the process alive while a call waits, and only then', async () => {
    vi.useRealTimers();
    const limiter = new RateLimiter({ concurrency: 1 });
    const pending = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length;
    const before = pending();
    limiter.pause(60_000);
    expect(pending()).toBe(before);
    const controller = new AbortController();
    const waiting = limiter.acquire(controller.signal);
    expect(pending()).toBe(before + 1);
    controller.abort('done');
    await expect(waiting).rejects.toBe('done');
    expect(pending()).toBe(before);
  });

  test('is followed by the starts of the calls that waited, spread over a second', async () => {
    const limiter = new RateLimiter({ concurrency: 50 });
    limiter.pause(1_000);
    const { starts } = startCalls(limiter, 20);
    await pass(3_000);
    expect(times(starts)).toEqual(firstNumbers(20).map(call => 1_000 + call * 50));
    expect(order(starts)).toEqual(firstNumbers(20));
  });

  test('slows later calls down no more once those that waited have started', async () => {
    const limiter = new RateLimiter({ concurrency: 50 });
    limiter.pause(1_000);
    startCalls(limiter, 5);
    await pass(3_000);
    const { starts } = startCalls(limiter, 20);
    await pass(0);
    expect(starts).toHaveLength(20);
  });
});

test('a pause that ended while no call waited slows later calls down no more', async () => {
  const limiter = new RateLimiter({ requestsPerSecond: 1_000 });
  limiter.pause(1_000);
  await pass(5_000);
  const { starts } = startCalls(limiter, 3);
  await pass(1_000);
  expect(times(starts)).toEqual([0, 1, 2]);
});

test('calls that come while those of a pause start are not spread themselves', async () => {
  const limiter = new RateLimiter({ concurrency: 50 });
  limiter.pause(1_000);
  startCalls(limiter, 5);
  await pass(1_000);
  const { starts } = startCalls(limiter, 20);
  await pass(800);
  // Four of the five start 200 ms apart, and the new ones behind the last.
  expect(times(starts)).toEqual(Array.from({ length: 20 }, () => 800));
});

test('a pause that ended by the clock does not end a later one when its timer is due', async () => {
  const limiter = new RateLimiter({ concurrency: 2 });
  limiter.pause(1_000);
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_000);
  expect(limiter.tryAcquire()).toBe(true);
  clock.mockRestore();
  limiter.pause(5_000);
  await pass(4_999);
  expect(limiter.tryAcquire()).toBe(false);
  await pass(1);
  expect(limiter.tryAcquire()).toBe(true);
});

describe('a refusal', () => {
  test('during a pause prolongs it, though a request was accepted meanwhile', async () => {
    const limiter = new RateLimiter({ concurrency: 3 });
    for (let call = 0; call < 3; call += 1) limiter.tryAcquire();
    limiter.release({ retryAfterMs: 1_000 });
    limiter.release('success');
    limiter.release({ retryAfterMs: 3_000 });
    const { starts } = startCalls(limiter, 1);
    await pass(5_000);
    expect(times(starts)).toEqual([3_000]);
  });

  test('that asks for no pause leaves the pause that a later one asks for to all calls', async () => {
    const limiter = new RateLimiter({ concurrency: 3 });
    for (let call = 0; call < 3; call += 1) limiter.tryAcquire();
    limiter.release({ retryAfterMs: 0 });
    limiter.release('success');
    limiter.release({ retryAfterMs: 2_000 });
    const { starts } = startCalls(limiter, 1);
    await pass(5_000);
    expect(times(starts)).toEqual([2_000]);
  });

  test.each([undefined, 0])(
    'with a `Retry-After` of %o slows the client down without a pause',
    async retryAfterMs => {
      const limiter = new RateLimiter({ requestsPerSecond: 10 });
      limiter.tryAcquire();
      limiter.release({ retryAfterMs });
      const { starts } = startCalls(limiter, 3);
      await pass(1_000);
      expect(times(starts)).toEqual([100, 243, 386]);
    },
  );

  test('while the service accepts other requests slows the client down in place of a second pause', async () => {
    const limiter = new RateLimiter({ requestsPerSecond: 100 });
    limiter.tryAcquire();
    limiter.release({ retryAfterMs: 1_000 });
    await pass(1_000);
    limiter.tryAcquire();
    limiter.release('success');
    await pass(100);
    limiter.tryAcquire();
    limiter.release({ retryAfterMs: 1_000 });
    await pass(100);
    expect(limiter.tryAcquire()).toBe(true);
  });

  test('is forgotten after successes: the configured rate is back', async () => {
    const limiter = new RateLimiter({ requestsPerSecond: 10 });
    limiter.tryAcquire();
    limiter.release({ retryAfterMs: undefined });
    for (let call = 0; call < 60; call += 1) {
      await limiter.acquire(vi.advanceTimersByTime(1_000) && undefined);
      limiter.release('success');
    }
    await pass(1_000);
    const { starts } = startCalls(limiter, 3);
    await pass(1_000);
    expect(times(starts)).toEqual([0, 100, 200]);
  });

  test('during a pause does not lower the rate again', async () => {
    const refusedBy = async (refusals: number) => {
      const limiter = new RateLimiter({ requestsPerSecond: 10 });
      for (let call = 0; call < refusals; call += 1) {
        limiter.tryAcquire();
        await pass(100);
      }
      limiter.release({ retryAfterMs: 5_000 });
      await pass(1_500);
      for (let refusal = 1; refusal < refusals; refusal += 1) limiter.release({ retryAfterMs: undefined });
      await pass(5_000);
      const { starts } = startCalls(limiter, 3);
      await pass(5_000);
      return times(starts);
    };
    expect(await refusedBy(5)).toEqual(await refusedBy(1));
  });

  test('without `Retry-After` is reported by no pause, and a failed attempt teaches nothing', () => {
    const limiter = new RateLimiter({ concurrency: 10 });
    limiter.tryAcquire();
    limiter.release();
    for (let call = 0; call < 10; call += 1) expect(limiter.tryAcquire()).toBe(true);
  });
});
