// What becomes of a call that fails, and what it leaves behind.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Drift } from '../../src/index.ts';
import { clientOf, ended, failure, restoreClock, stopClock } from './timed-client.ts';

beforeEach(stopClock);
afterEach(restoreClock);

const ok = { status: 'success', message: 'ok' };

test.each([
  ['500, then 400', [{ status: 500 }, { status: 400 }], 'unknown'],
  ['500, then an unusable 200', [{ status: 500 }, { body: 7 }], 'done'],
  ['429, then 400', [{ status: 429 }, { status: 400 }], 'refused'],
])('the outcome of a call covers all of its attempts: %s', async (_, replies, outcome) => {
  const { client, sentAt } = clientOf(replies);
  expect(await failure(client.senders.list())).toMatchObject({ outcome });
  expect(sentAt).toHaveLength(2);
});

test('an identification is retried after an unknown outcome unless it counts', async () => {
  const identify = async (age: string) => {
    const { client, sentAt } = clientOf([{ status: 500 }, { body: ok }], { teamId: 'team' });
    await ended(client.legacy.identify({ email: 'a@x.test', customFields: { age } }).safe());
    return sentAt.length;
  };
  expect([await identify('5'), await identify('++5')]).toEqual([2, 1]);
});

test('a delete whose retry finds nothing is a success, with a response of its own', async () => {
  const { client } = clientOf([{ status: 500 }, { status: 404 }]);
  const { data, response } = await ended(client.tags.delete('tag_A1b2C3d4E5f6G7h8I9j0K1').withResponse());
  expect(data).toMatchObject({ status: 'success' });
  expect([response.status, [...response.headers]]).toEqual([200, []]);
});

test('a call with hooks logs nothing at the level `off`, its drift included', async () => {
  const log = vi.fn();
  const logger = { warn: log, info: log, debug: log };
  const hooks = { onRequest: () => {}, onResponse: () => {} };
  const { client } = clientOf([{ body: [{ id: 'sender_1', name: 7 }] }], { hooks, logger, logLevel: 'off' });
  await ended(client.senders.list());
  expect(log).not.toHaveBeenCalled();
});

describe('a function among the options that fails', () => {
  const cause = new Error('no vault');
  const fails = vi.fn();
  beforeEach(() => void fails.mockReset().mockRejectedValue(cause));

  test.each([
    ['the key', { apiKey: fails }],
    ['a limiter', { throttle: { acquire: fails } }],
  ])('ends the call with its error as cause, and is called once: %s', async (_, options) => {
    const { client, sentAt } = clientOf([], options);
    expect(await failure(client.senders.list())).toMatchObject({
      name: 'EmailMarketingError',
      outcome: 'not-sent',
      attempts: [],
      cause,
      message: "senders.list: a function among the client's options failed (see cause).",
    });
    expect(sentAt).toEqual([]);
    expect(fails).toHaveBeenCalledOnce();
  });
});

describe('an abort before anything is sent', () => {
  test.each([
    ['a function for the key', { apiKey: () => new Promise<string>(() => {}) }],
    ['a limiter', { throttle: { acquire: () => new Promise<void>(() => {}) } }],
  ])('rejects with its reason while the call waits for %s', async (_, options) => {
    const { client } = clientOf([], options);
    const controller = new AbortController();
    const call = client.senders.list({ signal: controller.signal }).safe();
    await vi.advanceTimersByTimeAsync(10);
    controller.abort('enough');
    expect(await ended(call)).toEqual({ ok: false, error: 'enough' });
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
        'senders.list: the response of api.example.com cannot be used: body: expected at most 50 bytes (maxResponseBytes), got more. Raise the option maxResponseBytes, or ask for less at once.',
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
