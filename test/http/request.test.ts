// One call from its start to its end, by a clock that stands still but for the test.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBrowserClient } from '../../src/browser/index.ts';
import { type ClientOptions, type Drift, EmailMarketingClient, type Hooks } from '../../src/index.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  // Full jitter draws half of the longest wait.
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A response after this many milliseconds, or an error. */
interface Reply {
  readonly afterMs?: number;
  readonly status?: number;
  readonly body?: unknown;
  readonly lost?: boolean;
}

/** Makes a client whose requests get these replies, the last one for all that follow. */
function clientOf(replies: readonly Reply[], options: ClientOptions = {}) {
  const sentAt: number[] = [];
  const started = performance.now();
  const fetch = async () => {
    sentAt.push(performance.now() - started);
    const reply = replies[Math.min(sentAt.length, replies.length) - 1] ?? {};
    const { afterMs = 0, status = 200, body = [], lost } = reply;
    await new Promise(resolve => setTimeout(resolve, afterMs));
    if (lost) throw Object.assign(new TypeError('fetch failed'), { code: 'ECONNRESET' });
    // Not a `Response`, whose stream would be read in real time.
    return { status, headers: new Headers(), text: async () => JSON.stringify(body) };
  };
  const baseUrl = 'https://api.example.com';
  const client = new EmailMarketingClient({ baseUrl, apiKey: 'key', logLevel: 'off', fetch, ...options });
  return { client, sentAt };
}

/** Lets time pass until a call ends, and returns its result. */
async function ended<T>(call: Promise<T>): Promise<T> {
  let done = false;
  call.then(
    () => (done = true),
    () => (done = true),
  );
  while (!done) await vi.advanceTimersByTimeAsync(1);
  return call;
}

const failure = async (call: { safe(): Promise<{ readonly ok: boolean }> }) => {
  const result = (await ended(call.safe())) as { ok: boolean; error?: Error };
  expect(result.ok).toBe(false);
  return result.error;
};

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
      message: 'senders.list: 500: no message, after 3 attempts over 0.9 s.',
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
      message: `senders.list: no response within 300 ms (${limit}).`,
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
      message: 'senders.list: no request could start within 300 ms (totalTimeout).',
    });
    expect(sentAt).toEqual([]);
  });
});

describe('a function among the options that fails', () => {
  const cause = new Error('no vault');
  test.each([
    ['the key', { apiKey: () => Promise.reject(cause) }],
    ['a limiter', { throttle: { acquire: () => Promise.reject(cause) } }],
  ])('ends the call with its error as cause, and no retry: %s', async (_, options) => {
    const { client, sentAt } = clientOf([], options);
    expect(await failure(client.senders.list())).toMatchObject({
      name: 'EmailMarketingError',
      outcome: 'not-sent',
      attempts: [],
      cause,
      message: "senders.list: a function among the client's options failed (see cause).",
    });
    expect(sentAt).toEqual([]);
  });
});

describe('a queue that is full', () => {
  test('refuses a call at once, which is not retried', async () => {
    const throttle = { concurrency: 1, maxQueue: 1 };
    const { client, sentAt } = clientOf([{ afterMs: 100 }], { throttle });
    const calls = [client.senders.list(), client.senders.list()];
    expect(await failure(client.senders.list())).toMatchObject({
      name: 'EmailMarketingError',
      outcome: 'not-sent',
      attempts: [],
      message:
        'senders.list: 1 calls already wait (throttle.maxQueue). Start fewer calls at once, for example with bulk.',
    });
    await ended(Promise.all(calls));
    expect(sentAt).toEqual([0, 100]);
  });
});

describe('a response that is too large', () => {
  test.each([
    [200, 'done'],
    [299, 'done'],
    [300, 'unknown'],
    [500, 'unknown'],
  ])('under %i has the outcome `%s`, and is not retried', async (status, outcome) => {
    const { client, sentAt } = clientOf([{ status, body: 'x'.repeat(100) }], { maxResponseBytes: 50 });
    expect(await failure(client.senders.list())).toMatchObject({
      name: 'InvalidResponseError',
      outcome,
      attempts: [{ status }],
      issues: [{ path: '', expected: 'at most 50 bytes (maxResponseBytes)', received: 'more' }],
      message:
        'senders.list: the response cannot be used: body: expected at most 50 bytes (maxResponseBytes), got more.',
    });
    expect(sentAt).toHaveLength(1);
  });
});

test('drift is reported for a thousand places at most, as names of fields come from responses', async () => {
  const drifts: Drift[] = [];
  const contacts = Array.from({ length: 11 }, (_, page) => {
    const names = Array.from({ length: 100 }, (_name, index) => [`field_${page * 100 + index}`, 7]);
    return { body: [{ id: 'contact_1', email: 'a@x.test', customFields: Object.fromEntries(names) }] };
  });
  const { client } = clientOf(contacts, { onDrift: drift => drifts.push(drift) });
  for (const _ of contacts) await ended(client.contacts.list());
  expect(new Set(drifts.map(({ path }) => path)).size).toBe(1_000);
  expect(drifts).toHaveLength(1_000);
});

test('each success earns a retry that a later failure of the service can use', async () => {
  const succeeding = Array.from({ length: 10 }, () => ({}));
  const { client, sentAt } = clientOf(
    [...Array.from({ length: 200 }, () => ({ status: 500 })), ...succeeding, { status: 500 }],
    { maxRetries: 1 },
  );
  for (let call = 0; call < 100; call += 1) await failure(client.senders.list());
  for (const _ of succeeding) await ended(client.senders.list());
  expect(sentAt).toHaveLength(210);
  await failure(client.senders.list());
  await failure(client.senders.list());
  expect(sentAt).toHaveLength(213);
});
