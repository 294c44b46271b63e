import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RateLimiter } from '../../../src/call/rate-limiter.ts';
import type { ThrottleLimits } from '../../../src/call/throttle-limits.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

const { signal: never } = new AbortController();

type Release = Awaited<ReturnType<RateLimiter['acquire']>>;

/**
 * Makes this number of calls wait for the limiter; records when each starts, in milliseconds from now, and the function
 * that returns its permit.
 */
function startCalls(limiter: RateLimiter, count: number, signal: AbortSignal = never) {
  const from = performance.now();
  const starts: { readonly call: number; readonly at: number; readonly release: Release }[] = [];
  const ended = numbers(count).map(async call => {
    const release = await limiter.acquire(signal);
    starts.push({ call, at: Math.round(performance.now() - from), release });
  });
  return { starts, ended: Promise.allSettled(ended) };
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

const order = ({ starts }: ReturnType<typeof startCalls>) => starts.map(({ call }) => call);

const times = ({ starts }: ReturnType<typeof startCalls>) => starts.map(({ at }) => at);

describe('requestsPerSecond', () => {
  test('is reached even if the interval is shorter than a timer can be', async () => {
    const { starts } = startCalls(new RateLimiter({ requestsPerSecond: 4_000 }), 4_001);
    await pass(1_001);
    expect(starts).toHaveLength(4_001);
  });

  test.each([1e-9, Number.MIN_VALUE])('of %d lets one call start, without a busy loop', async rate => {
    const { starts } = startCalls(new RateLimiter({ requestsPerSecond: rate }), 2);
    await pass(0);
    starts[0]?.release();
    await pass(24 * 24 * 3_600_000);
    expect(starts).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(1);
  });

  test('starts no two calls at once after an idle time', async () => {
    const limiter = new RateLimiter({ requestsPerSecond: 100 });
    startCalls(limiter, 1);
    await pass(1_000);
    const calls = startCalls(limiter, 3);
    await pass(100);
    expect(times(calls)).toEqual([0, 10, 20]);
  });

  test('starts no burst of calls when a timer is seconds late', async () => {
    const calls = startCalls(new RateLimiter({ requestsPerSecond: 10 }), 20);
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 5_000);
    await pass(200);
    clock.mockRestore();
    expect(order(calls)).toEqual([0, 1, 2]);
  });
});

test('maxQueue is 10 000 by default', async () => {
  const limiter = new RateLimiter({ concurrency: 1 });
  await limiter.acquire(never);
  const refused = vi.fn();
  // Many listeners on one signal are slow.
  for (const _ of numbers(9_999)) limiter.acquire(new AbortController().signal).catch(refused);
  await pass(0);
  expect(limiter.isFull).toBe(false);
  limiter.acquire(new AbortController().signal).catch(refused);
  await pass(0);
  expect(limiter.isFull).toBe(true);
  expect(refused).not.toHaveBeenCalled();
});

describe("the user's limiter", () => {
  test('that grants a permit during an abort starts no request', async () => {
    const controller = new AbortController();
    const limiter = new RateLimiter({ acquire: async () => controller.abort('enough') });
    await expect(limiter.acquire(controller.signal)).rejects.toBe('enough');
  });

  test('starts no request during a pause, even one that began while it was acquiring', async () => {
    const permits: (() => void)[] = [];
    const acquire = () => new Promise<void>(resolve => void permits.push(resolve));
    const limiter = new RateLimiter({ acquire });
    const calls = startCalls(limiter, 1);
    const waiting = startCalls(limiter, 1);
    await pass(0);
    permits[0]?.();
    await pass(0);
    calls.starts[0]?.release(2_000);
    permits[1]?.();
    await pass(5_000);
    expect([times(calls), times(waiting)]).toEqual([[0], [2_000]]);
  });

  test('observes an abort during a pause that began while it was acquiring', async () => {
    const controller = new AbortController();
    const limiter: RateLimiter = new RateLimiter({ acquire: async () => release?.(2_000) });
    let release: Release | undefined;
    release = await limiter.acquire(never);
    const aborted = vi.fn();
    limiter.acquire(controller.signal).catch(aborted);
    await pass(1_000);
    controller.abort('enough');
    await pass(0);
    expect(aborted).toHaveBeenCalledWith('enough');
  });
});

/** When a call is made, how long its request takes, its `Retry-After`, and when its caller aborts, if at all. */
const plannedCall = fc.record({
  arrivesAfterMs: fc.oneof(fc.constant(0), fc.nat(300)),
  durationMs: fc.nat(800),
  retryAfterMs: fc.option(fc.nat(4_000), { nil: undefined, freq: 2 }),
  abortsAfterMs: fc.option(fc.nat(2_000), { nil: undefined, freq: 4 }),
});

type PlannedCall = typeof plannedCall extends fc.Arbitrary<infer Call> ? Call : never;

const limits: fc.Arbitrary<ThrottleLimits> = fc.record({
  requestsPerSecond: fc.option(fc.double({ min: 0.5, max: 500, noNaN: true }), { nil: undefined }),
  concurrency: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
  maxQueue: fc.option(fc.nat(20), { nil: undefined }),
});

interface Made extends PlannedCall {
  started: number;
  released: number;
  hasEnded: boolean;
}

async function makeCall(limiter: RateLimiter, call: Made): Promise<void> {
  const controller = new AbortController();
  if (call.abortsAfterMs !== undefined) setTimeout(() => controller.abort('enough'), call.abortsAfterMs);
  try {
    const release = await limiter.acquire(controller.signal);
    call.started = performance.now();
    await new Promise(resolve => setTimeout(resolve, call.durationMs));
    call.released = performance.now();
    release(call.retryAfterMs);
  } catch {}
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  call.hasEnded = true;
}

test('every call ends, in order, within the rate, the concurrency and the pauses', async () => {
  const run = fc.asyncProperty(
    limits,
    fc.array(plannedCall, { minLength: 1, maxLength: 40 }),
    async (options, plan) => {
      const limiter = new RateLimiter(options);
      const made: Made[] = [];
      for (const planned of plan) {
        await pass(planned.arrivesAfterMs);
        const none = Number.POSITIVE_INFINITY;
        const call = { ...planned, started: none, released: none, hasEnded: false };
        made.push(call);
        void makeCall(limiter, call);
      }
      await pass(24 * 3_600_000);
      expect(made.every(({ hasEnded }) => hasEnded)).toBe(true);
      const starts = made.map(({ started }) => started).filter(Number.isFinite);
      expect(starts).toEqual(starts.toSorted((one, other) => one - other));
      const { requestsPerSecond = Number.POSITIVE_INFINITY, concurrency = Number.POSITIVE_INFINITY } =
        options;
      starts.forEach((at, last) => {
        const inFlight = made.filter(({ started, released }) => started <= at && released > at);
        expect(inFlight.length).toBeLessThanOrEqual(concurrency);
        // After a slow timer, the limiter catches up by at most 16 ms.
        for (let first = 0; first < last; first += 1)
          expect(last - first).toBeLessThanOrEqual(
            ((at - (starts[first] ?? 0) + 16.001) * requestsPerSecond) / 1_000,
          );
      });
      for (const { released, retryAfterMs = 0 } of made)
        expect(starts.filter(at => at > released && at < released + retryAfterMs - 0.001)).toEqual([]);
      expect(vi.getTimerCount()).toBe(0);
    },
  );
  await fc.assert(run, { numRuns: 200 });
});
