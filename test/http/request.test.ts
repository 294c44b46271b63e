// One call from its start to its end, by a clock that stands still but for the test.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createBrowserClient } from '../../src/browser/index.ts';
import type { Hooks } from '../../src/index.ts';
import { clientOf, ended, failure, restoreClock, stopClock } from './timed-client.ts';

beforeEach(stopClock);
afterEach(restoreClock);

describe('a retried call', () => {
  test('waits up to half a second, then up to twice as long, and lists each attempt with its times', async () => {
    const { client, sentAt } = clientOf([
      { afterMs: 100, status: 500 },
      { afterMs: 50, lost: true },
      { afterMs: 10, status: 500 },
    ]);
    const error = await failure(client.senders.list());
    expect(sentAt).toEqual([0, 350, 900]);
    expect(error).toMatchObject({
      message:
        'senders.list: 500 from api.example.com: no message, after 3 attempts over 0.9 s. Try again later.',
      attempts: [
        { durationMs: 100, waitMs: 0, status: 500, reason: undefined },
        { durationMs: 50, waitMs: 250, status: undefined, reason: 'ECONNRESET' },
        { durationMs: 10, waitMs: 500, status: 500, reason: undefined },
      ],
    });
  });

  test('reports its attempts and waits to hooks, with one number for the whole call', async () => {
    const events: object[] = [];
    const keep = (event: object) => void events.push(event);
    const hooks: Hooks = { onRequest: keep, onResponse: keep, onRetry: keep, onError: keep };
    const { client } = clientOf([{ afterMs: 100, status: 500 }, { afterMs: 20 }], { hooks });
    await ended(client.senders.list({}));
    const { callId } = events[0] as { callId: number };
    const call = {
      operation: 'senders.list',
      method: 'GET',
      origin: 'https://api.example.com',
      path: '/api/v1/rest/sender',
      template: '/api/v1/rest/sender',
      callId,
    };
    expect(events).toEqual([
      { ...call, attempt: 1 },
      { ...call, attempt: 1, durationMs: 100, status: 500, reason: undefined, waitMs: 250 },
      { ...call, attempt: 2 },
      { ...call, attempt: 2, durationMs: 20, status: 200, reason: undefined, waitMs: 250 },
    ]);
  });

  test('says over what time two attempts failed', async () => {
    const { client } = clientOf([{ afterMs: 950, status: 500 }], { maxRetries: 1 });
    expect(await failure(client.senders.list())).toMatchObject({
      message:
        'senders.list: 500 from api.example.com: no message, after 2 attempts over 2.1 s. Try again later.',
    });
  });

  test.each([
    [0, 1],
    [1, 2],
    [3, 4],
  ])('with maxRetries %i makes %i requests', async (maxRetries, requests) => {
    const { client, sentAt } = clientOf([{ status: 500 }], { maxRetries });
    expect(await failure(client.senders.list())).toMatchObject({ name: 'ServerError' });
    expect(sentAt).toHaveLength(requests);
  });

  test('in a page says from the first unknown outcome on that the service may have acted', async () => {
    const seen: (string | null)[] = [];
    const statuses = [429, 502, 429, 200];
    const page = createBrowserClient({
      url: 'https://www.example.com/api',
      maxRetries: 3,
      logLevel: 'off',
      fetch: async (_url, init) => {
        seen.push(new Headers(init.headers).get('x-call-retry'));
        const status = statuses.shift() ?? 200;
        return Response.json({ ok: true, value: { status: 'success' } }, { status });
      },
    });
    await ended(page.tags.delete('tag_A1b2C3d4E5f6G7h8I9j0K1').safe());
    expect(seen).toEqual([null, null, '1', '1']);
  });
});

describe('`totalTimeout`', () => {
  test.each([
    [250, 1],
    [251, 2],
  ])('of %i ms leaves room for %i requests with a wait of 250 ms', async (totalTimeout, requests) => {
    const { client, sentAt } = clientOf([{ status: 500 }, {}], { totalTimeout });
    await ended(client.senders.list().safe());
    expect(sentAt).toHaveLength(requests);
  });

  test.each([
    [{ timeout: 300, totalTimeout: 1_000 }, 300, 'timeout'],
    [{ timeout: 1_000, totalTimeout: 300 }, 300, 'totalTimeout'],
    [{ timeout: 300, totalTimeout: 300 }, 300, 'timeout'],
    [{ timeout: 300 }, 300, 'timeout'],
    [{ timeout: Number.POSITIVE_INFINITY, totalTimeout: 300 }, 300, 'totalTimeout'],
  ])('and `timeout` of %o end an attempt after %i ms by the shorter one', async (options, endMs, limit) => {
    const { client } = clientOf([{ afterMs: 5_000 }], { ...options, maxRetries: 0 });
    const started = performance.now();
    expect(await failure(client.senders.list())).toMatchObject({
      name: 'TimeoutError',
      limit,
      phase: 'head',
      outcome: 'unknown',
      message: `senders.list: no response from api.example.com within 300 ms (${limit}). If that is too short, raise the option ${limit}.`,
      attempts: [{ durationMs: endMs, reason: 'timeout in head' }],
    });
    expect(performance.now() - started).toBe(endMs);
  });

  test.each([
    ['a function for the key', { apiKey: () => new Promise<string>(() => {}) }],
    ['a limiter', { throttle: { acquire: () => new Promise<void>(() => {}) } }],
  ])('ends a call that waits for %s', async (_, options) => {
    const { client, sentAt } = clientOf([], { ...options, totalTimeout: 300 });
    expect(await failure(client.senders.list())).toMatchObject({
      name: 'TimeoutError',
      limit: 'totalTimeout',
      phase: 'queue',
      outcome: 'not-sent',
      attempts: [],
      message:
        'senders.list: no request to api.example.com could start within 300 ms (totalTimeout). If that is too short, raise the option totalTimeout.',
    });
    expect(sentAt).toEqual([]);
  });
});

describe('a function for the key that never ends', () => {
  const apiKey = () => new Promise<string>(() => {});

  test.each([
    [{ timeout: 300 }, 'timeout', 'Check the function that returns the key.'],
    [{ timeout: 300, totalTimeout: 300 }, 'timeout', 'Check the function that returns the key.'],
    [
      { timeout: 400, totalTimeout: 300 },
      'totalTimeout',
      'If that is too short, raise the option totalTimeout.',
    ],
  ])('ends the call by the shorter limit of %o, without a retry', async (limits, limit, advice) => {
    const { client, sentAt } = clientOf([], { ...limits, apiKey, maxRetries: 2 });
    const started = performance.now();
    expect(await failure(client.senders.list())).toMatchObject({
      name: 'TimeoutError',
      limit,
      phase: 'queue',
      outcome: 'not-sent',
      attempts: [],
      message: `senders.list: no request to api.example.com could start within 300 ms (${limit}). ${advice}`,
    });
    expect(performance.now() - started).toBeLessThan(310);
    expect(sentAt).toEqual([]);
  });

  test('leaves the wait for a rate limiter to `totalTimeout`', async () => {
    const acquire = () => new Promise<void>(resolve => setTimeout(resolve, 1_000));
    const { client, sentAt } = clientOf([{ afterMs: 1 }], { timeout: 300, throttle: { acquire } });
    await ended(client.senders.list());
    expect(sentAt).toEqual([1_000]);
  });
});
