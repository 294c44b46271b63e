// A failure that comes after a call has ended never becomes an unhandled rejection.
import { expect, test } from 'vitest';
import type { ClientOptions } from '../../src/index.ts';
import * as faults from '../support/faults.ts';
import { connect, errorOf, failureOf, useRejectionWatch } from './support.ts';

useRejectionWatch();

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
  const { client } = await connect({
    timeout: 5,
    maxRetries: 0,
    fetch: () => new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 15)),
  });
  expect(await errorOf(client.senders.list())).toMatchObject({ name: 'TimeoutError', phase: 'head' });
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
