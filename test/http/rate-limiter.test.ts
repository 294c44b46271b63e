import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  makeRateLimiter,
  QueueFullError,
  RateLimiter,
  type ThrottleLimiter,
} from '../../src/http/rate-limiter.ts';
import { firstNumbers, order, startCalls, times } from './waiting-calls.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('a client without a throttle has no rate limiter', () => {
  expect(makeRateLimiter(undefined)).toBeUndefined();
  expect(makeRateLimiter({})).toBeInstanceOf(RateLimiter);
});

test('without a limit every call starts at once, except during a pause', async () => {
  const limiter = new RateLimiter({});
  for (let call = 0; call < 1_000; call += 1) expect(limiter.tryAcquire()).toBe(true);
  limiter.pause(1_000);
  expect(limiter.tryAcquire()).toBe(false);
  await pass(1_000);
  expect(limiter.tryAcquire()).toBe(true);
});

describe('requestsPerSecond', () => {
  test('spaces the starts evenly, in the order of the calls', async () => {
    const { starts } = startCalls(new RateLimiter({ requestsPerSecond: 10 }), 21);
    await pass(2_000);
    expect(times(starts)).toEqual(firstNumbers(21).map(call => call * 100));
    expect(order(starts)).toEqual(firstNumbers(21));
  });

  test('saves nothing up while idle', async () => {
    const limiter = new RateLimiter({ requestsPerSecond: 10 });
    await pass(60_000);
    const { starts } = startCalls(limiter, 5);
    await pass(400);
    expect(times(starts)).toEqual([0, 100, 200, 300, 400]);
  });

  test('is reached where the interval is shorter than a timer can be', async () => {
    const { starts } = startCalls(new RateLimiter({ requestsPerSecond: 4_000 }), 4_001);
    await pass(1_001);
    expect(starts).toHaveLength(4_001);
  });

  test.each([1e-9, Number.MIN_VALUE])('of %d lets one call start, without a busy loop', async rate => {
    const { starts } = startCalls(new RateLimiter({ requestsPerSecond: rate }), 2);
    await pass(60 * 24 * 3_600_000);
    expect(starts).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(1);
  });
});

describe('concurrency', () => {
  test('bounds the requests in flight; a release starts the call that waits longest', async () => {
    const limiter = new RateLimiter({ concurrency: 2 });
    const { starts } = startCalls(limiter, 4);
    await pass(60_000);
    expect(order(starts)).toEqual([0, 1]);
    limiter.release();
    await pass(0);
    expect(order(starts)).toEqual([0, 1, 2]);
  });

  test('sets no timer while calls wait for another to end', () => {
    const limiter = new RateLimiter({ concurrency: 1 });
    limiter.tryAcquire();
    startCalls(limiter, 2);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('does not let a new call start before one that waits, even when a timer is late', async () => {
    const limiter = new RateLimiter({ requestsPerSecond: 1 });
    limiter.tryAcquire();
    const { starts } = startCalls(limiter, 1);
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_500);
    expect(limiter.tryAcquire()).toBe(false);
    clock.mockRestore();
    await pass(1_000);
    expect(order(starts)).toEqual([0]);
  });
});

describe('maxQueue', () => {
  test('refuses the next call while so many wait, and not once one has started', async () => {
    const limiter = new RateLimiter({ concurrency: 1, maxQueue: 2 });
    limiter.tryAcquire();
    startCalls(limiter, 2);
    const refused = limiter.acquire();
    await expect(refused).rejects.toBeInstanceOf(QueueFullError);
    await expect(refused).rejects.toMatchObject({ maxQueue: 2, message: expect.stringContaining('2 calls') });
    limiter.release();
    const { starts, ended } = startCalls(limiter, 1);
    limiter.release();
    limiter.release();
    await ended;
    expect(order(starts)).toEqual([0]);
  });

  test('of 0 lets no call wait', async () => {
    const limiter = new RateLimiter({ concurrency: 1, maxQueue: 0 });
    await limiter.acquire();
    await expect(limiter.acquire()).rejects.toBeInstanceOf(QueueFullError);
  });

  test('is 10 000 by default', async () => {
    const limiter = new RateLimiter({ concurrency: 1 });
    limiter.tryAcquire();
    startCalls(limiter, 10_000);
    await expect(limiter.acquire()).rejects.toMatchObject({ maxQueue: 10_000 });
  });

  test("counts the calls that wait for a limiter of the user's own", async () => {
    const limiter = new RateLimiter({ acquire: () => new Promise(() => {}) });
    startCalls(limiter, 10_000);
    await expect(limiter.acquire()).rejects.toMatchObject({ maxQueue: 10_000 });
  });
});

describe('a call that is aborted', () => {
  test('rejects with the reason and gives its place to the next', async () => {
    const limiter = new RateLimiter({ concurrency: 1 });
    limiter.tryAcquire();
    const controller = new AbortController();
    const aborted = limiter.acquire(controller.signal);
    const { starts } = startCalls(limiter, 1);
    controller.abort('enough');
    await expect(aborted).rejects.toBe('enough');
    limiter.release();
    await pass(0);
    expect(order(starts)).toEqual([0]);
  });

  test('before it waits rejects without taking a permit', async () => {
    const limiter = new RateLimiter({ concurrency: 1 });
    await expect(limiter.acquire(AbortSignal.abort('before'))).rejects.toBe('before');
    expect(limiter.tryAcquire()).toBe(true);
  });

  test('leaves no timer and no listener when it was the last that waited', async () => {
    const limiter = new RateLimiter({ requestsPerSecond: 1 });
    const controller = new AbortController();
    const { ended } = startCalls(limiter, 3, controller.signal);
    controller.abort();
    await ended;
    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  test('leaves no listener once it has started', async () => {
    const limiter = new RateLimiter({ requestsPerSecond: 1 });
    const { signal } = new AbortController();
    const { ended } = startCalls(limiter, 3, signal);
    await pass(2_000);
    await ended;
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('after its permit was granted keeps the permit, which is not lost', async () => {
    const limiter = new RateLimiter({ concurrency: 1 });
    limiter.tryAcquire();
    const controller = new AbortController();
    const waiting = limiter.acquire(controller.signal);
    limiter.release();
    controller.abort('late');
    await expect(waiting).resolves.toBeUndefined();
  });
});

describe("a limiter of the user's own", () => {
  test('gives every permit, and gets the signal of the call', async () => {
    const acquire = vi.fn(async (_signal: AbortSignal) => {});
    const limiter = new RateLimiter({ acquire });
    expect(limiter.tryAcquire()).toBe(false);
    const { signal } = new AbortController();
    await limiter.acquire(signal);
    await limiter.acquire();
    expect(acquire).toHaveBeenCalledTimes(2);
    expect(acquire).toHaveBeenNthCalledWith(1, signal);
    expect(acquire.mock.calls[1]?.[0]).toBeInstanceOf(AbortSignal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('sets every limit itself, whatever other members it has', async () => {
    const limiter = new RateLimiter({
      acquire: async () => {},
      concurrency: 1,
      maxQueue: 0,
    } as ThrottleLimiter);
    for (let call = 0; call < 3; call += 1) await limiter.acquire();
  });

  test('counts no more for the queue once it has given a permit', async () => {
    const limiter = new RateLimiter({ acquire: async () => {} });
    for (let call = 0; call <= 10_000; call += 1) await limiter.acquire();
  });

  test('whose permit comes together with an abort starts no request', async () => {
    const controller = new AbortController();
    const limiter = new RateLimiter({ acquire: async () => controller.abort('enough') });
    await expect(limiter.acquire(controller.signal)).rejects.toBe('enough');
  });

  test('that rejects or throws rejects the call with the same value', async () => {
    const error = new Error('the store is down');
    await expect(new RateLimiter({ acquire: () => Promise.reject(error) }).acquire()).rejects.toBe(error);
    const throwing = () => {
      throw error;
    };
    await expect(new RateLimiter({ acquire: throwing }).acquire()).rejects.toBe(error);
  });

  test('that ignores its signal does not hold a call that is aborted', async () => {
    const limiter = new RateLimiter({ acquire: () => new Promise(() => {}) });
    const controller = new AbortController();
    const waiting = limiter.acquire(controller.signal);
    controller.abort('enough');
    await expect(waiting).rejects.toBe('enough');
    expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  });

  test('starts no request during a pause', async () => {
    const limiter = new RateLimiter({ acquire: async () => {} });
    await limiter.acquire();
    limiter.release({ retryAfterMs: 2_000 });
    const { starts } = startCalls(limiter, 1);
    await pass(5_000);
    expect(times(starts)).toEqual([2_000]);
  });
});
