// The promise that each call returns. A failure, even one that comes after the call has ended, is never an unhandled rejection.
import { describe, expect, test } from 'vitest';
import type { ClientOptions } from '../../src/index.ts';
import * as faults from '../support/faults.ts';
import { makeClient, respond, useTestService } from '../support/test-service.ts';
import { connect, errorOf, failureOf, useRejectionWatch } from './support.ts';

useTestService();

useRejectionWatch();

const found = () =>
  respond('GET /api/v1/rest/sender', { body: [], status: 203, headers: { 'x-request-id': 'r-1' } });
const lost = () =>
  respond('GET /api/v1/rest/sender', {
    body: { status: 'error', message: 'nothing is here' },
    status: 404,
  });

describe('a call', () => {
  test('returns a promise of the data, whose `then` returns a plain promise', async () => {
    found();
    const call = makeClient().senders.list();
    expect(call).toBeInstanceOf(Promise);
    expect(call.then(() => 1)).not.toHaveProperty('safe');
    expect(await call).toEqual([]);
  });

  test('sends one request, however often it is awaited', async () => {
    const seen = found();
    const call = makeClient().senders.list();
    await Promise.all([call, call.withResponse(), call.safe(), call.then(() => {})]);
    expect(seen).toHaveLength(1);
  });
});

test('withResponse and safe return the data with status and headers', async () => {
  found();
  const { senders } = makeClient();
  for (const { data, response } of [await senders.list().withResponse(), await senders.list().safe()]) {
    expect(data).toEqual([]);
    expect(response).toBeInstanceOf(Response);
    expect(response).toMatchObject({ status: 203, ok: true });
    expect(response?.headers.get('x-request-id')).toBe('r-1');
  }
  expect(await senders.list().safe()).toMatchObject({ ok: true });
});

test('a failure that is handled in any way leaves no rejection unhandled', async () => {
  lost();
  const call = () => makeClient().senders.list();
  await call().safe();
  await call()
    .withResponse()
    .catch(() => {});
  await call().catch(() => {});
  const late = call();
  expect(await late.safe()).toMatchObject({ ok: false });
});

const reason = new Error('enough');

test.each<[string, (fail: () => Promise<never>) => ClientOptions]>([
  ['apiKey', apiKey => ({ apiKey })],
  ['throttle.acquire', acquire => ({ throttle: { acquire } })],
])('`%s` may abort the call and then fail', async (_, optionsOf) => {
  const controller = new AbortController();
  const fail = () => {
    controller.abort(reason);
    return Promise.reject(new Error('too late'));
  };
  const { server, client } = await connect(optionsOf(fail));
  expect(await failureOf(client.senders.list({ signal: controller.signal }))).toBe(reason);
  expect(server.received).toEqual([]);
});

test('a `fetch` may reject after the time limit', async () => {
  const fetch = () => new Promise<never>((_, reject) => setTimeout(() => reject(new Error('late')), 15));
  const { client } = await connect({ timeout: 5, maxRetries: 0, fetch });
  expect(await errorOf(client.senders.list())).toMatchObject({ name: 'TimeoutError' });
});

test('a body may fail after the call was aborted', async () => {
  const { server, client } = await connect();
  const controller = new AbortController();
  server.otherwise(exchange => {
    controller.abort(reason);
    faults.resetInBody(exchange);
  });
  expect(await failureOf(client.senders.list({ signal: controller.signal }))).toBe(reason);
});
