import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { kinds } from '../operations.ts';
import type { Fault } from '../support/fault-server.ts';
import * as faults from '../support/faults.ts';
import { connect, errorOf } from './support.ts';

beforeEach(() => vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => vi.restoreAllMocks());

const track = { email: 'a+b@x.test', addTags: ['a'] };
const notFound = faults.status(404, {}, faults.errorBody('resource not found'));
const deletes = kinds.filter(({ notFoundIsSuccess }) => notFoundIsSuccess);
const others = kinds.filter(row => row.retriedAfterUnknown && !row.notFoundIsSuccess);

describe('the outcome', () => {
  test.each<[string, Fault[], string, string]>([
    [
      'reset, then refused',
      [faults.resetBeforeResponse, faults.tooManyRequests('0')],
      'RateLimitError',
      'unknown',
    ],
    ['500, then a bad request', [faults.status(500), faults.status(400)], 'BadRequestError', 'unknown'],
    ['refused, then reset', [faults.tooManyRequests('0'), faults.resetInBody], 'ConnectionError', 'unknown'],
    ['reset, then unreadable', [faults.resetBeforeResponse, faults.notJson], 'InvalidResponseError', 'done'],
    ['refused twice', [faults.tooManyRequests('0'), faults.unavailable('0')], 'ServerError', 'refused'],
  ])('covers all attempts together: %s', async (_, [first, second], name, outcome) => {
    const { server, client } = await connect({ maxRetries: 1 });
    server.next(first as Fault, second as Fault);
    const error = await errorOf(client.legacy.track(track));
    expect(error).toMatchObject({ name, outcome });
    expect(error.attempts).toHaveLength(2);
  });
});

describe.each(deletes)('$name', ({ call }) => {
  test.each<[string, Fault]>([
    ['a reset', faults.resetBeforeResponse],
    ['a 500', faults.status(500)],
    ['half a response', faults.closedInBody],
  ])('succeeds when the response to the retry after %s is "not found"', async (_, fault) => {
    const { server, client } = await connect();
    server.next(fault, notFound);
    expect(await call(client)).toMatchObject({ status: 'success' });
    expect(server.received).toHaveLength(2);
  });

  test.each<[string, Fault[]]>([
    ['a 429', [faults.tooManyRequests('0')]],
    ['a 503 with Retry-After', [faults.unavailable('0')]],
    ['no other attempt', []],
  ])('rejects with "not found" after %s, which did nothing', async (_, before) => {
    const { server, client } = await connect();
    server.next(...before, notFound);
    expect(await errorOf(call(client))).toMatchObject({ name: 'NotFoundError', outcome: 'refused' });
  });
});

test.each(others)('$name rejects when a retry gets "not found"', async ({ call }) => {
  const { server, client } = await connect();
  server.next(faults.status(500), notFound);
  const error = await errorOf(call(client));
  expect(error.name).toBe('NotFoundError');
});

test('lists each attempt with its status or reason', async () => {
  const { server, client } = await connect({ timeout: 500 });
  server.next(faults.status(500), faults.resetBeforeResponse, faults.stallsAfterHead);
  const { attempts } = await errorOf(client.senders.list());
  expect(attempts.map(({ status, reason }) => status ?? reason)).toEqual([
    500,
    'ECONNRESET',
    'timeout in body',
  ]);
  for (const { durationMs, waitMs } of attempts) {
    expect(durationMs).toBeGreaterThanOrEqual(0);
    expect(waitMs).toBeGreaterThanOrEqual(0);
  }
});

test('calls of a client soon stop retrying in an outage', async () => {
  const { server, client } = await connect({ throttle: { concurrency: 10 } });
  server.otherwise(faults.status(500));
  const calls = 300;
  await Promise.all(Array.from({ length: calls }, () => errorOf(client.senders.list())));
  expect(server.received.length).toBeLessThan(calls * 1.5);
});
