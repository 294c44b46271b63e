// Calls that wait for a rate limiter, for the tests of its files.
import type { RateLimiter } from '../../src/http/rate-limiter.ts';

/** A call that has started, and when: in milliseconds from the time at which it began to wait. */
export interface Start {
  readonly call: number;
  readonly at: number;
}

/** Lets `count` calls wait for the limiter, and notes when each starts. */
export function startCalls(limiter: RateLimiter, count: number, signal?: AbortSignal) {
  const from = performance.now();
  const starts: Start[] = [];
  const ended = firstNumbers(count).map(call =>
    limiter.acquire(signal).then(() => void starts.push({ call, at: Math.round(performance.now() - from) })),
  );
  return { starts, ended: Promise.allSettled(ended) };
}

export const order = (starts: readonly Start[]) => starts.map(({ call }) => call);

export const times = (starts: readonly Start[]) => starts.map(({ at }) => at);

export const firstNumbers = (count: number) => Array.from({ length: count }, (_, index) => index);
