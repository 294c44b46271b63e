// Failures that come after a call has ended: none of them is left as an unhandled rejection.
import { expect, test } from 'vitest';
import * as faults from '../support/faults.ts';
import { connect, errorOf, failureOf, replaceDispatcher, useRejectionWatch } from './support.ts';

useRejectionWatch();

const reason = new Error('enough');

test('leaves no rejection unhandled when the function for the key aborts the call and then fails', async () => {
  const controller = new AbortController();
  const { server, client } = await connect({
    apiKey: () => {
      controller.abort(reason);
      return Promise.reject(new Error('no key'));
    },
  });
  expect(await failureOf(client.senders.list({ signal: controller.signal }))).toBe(reason);
  expect(server.received).toEqual([]);
});

test('leaves no rejection unhandled when a limiter aborts the call and then fails', async () => {
  const controller = new AbortController();
  const { client } = await connect({
    throttle: {
      acquire: () => {
        controller.abort(reason);
        return Promise.reject(new Error('no permit'));
      },
    },
  });
  expect(await failureOf(client.senders.list({ signal: controller.signal }))).toBe(reason);
});

test('leaves no rejection unhandled when a fetch rejects after the time limit', async () => {
  const { client } = await connect({
    timeout: 5,
    maxRetries: 0,
    fetch: () => new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 15)),
  });
  expect(await errorOf(client.senders.list())).toMatchObject({ name: 'TimeoutError', phase: 'head' });
});

test('leaves no rejection unhandled when a body fails after the call was aborted', async () => {
  const { server, client } = await connect();
  const controller = new AbortController();
  server.otherwise(exchange => {
    controller.abort(reason);
    faults.resetInBody(exchange);
  });
  expect(await failureOf(client.senders.list({ signal: controller.signal }))).toBe(reason);
});

test('leaves no rejection unhandled when a dispatcher rejects its handler and the call is aborted later', async () => {
  const { server, client } = await connect({ maxRetries: 0 });
  await client.senders.list();
  server.otherwise(faults.neverResponds);
  const controller = new AbortController();
  let calls = 0;
  replaceDispatcher((dispatch, ...input) => {
    if (calls++ > 0) return dispatch(...input);
    throw Object.assign(new Error('invalid onConnect method'), { code: 'UND_ERR_INVALID_ARG' });
  });
  const call = client.senders.list({ signal: controller.signal });
  await expect.poll(() => server.received.length).toBe(2);
  controller.abort(reason);
  expect(await failureOf(call)).toBe(reason);
});
