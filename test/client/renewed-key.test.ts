// A function for the key: what it may return, and how it learns that a key was rejected.
import { expect, test, vi } from 'vitest';
import type { ApiKey } from '../../src/index.ts';
import * as faults from '../support/faults.ts';
import { shown } from './shown.ts';
import { connect, errorOf } from './support.ts';

const refusal = '{"status":401,"message":"team id or API key not valid"}';
const unauthorized = faults.status(401, {}, refusal);

/** A function for the key that returns `key-2` once the last one was rejected. */
const renewing = () => vi.fn<Exclude<ApiKey, string>>(async ({ refused }) => (refused ? 'key-2' : 'key-1'));

test.each([
  ['401', unauthorized],
  ['the documented error with status 200', faults.status(200, {}, refusal)],
])('a call requests another key once after %s, and sends its request again', async (_, fault) => {
  const apiKey = renewing();
  const onRetry = vi.fn();
  const { server, client } = await connect({ apiKey, hooks: { onRetry } });
  server.next(fault);
  await client.tags.create({ name: 'vip' });
  expect(apiKey.mock.calls).toEqual([[{ refused: false }], [{ refused: true }]]);
  expect(server.received.map(({ headers }) => headers.get('x-team-apikey'))).toEqual(['key-1', 'key-2']);
  expect(onRetry).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ retryInMs: 0 }));
});

test('a call fails if its new key is also rejected', async () => {
  const { server, client } = await connect({ apiKey: renewing() });
  server.otherwise(unauthorized);
  expect(await errorOf(client.senders.list())).toMatchObject({ name: 'AuthenticationError' });
  expect(server.received).toHaveLength(2);
});

test('later attempts of the call, and later calls, do not report the rejected key', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const apiKey = renewing();
  const { server, client } = await connect({ apiKey });
  server.next(unauthorized, faults.status(500));
  await client.senders.list();
  await client.senders.list();
  expect(apiKey.mock.calls.map(([{ refused }]) => refused)).toEqual([false, true, false, false]);
  vi.restoreAllMocks();
});

test.each([
  ['is too long', `CANARY${'k'.repeat(1_000_000)}`],
  ['contains another header', 'CANARY\r\nX-Evil: 1'],
  ['is a symbol', Symbol('CANARY')],
])('a key that %s is not sent and not printed', async (_, key) => {
  const { server, client } = await connect({ apiKey: () => key as string });
  const error = await errorOf(client.senders.list());
  expect(error).toMatchObject({ name: 'ConfigurationError', scope: 'account' });
  expect(shown(error)).not.toContain('CANARY');
  expect(server.received).toEqual([]);
});
