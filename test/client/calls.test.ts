// One call from start to end, with fake timers.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ClientOptions, Drift, Hooks } from '../../src/index.ts';
import { clientOfReplies, ended, failure, restoreClock, stopClock } from './timed-client.ts';

const like = (members: object) => expect.objectContaining(members);

beforeEach(stopClock);
afterEach(restoreClock);

describe('a retried call', () => {
  test('waits up to half a second, then up to a second, and reports each attempt to hooks, without its query', async () => {
    const events: [hook: string, event: object][] = [];
    const keep = (hook: string) => (event: object) => void events.push([hook, event]);
    const [onRequest, onSuccess] = [keep('onRequest'), keep('onSuccess')];
    const rest = { onRetry: keep('onRetry'), onError: keep('onError'), onCancel: keep('onCancel') };
    const hooks = { onRequest, onSuccess, ...rest };
    const replies = [{ afterMs: 100, status: 500 }, { afterMs: 5, lost: true }, { afterMs: 20 }];
    const { client, sentAt } = clientOfReplies(replies, { hooks });
    await ended(client.lists.list({ search: 'private' }));
    expect(sentAt).toEqual([0, 350, 855]);
    const call = {
      operation: 'lists.list',
      method: 'GET',
      origin: 'https://api.example.com',
      path: '/api/v1/rest/list',
      template: '/api/v1/rest/list',
      callId: (events[0] as [string, { callId: string }])[1].callId,
    };
    const [first, second, third] = [
      { durationMs: 100, status: 500, reason: undefined },
      { durationMs: 5, status: undefined, reason: 'ECONNRESET' },
      { durationMs: 20, status: 200, reason: undefined },
    ];
    const attempts = [
      { ...first, waitMs: 0 },
      { ...second, waitMs: 250 },
      { ...third, waitMs: 500 },
    ];
    const durationMs = 100 + 250 + 5 + 500 + 20;
    expect(events).toEqual([
      ['onRequest', { ...call, attempt: 1 }],
      ['onRetry', { ...call, ...first, attempt: 1, waitMs: 0, retryInMs: 250 }],
      ['onRequest', { ...call, attempt: 2 }],
      ['onRetry', { ...call, ...second, attempt: 2, waitMs: 250, retryInMs: 500 }],
      ['onRequest', { ...call, attempt: 3 }],
      ['onSuccess', { ...call, attempt: 3, durationMs, status: 200, outcome: 'done', attempts }],
    ]);
  });

  test('has an error that lists its attempts, with their number in the message', async () => {
    const { client } = clientOfReplies([
      { afterMs: 100, status: 503 },
      { afterMs: 10, status: 500 },
    ]);
    expect(await failure(client.senders.list({ maxRetries: 1 }))).toMatchObject({
      message: 'senders.list: 500 from api.example.com: no message, after 2 attempts. Try again later.',
      attempts: [
        { durationMs: 100, waitMs: 0, status: 503, reason: undefined },
        { durationMs: 10, waitMs: 250, status: 500, reason: undefined },
      ],
    });
  });
});

describe('the wait for a retry', () => {
  test.each<[random: number, retryAfter: string | undefined, waits: readonly number[]]>([
    [1, undefined, [500, 1_000, 2_000, 4_000, 8_000, 8_000]],
    [0, undefined, [0]],
    [0, '1', [1_000]],
    [1, '1', [1_250]],
    [1, '4', [4_500]],
    [1, '0', [0]],
  ])('is random up to a bound: %d of it, with Retry-After %s', async (random, retryAfter, waits) => {
    vi.spyOn(Math, 'random').mockReturnValue(random);
    const waited: number[] = [];
    const hooks: Hooks = { onRetry: ({ retryInMs }) => waited.push(retryInMs) };
    const options = { maxRetries: waits.length, hooks };
    const { client } = clientOfReplies([{ status: 429, retryAfter }], options);
    await failure(client.senders.list());
    expect(waited).toEqual(waits);
  });

  test.each([
    ['300', 2],
    ['300.001', 1],
  ])('is at most 300 s: after Retry-After %s, there are %i requests', async (retryAfter, requests) => {
    const { client, sentAt } = clientOfReplies([{ status: 429, retryAfter }], { maxRetries: 1 });
    const call = client.senders.list().safe();
    await vi.advanceTimersByTimeAsync(301_000);
    expect((await call).ok).toBe(false);
    expect(sentAt).toHaveLength(requests);
  });
});

describe('`totalTimeout`', () => {
  test.each([
    [1_040, { name: 'RateLimitError', outcome: 'refused', retryAfterMs: 1_000 }, 40],
    [1_041, { name: 'TimeoutError', outcome: 'unknown', phase: 'head' }, 1_041],
  ])('of %i ms ends a call at once if a 429 asks for a longer wait', async (totalTimeout, error, endsAt) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const replies = [{ afterMs: 40, status: 429, retryAfter: '1' }];
    const { client } = clientOfReplies(replies, { totalTimeout });
    const started = performance.now();
    expect(await failure(client.senders.list())).toMatchObject({ ...error, retryable: true });
    expect(performance.now() - started).toBe(endsAt);
  });

  test.each([
    [{ timeout: 300, totalTimeout: 1_000 }, 'timeout'],
    [{ timeout: 1_000, totalTimeout: 300 }, 'totalTimeout'],
    [{ timeout: 300, totalTimeout: 300 }, 'timeout'],
  ])('or `timeout` ends an attempt, whichever is shorter: %o by %s', async (options, limit) => {
    const { client } = clientOfReplies([{ afterMs: 5_000 }], { ...options, maxRetries: 0 });
    const started = performance.now();
    expect(await failure(client.senders.list())).toMatchObject({
      name: 'TimeoutError',
      limit,
      phase: 'head',
      outcome: 'unknown',
      scope: 'call',
      message: `senders.list: no response from api.example.com within 300 ms (option ${limit}; phase head). Try again later.`,
      attempts: [{ durationMs: 300, reason: 'timeout in head' }],
    });
    expect(performance.now() - started).toBe(300);
  });
});

describe('a function that never ends', () => {
  const never = () => new Promise<never>(() => {});

  test('for a limiter ends the call at `totalTimeout`, without a retry', async () => {
    const { client, sentAt } = clientOfReplies([], { throttle: { acquire: never }, totalTimeout: 300 });
    const started = performance.now();
    expect(await failure(client.senders.list())).toMatchObject({
      name: 'TimeoutError',
      limit: 'totalTimeout',
      phase: 'queue',
      outcome: 'not-sent',
      attempts: [],
      retryable: true,
    });
    expect(performance.now() - started).toBeLessThan(310);
    expect(sentAt).toEqual([]);
  });

  test.each<[string, (wait: (signal?: AbortSignal) => Promise<never>) => ClientOptions]>([
    ['the key', wait => ({ apiKey: () => wait() })],
    ['the headers', wait => ({ headers: () => wait() })],
    ['a limiter', wait => ({ throttle: { acquire: wait } })],
  ])('for %s ends with the call at an abort, which a limiter observes', async (_, optionsOf) => {
    const wait = vi.fn((_signal?: AbortSignal) => never());
    const { client } = clientOfReplies([], optionsOf(wait));
    const controller = new AbortController();
    const call = client.senders.list({ signal: controller.signal }).safe();
    await vi.advanceTimersByTimeAsync(20_000);
    controller.abort('enough');
    expect(await ended(call)).toMatchObject({
      error: { outcome: 'not-sent', attempts: [], cause: 'enough' },
    });
    const [[signal] = []] = wait.mock.calls;
    expect(signal?.reason).toBe(signal && 'enough');
  });
});

test.each([
  ['acquire', { acquire: () => new Promise<void>(resolve => setTimeout(resolve, 1_000)) }, [1_000]],
  ['requestsPerSecond', { requestsPerSecond: 1 }, [0, 1_000]],
  ['concurrency', { concurrency: 1 }, [0, 200, 400]],
])('the wait for `throttle.%s` does not count towards `timeout`', async (_, throttle, sent) => {
  const { client, sentAt } = clientOfReplies([{ afterMs: 200 }], { timeout: 300, throttle });
  await ended(Promise.all(sent.map(() => client.senders.list())));
  expect(sentAt).toEqual(sent);
});

const notFound = { status: 404, body: { status: 'error', message: 'resource not found' } };

test('a delete whose retry gets "not found" is a success, whose response, attempts and events have the status 404', async () => {
  const [onError, onSuccess] = [vi.fn(), vi.fn()];
  const options = { validation: 'strict', hooks: { onError, onSuccess } } as const;
  const replies = [{ status: 502 }, { status: 429, retryAfter: '0' }, notFound];
  const { client, sentAt } = clientOfReplies(replies, options);
  const { data, response } = await ended(client.tags.delete('tag_A1b2C3d4E5f6G7h8I9j0K1').withResponse());
  expect(data).toMatchObject({ status: 'success' });
  expect(response.status).toBe(404);
  expect(onSuccess).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ status: 404, attempts: [502, 429, 404].map(each => like({ status: each })) }),
  );
  expect(sentAt).toHaveLength(3);
  expect(onError).not.toHaveBeenCalled();
});

test('a wait of more than two seconds is logged at the default level', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const replies = ['2', '3'].flatMap(retryAfter => [{ status: 429, retryAfter }, {}]);
  const { client } = clientOfReplies(replies, { logLevel: undefined });
  for (let call = 0; call < 2; call++) expect(await ended(client.senders.list())).toEqual([]);
  expect(warn.mock.calls.map(([line]) => line)).toEqual([
    'email-marketing-client: senders.list: 429 in 0 ms, attempt 1, retried in 3000 ms',
  ]);
});

test.each<[string, named: string, (fails: () => Promise<never>) => ClientOptions]>([
  ['apiKey', 'that returns the key', apiKey => ({ apiKey })],
  ['headers', 'that returns the headers', headers => ({ headers })],
  ['throttle.acquire', 'throttle.acquire', acquire => ({ throttle: { acquire, concurrency: 1 } })],
])(
  'an error of `%s` becomes the cause, without a retry, and keeps no permit',
  async (_, named, optionsOf) => {
    const cause = new Error('no vault');
    const fails = vi.fn(() => Promise.reject(cause));
    const throttle = { concurrency: 1 };
    const { client, sentAt } = clientOfReplies([], { throttle, totalTimeout: 1_000, ...optionsOf(fails) });
    for (const calls of [1, 2]) {
      expect(await failure(client.senders.list())).toMatchObject({
        name: 'EmailMarketingError',
        code: 'FUNCTION_FAILED',
        outcome: 'not-sent',
        scope: 'account',
        attempts: [],
        cause,
        message: `senders.list: the function ${named} threw an error (see cause).`,
      });
      expect(fails).toHaveBeenCalledTimes(calls);
    }
    expect(sentAt).toEqual([]);
  },
);

test.each([
  ['apiKey', { totalTimeout: 2_000 }, { limit: 'totalTimeout', phase: 'head' }, 2_000],
  ['headers', { totalTimeout: 2_000, timeout: 1_700 }, { limit: 'totalTimeout', phase: 'head' }, 2_000],
  ['headers', { totalTimeout: 9_000, timeout: 1_700 }, { limit: 'timeout', phase: 'head' }, 3_300],
  ['apiKey', { totalTimeout: 1_000 }, { limit: 'totalTimeout', phase: 'queue' }, 1_000],
  ['apiKey', { timeout: 1_000 }, { limit: 'timeout', phase: 'queue' }, 1_000],
])('a slow function for `%s` counts towards the time limits %o', async (name, limits, error, endsAt) => {
  const slow = async () => {
    await new Promise(resolve => setTimeout(resolve, 1_600));
    return name === 'headers' ? {} : 'key';
  };
  const { client, sentAt } = clientOfReplies([{ afterMs: 60_000 }], {
    [name]: slow,
    maxRetries: 0,
    ...limits,
  });
  const started = performance.now();
  const call = client.senders.list();
  const took = call.catch(() => performance.now() - started);
  expect(await failure(call)).toMatchObject({ name: 'TimeoutError', ...error });
  expect(await took).toBe(endsAt);
  // A function that returns after the limit sends nothing.
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sentAt).toHaveLength(error.phase === 'head' ? 1 : 0);
});

test.each<[string, (useUpTime: () => Record<string, string>) => ClientOptions]>([
  ['function of the headers', useUpTime => ({ headers: useUpTime })],
  ['limiter', useUpTime => ({ throttle: { acquire: async () => void useUpTime() } })],
])(
  'nothing is sent, and no key is asked for, once a busy %s has used up the time',
  async (_, makeOptions) => {
    const apiKey = vi.fn(async () => 'key');
    const now = performance.now();
    const useUpTime = () => {
      vi.spyOn(performance, 'now').mockReturnValue(now + 20);
      return {};
    };
    const { client, sentAt } = clientOfReplies([], { totalTimeout: 10, ...makeOptions(useUpTime), apiKey });
    const error = { name: 'TimeoutError', outcome: 'not-sent', attempts: [] };
    expect(await client.senders.list().safe()).toMatchObject({ error });
    expect([sentAt, apiKey.mock.calls]).toEqual([[], []]);
  },
);

test('drift is reported for at most a thousand places, because responses choose the names of fields', async () => {
  const drifts: Drift[] = [];
  const contacts = Array.from({ length: 11 }, (_, page) => {
    const fieldsOf = (index: number) => ({ [`field_${page * 100 + index}`]: 7 });
    const record = { id: 'contact_1', email: 'a@x.test' };
    return {
      body: Array.from({ length: 100 }, (_, index) => ({ ...record, customFields: fieldsOf(index) })),
    };
  });
  const { client } = clientOfReplies(contacts, { onDrift: drift => drifts.push(drift) });
  for (const _ of contacts) await ended(client.contacts.list());
  expect(new Set(drifts.map(({ path }) => path)).size).toBe(1_000);
  expect(drifts).toHaveLength(1_000);
});

test.each([
  ['before the call', 0, { attempt: 0, outcome: 'not-sent', attempts: [] }],
  ['during the call', 10, { attempt: 1, outcome: 'unknown', attempts: [{ reason: 'aborted' }] }],
])('an abort %s is reported to `onError` once, with the time of the call', async (_, afterMs, end) => {
  const errors: object[] = [];
  const hooks: Hooks = { onError: event => errors.push(event) };
  const { client, sentAt } = clientOfReplies([{ afterMs: 100 }], { hooks });
  const controller = new AbortController();
  if (afterMs === 0) controller.abort('enough');
  const call = client.senders.list({ signal: controller.signal }).safe();
  await vi.advanceTimersByTimeAsync(afterMs);
  controller.abort('enough');
  expect(await ended(call)).toMatchObject({ error: { name: 'CallAbortedError', cause: 'enough' } });
  const reported = { operation: 'senders.list', error: 'enough', status: undefined, durationMs: afterMs };
  expect(errors).toMatchObject([{ ...reported, ...end }]);
  expect(sentAt).toHaveLength(end.attempt);
});
