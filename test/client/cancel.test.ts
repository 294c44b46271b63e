// Aborted calls: what they reject with, and what they leave behind.
import { getEventListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { CallAbortedError, type Outcome } from '../../src/index.ts';
import { eventually } from '../support/eventually.ts';
import type { Fault, FaultServer } from '../support/fault-server.ts';
import * as faults from '../support/faults.ts';
import { connect, failureOf, ways } from './support.ts';

const reason = { mine: 'a reason of my own, of any type' };

afterEach(() => vi.restoreAllMocks());

const arrived = (server: FaultServer, count = 1) =>
  eventually(() => expect(server.received).toHaveLength(count));

describe('an aborted call', () => {
  test('rejects with the reason and sends nothing if its signal was aborted before', async () => {
    const { server, client } = await connect();
    const options = { signal: AbortSignal.abort(reason) };
    expect(await failureOf(client.senders.list(options))).toBe(reason);
    expect(await failureOf(client.senders.list(options).withResponse())).toBe(reason);
    const named = { name: 'CallAbortedError', outcome: 'not-sent', retryable: true };
    const error = { ...named, attempts: [], cause: reason };
    expect(await client.senders.list(options).safe()).toMatchObject({ error });
    expect(await client.contacts.findByEmail('ada@x.test', options).safe()).toMatchObject({ error });
    expect(server.received).toEqual([]);
  });

  test.each<[string, Fault, Outcome, object]>([
    ['flight', faults.neverResponds, 'unknown', { reason: 'aborted' }],
    ['the body, before its first byte', faults.stallsAfterHead, 'unknown', { reason: 'aborted' }],
    ['the wait for a retry', faults.tooManyRequests('60'), 'refused', { status: 429 }],
  ])('in %s ends with the reason, and leaves no response open', async (_, fault, outcome, attempt) => {
    const onRetry = vi.fn();
    const { server, client } = await connect({ hooks: { onRetry } });
    server.otherwise(fault);
    const controller = new AbortController();
    const call = client.tags.delete('tag_A1b2C3d4E5f6G7h8I9j0K1', { signal: controller.signal });
    const [failure, result] = [failureOf(call), call.safe()];
    await arrived(server);
    if (outcome === 'refused') await eventually(() => expect(onRetry).toHaveBeenCalled());
    else await sleep(50);
    controller.abort(reason);
    expect(await failure).toBe(reason);
    expect(await result).toMatchObject({
      ok: false,
      error: {
        constructor: CallAbortedError,
        message: 'tags.delete: the call was aborted.',
        operation: 'tags.delete',
        outcome,
        retryable: true,
        attempts: [attempt],
        cause: reason,
      },
    });
    expect(server.received).toHaveLength(1);
    await eventually(() => expect(server.open()).toBe(0));
  });

  test.each(ways)('is not sent through %s if it is aborted right after it was made', async (_, given) => {
    const onRequest = vi.fn();
    const { server, client } = await connect({ fetch: given, hooks: { onRequest } });
    const controller = new AbortController();
    const call = client.tags.create({ name: 'vip' }, { signal: controller.signal }).safe();
    controller.abort(reason);
    expect(await call).toMatchObject({ error: { outcome: 'not-sent', attempts: [], cause: reason } });
    await client.senders.list();
    expect(server.received.map(({ method }) => method)).toEqual(['GET']);
    expect(onRequest).toHaveBeenCalledOnce();
  });
});

test.each(ways)(
  'a call through %s leaves no listener on its signal, whatever its result',
  async (_, given) => {
    const { server, client } = await connect({ fetch: given, maxRetries: 1 });
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { signal } = new AbortController();
    const answers = [faults.status(500), faults.tooManyRequests('0'), faults.resetInBody, faults.notJson];
    for (const fault of answers) {
      server.next(fault);
      await client.senders.list({ signal }).safe();
    }
    server.otherwise(faults.neverResponds);
    const error = { name: 'TimeoutError', limit: 'totalTimeout' };
    expect(await client.senders.list({ signal, totalTimeout: 100 }).safe()).toMatchObject({ error });
    // The limits of the call and of its request are two timers: the request can end a moment after the call.
    await eventually(() => expect([server.open(), getEventListeners(signal, 'abort')]).toEqual([0, []]));
  },
);

test.each(Array.from({ length: 30 }, (_, turns) => turns))(
  'no permit is lost when a waiting call is cancelled %i microtasks after the one before',
  async turns => {
    const { client } = await connect({ throttle: { concurrency: 1, maxQueue: 1 } });
    const controller = new AbortController();
    const first = client.senders.list();
    const second = client.senders.list({ signal: controller.signal }).safe();
    await first;
    for (let turn = 0; turn < turns; turn += 1) await undefined;
    controller.abort(reason);
    await second;
    // Without a permit, the first of these would wait, and the second would find the queue full.
    await Promise.all([client.senders.list(), client.senders.list()]);
  },
);
