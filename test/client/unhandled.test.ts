import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as faults from '../support/faults.ts';
import { connect, errorOf, failureOf } from './support.ts';

/** Rejections that nobody handles: on Node, one of them ends the process. */
let rejections: unknown[] = [];
const keep = (error: unknown) => void rejections.push(error);

beforeEach(() => {
  rejections = [];
  process.on('unhandledRejection', keep);
});
afterEach(async () => {
  // Rejections are reported once all microtasks have run.
  await new Promise(resolve => setTimeout(resolve, 20));
  process.off('unhandledRejection', keep);
  expect(rejections).toEqual([]);
});

const reason = new Error('enough');

/** Replaces the dispatcher that the global `fetch` sends through while a test runs. */
async function withDispatcher(
  dispatch: (...input: unknown[]) => boolean,
  run: () => Promise<void>,
): Promise<void> {
  const place = globalThis as unknown as Record<symbol, unknown>;
  const key = Symbol.for('undici.globalDispatcher.1');
  const nodes = place[key];
  place[key] = { dispatch };
  try {
    await run();
  } finally {
    place[key] = nodes;
  }
}

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

test('handles a rejection of safe and withResponse once, whatever else is awaited', async () => {
  const { server, client } = await connect({ maxRetries: 0 });
  server.otherwise(faults.status(400));
  const call = client.senders.list();
  expect(await call.safe()).toMatchObject({ ok: false });
  await failureOf(call.withResponse());
});

test('leaves no rejection unhandled when a dispatcher rejects its handler and the call is aborted later', async () => {
  const { server, client } = await connect({ maxRetries: 0 });
  await client.senders.list();
  server.otherwise(faults.neverResponds);
  const controller = new AbortController();
  const place = globalThis as unknown as Record<symbol, { dispatch: (...input: unknown[]) => boolean }>;
  const nodes = place[Symbol.for('undici.globalDispatcher.1')];
  const dispatch = vi.fn((...input: unknown[]) => nodes?.dispatch(...input) ?? false);
  dispatch.mockImplementationOnce(() => {
    throw Object.assign(new Error('invalid onConnect method'), { code: 'UND_ERR_INVALID_ARG' });
  });
  await withDispatcher(dispatch, async () => {
    const call = client.senders.list({ signal: controller.signal });
    await expect.poll(() => server.received.length).toBe(2);
    controller.abort(reason);
    expect(await failureOf(call)).toBe(reason);
  });
});
