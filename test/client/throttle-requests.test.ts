// The option `throttle` of a client that outlives the requests of the server that it is part of.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EmailMarketingClient, type ThrottleLimiter, type ThrottleLimits } from '../../src/index.ts';
import { fetchOfRequests, giveTimersToRequests, serverRequest } from './server-requests.ts';
import { restoreClock, stopClock } from './timed-client.ts';

beforeEach(() => {
  stopClock();
  giveTimersToRequests();
});
afterEach(restoreClock);

/** A client, the times at which its requests are sent, and a function that makes a call in a request of its own. */
function visited(throttle: ThrottleLimits | ThrottleLimiter, responseMs: number) {
  const { fetch, sentAt } = fetchOfRequests(responseMs);
  const client = new EmailMarketingClient({
    baseUrl: 'https://api.example.com',
    apiKey: 'key',
    logLevel: 'off',
    fetch,
    throttle,
  });
  const visit = () => {
    let outcome = 'waiting';
    const { timers, end } = serverRequest(() =>
      client.senders.list().then(
        () => (outcome = 'done'),
        error => (outcome = error.code),
      ),
    );
    return { outcome: () => outcome, timers, end };
  };
  return { visit, sentAt };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('a call starts when the request that waits before it has ended', async () => {
  const { visit, sentAt } = visited({ concurrency: 1 }, 100);
  const [first, left, third] = [visit(), visit(), visit()];
  await pass(50);
  left.end();
  await pass(10_000);
  expect([first, left, third].map(({ outcome }) => outcome())).toEqual(['done', 'waiting', 'done']);
  expect(sentAt).toHaveLength(2);
});

test('the permits of requests that have ended come back, to calls that wait and to later ones', async () => {
  const { visit, sentAt } = visited({ concurrency: 2 }, 100);
  const left = [visit(), visit()];
  const waiting = visit();
  await pass(50);
  for (const { end } of left) end();
  await pass(10_000);
  expect(waiting.outcome()).toBe('done');
  const later = [visit(), visit()];
  await pass(100);
  expect(later.map(({ outcome }) => outcome())).toEqual(['done', 'done']);
  expect(sentAt).toHaveLength(5);
});

test('a call that takes long keeps its permit', async () => {
  const { visit, sentAt } = visited({ concurrency: 1 }, 29_000);
  const calls = [visit(), visit()];
  await pass(60_000);
  expect(calls.map(({ outcome }) => outcome())).toEqual(['done', 'done']);
  expect(sentAt).toEqual([0, 29_000]);
});

test('a call keeps its permit while the process is busy for seconds', async () => {
  const { visit, sentAt } = visited({ concurrency: 1 }, 10_000);
  visit();
  visit();
  await pass(4_500);
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
  await pass(5_000);
  expect(sentAt).toEqual([0]);
});

test('requestsPerSecond spaces the requests by the clock, whichever request starts them', async () => {
  const { visit, sentAt } = visited({ requestsPerSecond: 2 }, 10);
  const calls = [visit(), visit(), visit(), visit()];
  await pass(400);
  calls[1]?.end();
  await pass(10_000);
  expect(sentAt).toHaveLength(3);
  const gaps = sentAt.slice(1).map((at, index) => at - (sentAt[index] ?? 0));
  // After a slow timer, the limiter catches up by at most 16 ms.
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(484);
});

test('a waiting call has a timer of its own at all times, without which its request is ended', async () => {
  const { visit } = visited({ concurrency: 1, requestsPerSecond: 1 }, 5_000);
  const calls = [visit(), visit(), visit(), visit()];
  for (let waited = 0; waited < 14_000; waited += 100) {
    await pass(100);
    for (const { outcome, timers } of calls)
      if (outcome() === 'waiting') expect(timers.size).toBeGreaterThan(0);
  }
  await pass(10_000);
  expect(calls.map(({ outcome, timers }) => [outcome(), timers.size])).toEqual(Array(4).fill(['done', 0]));
});

test('a queue that is full of requests that have ended accepts calls', async () => {
  const acquire = vi.fn(async () => {}).mockReturnValueOnce(new Promise(() => {}));
  const { visit } = visited({ acquire, maxQueue: 1 }, 10);
  const [left, refused] = [visit(), visit()];
  left.end();
  await pass(3_000);
  // The first call after a long time sees which timers are late, and one after it that they still are.
  visit();
  await pass(3_000);
  const later = visit();
  await pass(1_000);
  expect([refused.outcome(), later.outcome()]).toEqual(['QUEUE_FULL', 'done']);
});
