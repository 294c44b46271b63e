// The outcome of a call with several attempts.
import { describe, expect, test } from 'vitest';
import { kinds } from '../operations.ts';
import type { Fault } from '../support/fault-server.ts';
import * as faults from '../support/faults.ts';
import { connect, errorOf, useNoRetryDelay } from './support.ts';

useNoRetryDelay();

const notFound = faults.status(404, {}, faults.errorBody('resource not found'));
const deletes = kinds.filter(({ notFoundIsSuccess }) => notFoundIsSuccess);
const others = kinds.filter(row => row.retriedAfterUnknown && !row.notFoundIsSuccess);

const { notJson, resetBeforeResponse, resetInBody, status } = faults;
const tooMany = faults.tooManyRequests('0');

test.each<[string, Fault[], string, string]>([
  ['a reset, then a 429', [resetBeforeResponse, tooMany], 'RateLimitError', 'unknown'],
  ['a 500, then a 400', [status(500), status(400)], 'BadRequestError', 'unknown'],
  ['a 429, then a reset', [tooMany, resetInBody], 'ConnectionError', 'unknown'],
  [
    'a reset, then a response that is no JSON',
    [resetBeforeResponse, notJson],
    'InvalidResponseError',
    'done',
  ],
  ['a 429, then a 503 with Retry-After', [tooMany, faults.unavailable('0')], 'ServerError', 'unknown'],
])('the outcome covers all attempts: %s', async (_, attempts, name, outcome) => {
  const { server, client } = await connect({ maxRetries: 1 });
  server.next(...attempts);
  const error = await errorOf(client.legacy.track({ email: 'a+b@x.test', addTags: ['a'] }));
  expect(error).toMatchObject({ name, outcome, attempts: [{}, {}] });
});

describe.each(deletes)('$name', ({ call }) => {
  test.each<[string, Fault]>([
    ['a reset', resetBeforeResponse],
    ['a 500', status(500)],
    ['half a response', faults.closedInBody],
    ['a 503 with Retry-After', faults.unavailable('0')],
  ])('succeeds if a retry after %s gets "not found"', async (_, fault) => {
    const { server, client } = await connect();
    server.next(fault, notFound);
    expect(await call(client)).toMatchObject({ status: 'success' });
    expect(server.received).toHaveLength(2);
  });

  test.each<[string, Fault[]]>([
    ['a 429', [tooMany]],
    ['no other attempt', []],
  ])('rejects with "not found" after %s, as no attempt has acted', async (_, before) => {
    const { server, client } = await connect();
    server.next(...before, notFound);
    expect(await errorOf(call(client))).toMatchObject({ name: 'NotFoundError', outcome: 'refused' });
  });
});

// A gateway that has no such route, not the service.
test.each([
  '{"message":"no Route matched with those values"}',
  '{"error":"not found"}',
  '{"status":404,"message":"not found"}',
])('a delete rejects if a retry gets 404 %s', async body => {
  const { server, client } = await connect();
  server.next(status(502), status(404, {}, body));
  const error = await errorOf(client.tags.delete('tag_A1b2C3d4E5f6G7h8I9j0K1'));
  expect(error).toMatchObject({ name: 'NotFoundError', outcome: 'unknown' });
});

test.each(others)('$name rejects if a retry gets "not found"', async ({ call }) => {
  const { server, client } = await connect();
  server.next(status(500), notFound);
  expect(await errorOf(call(client))).toMatchObject({ name: 'NotFoundError' });
});
