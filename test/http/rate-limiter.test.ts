import { getEventListeners } from 'node:events';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { QueueFullError, RateLimiter } from '../../src/http/rate-limiter.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Lets `count` calls wait for the limiter, and notes when each starts, in milliseconds from now. */
function startCalls(limiter: RateLimiter, count: number, signal?: AbortSignal) {
  const from = performance.now();
  const starts: { readonly call: number; readonly at: number }[] = [];
  const ended = Array.from({ length: count }, (_, call) =>
    limiter.acquire(signal).then(() => void starts.push({ call, at: Math.round(performance.now() - from) })),
  );
  return { starts, ended: Promise.allSettled(ended) };
}

const order = (starts: readonly { readonly call: number }[]) => starts.map(({ call }) => call);
const times = (starts: readonly { readonly at: number }[]) => starts.map(({ at }) => at);
const firstNumbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('without a throttle', () => {
  test('every call starts at once, also after a refusal', () => {
    const limiter = new RateLimiter();
    for (let call = 0; call < 1_000; call += 1) expect(limiter.tryAcquire()).toBe(true);
    limiter.release({ retryAfterMs: 60_000 });
    expect(limiter.tryAcquire()).toBe(true);
  });

  test('a pause holds', async () => {
    const limiter = new RateLimiter();
    limiter.pause(1_000);
    expect(limiter.tryAcquire()).toBe(false);
    await pass(1_000);
    expect(limiter.tryAcquire()).toBe(true);
  });
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
    await pass(3 * 24 * 3_600_000);
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

  test('does not let a new call start before one that waits', async () => {
    const limiter = new RateLimiter({ concurrency: 1, requestsPerSecond: 1 });
    limiter.tryAcquire();
    const { starts } = startCalls(limiter, 1);
    limiter.release();
    expect(limiter.tryAcquire()).toBe(false);
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

  test('is as long as the longest that was asked for', async () => {
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

describe('a refusal', () => {
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
    for (let call = 0; call < 40; call += 1) {
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

describe("a limiter of the user's own", () => {
  test('is asked for every permit, with the signal of the call', async () => {
    const acquire = vi.fn(async (_signal: AbortSignal) => {});
    const limiter = new RateLimiter({ acquire });
    expect(limiter.tryAcquire()).toBe(false);
    const { signal } = new AbortController();
    await limiter.acquire(signal);
    await limiter.acquire();
    expect(acquire).toHaveBeenCalledTimes(2);
    expect(acquire).toHaveBeenNthCalledWith(1, signal);
    expect(acquire.mock.calls[1]?.[0]).toBeInstanceOf(AbortSignal);
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

describe('fake timers', () => {
  test('end a pause when they are removed: it does not outlive the test that made it', () => {
    const limiter = new RateLimiter({ concurrency: 1 });
    limiter.tryAcquire();
    limiter.release({ retryAfterMs: 30_000 });
    expect(limiter.tryAcquire()).toBe(false);
    vi.useRealTimers();
    expect(limiter.tryAcquire()).toBe(true);
  });

  test('end a pause when they are installed', () => {
    vi.useRealTimers();
    const limiter = new RateLimiter({ concurrency: 1 });
    limiter.pause(30_000);
    vi.useFakeTimers();
    expect(limiter.tryAcquire()).toBe(true);
  });

  test('that leave the clocks alone end a pause all the same', async () => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const limiter = new RateLimiter({ concurrency: 1 });
    limiter.pause(30_000);
    await pass(29_999);
    expect(limiter.tryAcquire()).toBe(false);
    await pass(1);
    expect(limiter.tryAcquire()).toBe(true);
  });

  test('that leave the clocks alone space the starts all the same', async () => {
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { starts } = startCalls(new RateLimiter({ requestsPerSecond: 0.001 }), 4);
    await pass(3_000_000);
    expect(starts).toHaveLength(4);
  });

  test("of Node's own test runner end a pause", async () => {
    vi.useRealTimers();
    mock.timers.enable({ apis: ['setTimeout', 'Date'] });
    const limiter = new RateLimiter({ concurrency: 1 });
    limiter.pause(30_000);
    const { starts } = startCalls(limiter, 1);
    mock.timers.tick(29_999);
    await Promise.resolve();
    expect(starts).toHaveLength(0);
    mock.timers.tick(1);
    mock.timers.reset();
    await vi.waitFor(() => expect(starts).toHaveLength(1));
  });

  test('whose timers were cleared end a pause by their clock', () => {
    const limiter = new RateLimiter({ concurrency: 1 });
    limiter.pause(30_000);
    vi.clearAllTimers();
    vi.advanceTimersByTime(30_000);
    expect(limiter.tryAcquire()).toBe(true);
  });

  test('leave no wait behind that is longer than the time between two starts', async () => {
    const limiter = new RateLimiter({ requestsPerSecond: 1 });
    vi.advanceTimersByTime(3_600_000);
    limiter.tryAcquire();
    vi.useRealTimers();
    vi.useFakeTimers();
    const { starts } = startCalls(limiter, 2);
    await pass(2_000);
    expect(times(starts)).toEqual([1_000, 2_000]);
  });
});
