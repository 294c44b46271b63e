// The option `throttle`, with fake timers. Random traffic is tested in `unit/call/rate-limiter`.
import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { EmailMarketingClient } from '../../src/index.ts';
import { clientOfReplies, ended, failure, restoreClock, stopClock } from './timed-client.ts';

beforeEach(stopClock);
afterEach(restoreClock);

/** Makes calls at once, and returns whether each succeeded. */
const callTimes = async (client: EmailMarketingClient, count: number) => {
  const calls = Array.from({ length: count }, () => client.senders.list().safe());
  return (await ended(Promise.all(calls))).map(({ ok }) => ok);
};

test('requestsPerSecond keeps a retry waiting no longer than the whole call may take', async () => {
  const throttle = { requestsPerSecond: 1 };
  const limits = { timeout: 100, totalTimeout: 500 };
  const { client } = clientOfReplies([{ status: 429, retryAfter: '0' }, {}], { throttle, ...limits });
  expect(await failure(client.senders.list())).toMatchObject({
    name: 'TimeoutError',
    limit: 'totalTimeout',
    phase: 'queue',
    attempts: [{ status: 429 }],
  });
});

test('concurrency limits the requests of a client and of its `withOptions` clients together', async () => {
  const { client, sentAt } = clientOfReplies([{ afterMs: 200 }], { throttle: { concurrency: 1 } });
  const clients = [client, client.withOptions({ timeout: 9_000 })];
  await ended(Promise.all(clients.map(each => each.senders.list())));
  expect(sentAt).toEqual([0, 200]);
});

test('`acquire` runs in the asynchronous context of the call that it admits', async () => {
  const tenant = new AsyncLocalStorage<string>();
  const admitted: Record<string, number> = { A: 0, B: 0 };
  const acquire = async () => {
    const name = tenant.getStore() ?? 'none';
    admitted[name] = (admitted[name] ?? 0) + 1;
  };
  const { client } = clientOfReplies([{ afterMs: 10 }], { throttle: { acquire, concurrency: 2 } });
  const calls = [...Array(2).fill('A'), ...Array(50).fill('B')].map(name =>
    tenant.run(name, () => client.senders.list()),
  );
  await ended(Promise.all(calls));
  expect(admitted).toEqual({ A: 2, B: 50 });
});

test.each([
  [429, 0],
  [503, 1],
])('a %i with `Retry-After` and %i retries pauses all calls', async (status, maxRetries) => {
  const options = { throttle: { concurrency: 10 }, maxRetries };
  const { client, sentAt } = clientOfReplies([{ afterMs: 10, status, retryAfter: '2' }, {}], options);
  const refused = client.senders.list().safe();
  await vi.advanceTimersByTimeAsync(20);
  await callTimes(client, 5);
  await ended(refused);
  expect(sentAt).toHaveLength(6 + maxRetries);
  for (const at of sentAt.slice(1)) expect(at).toBeGreaterThanOrEqual(2_000);
});

test('a `Retry-After` of a year pauses all calls for 300 s', async () => {
  const replies = [{ status: 429, retryAfter: '31536000' }, {}];
  const { client, sentAt } = clientOfReplies(replies, { throttle: { concurrency: 10 } });
  expect(await callTimes(client, 1)).toEqual([false]);
  const call = client.senders.list();
  await vi.advanceTimersByTimeAsync(310_000);
  await call;
  expect(sentAt).toEqual([0, 300_000]);
});

describe('`throttle.acquire`', () => {
  test('is called once per attempt, before the request is sent', async () => {
    const log: string[] = [];
    const acquire = vi.fn(async (_signal: AbortSignal) => void log.push('acquire'));
    const { client } = clientOfReplies([{ status: 500 }, {}], {
      throttle: { acquire },
      hooks: { onRequest: ({ attempt }) => void log.push(`request ${attempt}`) },
    });
    await ended(client.senders.list());
    expect(log).toEqual(['acquire', 'request 1', 'acquire', 'request 2']);
    for (const [signal] of acquire.mock.calls) expect(signal).toBeInstanceOf(AbortSignal);
  });

  test('applies together with concurrency and maxQueue', async () => {
    const throttle = { acquire: async () => {}, concurrency: 1, maxQueue: 2 };
    const { client, sentAt } = clientOfReplies([{ afterMs: 100 }], { throttle });
    expect(await callTimes(client, 3)).toEqual([true, true, false]);
    expect(sentAt).toEqual([0, 100]);
  });
});

test('on Cloudflare Workers, `throttle` accepts only a custom limiter, and each call waits for a pause by itself', async () => {
  vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' });
  onTestFinished(() => void vi.unstubAllGlobals());
  const acquire = async () => {};
  for (const throttle of [{ concurrency: 1 }, { requestsPerSecond: 5 }, { acquire, maxQueue: 1 }])
    expect(() => clientOfReplies([], { throttle })).toThrow(/only { acquire }/);
  const replies = [{ status: 429, retryAfter: '2' }, {}];
  const { client, sentAt } = clientOfReplies(replies, { throttle: { acquire }, maxRetries: 0 });
  expect(await callTimes(client, 1)).toEqual([false]);
  expect(await callTimes(client, 2)).toEqual([true, true]);
  expect(sentAt).toEqual([0, 2_000, 2_000]);
});
