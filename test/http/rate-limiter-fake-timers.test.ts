import { mock } from 'node:test';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RateLimiter } from '../../src/http/rate-limiter.ts';
import { startCalls, times } from './waiting-calls.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

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
    limiter.release();
    vi.useRealTimers();
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
    vi.advanceTimersByTime(30_001);
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
