import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RateLimiter, type ThrottleLimits } from '../../src/http/rate-limiter.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** How the service responds to one request, and whether and when its caller aborts. */
const plannedCall = fc.record({
  arrivesAfterMs: fc.oneof(fc.constant(0), fc.nat(300)),
  durationMs: fc.nat(800),
  result: fc.oneof(
    { weight: 5, arbitrary: fc.constant('success' as const) },
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 3, arbitrary: fc.record({ retryAfterMs: fc.option(fc.nat(4_000), { nil: undefined }) }) },
  ),
  abortsAfterMs: fc.option(fc.nat(2_000), { nil: undefined, freq: 4 }),
});

type PlannedCall = typeof plannedCall extends fc.Arbitrary<infer Call> ? Call : never;

const limits: fc.Arbitrary<ThrottleLimits> = fc.record({
  requestsPerSecond: fc.option(fc.double({ min: 0.5, max: 500, noNaN: true }), { nil: undefined }),
  concurrency: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
  maxQueue: fc.option(fc.nat(20), { nil: undefined }),
});

interface CallLog {
  readonly arrived: number;
  started: number | undefined;
  released: number | undefined;
  end: 'done' | 'aborted' | 'queue full' | undefined;
  readonly planned: PlannedCall;
}

const wait = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

async function makeCall(limiter: RateLimiter, log: CallLog): Promise<void> {
  const controller = new AbortController();
  const { abortsAfterMs, durationMs, result } = log.planned;
  if (abortsAfterMs !== undefined) setTimeout(() => controller.abort('aborted'), abortsAfterMs);
  try {
    await limiter.acquire(controller.signal);
  } catch (reason) {
    log.end = reason === 'aborted' ? 'aborted' : 'queue full';
    return;
  }
  log.started = performance.now();
  await wait(durationMs);
  log.released = performance.now();
  limiter.release(result);
  log.end = 'done';
}

/** Makes the calls as planned, until all have ended or a day has passed. */
async function simulate(options: ThrottleLimits, calls: readonly PlannedCall[]): Promise<CallLog[]> {
  const limiter = new RateLimiter(options);
  const logs: CallLog[] = [];
  for (const planned of calls) {
    if (planned.arrivesAfterMs > 0) await vi.advanceTimersByTimeAsync(planned.arrivesAfterMs);
    const log: CallLog = {
      arrived: performance.now(),
      started: undefined,
      released: undefined,
      end: undefined,
      planned,
    };
    logs.push(log);
    void makeCall(limiter, log);
  }
  await vi.advanceTimersByTimeAsync(24 * 3_600_000);
  return logs;
}

const startsOf = (logs: readonly CallLog[]) =>
  logs.flatMap(({ started }) => started ?? []).sort((a, b) => a - b);

function expectRateKept(logs: readonly CallLog[], requestsPerSecond: number): void {
  const starts = startsOf(logs);
  for (let first = 0; first < starts.length; first += 1)
    for (let last = first + 1; last < starts.length; last += 1) {
      const windowMs = (starts[last] ?? 0) - (starts[first] ?? 0);
      // Starts that a slow timer delays are caught up with: 16 ms at most.
      expect(last - first).toBeLessThanOrEqual(((windowMs + 16.001) * requestsPerSecond) / 1_000);
    }
}

function expectConcurrencyKept(logs: readonly CallLog[], concurrency: number): void {
  for (const at of startsOf(logs)) {
    const inFlight = logs.filter(
      ({ started = Number.POSITIVE_INFINITY, released = Number.POSITIVE_INFINITY }) =>
        started <= at && released > at,
    );
    expect(inFlight.length).toBeLessThanOrEqual(concurrency);
  }
}

/** The first refusal that asks for a pause comes at the full rate, so that it pauses all calls. */
function expectPauseKept(logs: readonly CallLog[]): void {
  const asking = logs
    .flatMap(({ released, planned: { result } }) =>
      released !== undefined && typeof result === 'object' && result.retryAfterMs
        ? [{ from: released, to: released + result.retryAfterMs }]
        : [],
    )
    .sort((a, b) => a.from - b.from);
  const pause = asking[0];
  if (!pause) return;
  const during = startsOf(logs).filter(at => at > pause.from && at < pause.to - 0.001);
  expect(during).toEqual([]);
}

function expectFirstComeFirstServed(logs: readonly CallLog[]): void {
  const started = logs.filter(log => log.started !== undefined);
  for (let index = 1; index < started.length; index += 1)
    expect(started[index]?.started).toBeGreaterThanOrEqual(started[index - 1]?.started ?? 0);
}

test('every call ends, in order, within the rate, the concurrency and the pauses', async () => {
  await fc.assert(
    fc.asyncProperty(
      limits,
      fc.array(plannedCall, { minLength: 1, maxLength: 40 }),
      async (options, calls) => {
        const logs = await simulate(options, calls);
        expect(logs.map(({ end }) => end)).not.toContain(undefined);
        expectFirstComeFirstServed(logs);
        expectPauseKept(logs);
        if (options.requestsPerSecond) expectRateKept(logs, options.requestsPerSecond);
        if (options.concurrency) expectConcurrencyKept(logs, options.concurrency);
        expect(vi.getTimerCount()).toBe(0);
      },
    ),
    { numRuns: 300 },
  );
});
