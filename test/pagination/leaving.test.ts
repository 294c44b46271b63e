// Leaving a loop over records, pages or the results of `bulk` ends what is in flight, however it is left.
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, test, vi } from 'vitest';
import { bulk, type EmailMarketingClient, type Hooks } from '../../src/index.ts';
import { connect, failureOf, useRejectionWatch } from '../client/support.ts';
import { eventually } from '../support/eventually.ts';
import type { Fault } from '../support/fault-server.ts';
import * as faults from '../support/faults.ts';

useRejectionWatch();

type Loop = (client: EmailMarketingClient) => AsyncGenerator<unknown, void, undefined>;

const loops: Readonly<Record<string, Loop>> = {
  'of records': client => client.contacts.all()[Symbol.asyncIterator](),
  'of pages': client => client.contacts.all().pages(),
  'of bulk': client =>
    bulk(Array(100).keys(), (_, { signal }) => client.senders.list({ signal }), { concurrency: 2 }),
};

/** Begins to read, and returns how to leave. */
type Leaving = (loop: AsyncGenerator<unknown, void, undefined>) => () => Promise<unknown>;

const ways: Readonly<Record<string, Leaving>> = {
  'return()': loop => {
    const next = loop.next();
    return async () => {
      expect(await loop.return()).toEqual({ done: true, value: undefined });
      expect(await next).toEqual({ done: true, value: undefined });
    };
  },
  'throw()': loop => {
    const next = loop.next();
    const error = new RangeError('mine');
    return async () => {
      expect(await failureOf(loop.throw(error))).toBe(error);
      expect(await next).toEqual({ done: true, value: undefined });
    };
  },
  'an aborted pipeline': loop => {
    const stop = new AbortController();
    const sink = new Writable({ objectMode: true });
    const run = failureOf(pipeline(Readable.from(loop), sink, { signal: stop.signal }));
    return async () => {
      stop.abort();
      expect(await run).toMatchObject({ name: 'AbortError' });
    };
  },
};

/** What the loop waits for: a response, or the time until the next attempt. */
const waits: Readonly<Record<string, Fault>> = {
  'a response': faults.neverResponds,
  'a retry': faults.tooManyRequests('60'),
};

describe.each(Object.entries(waits))('a loop that waits for %s', (_, fault) => {
  for (const [of, begin] of Object.entries(loops))
    test.each(Object.entries(ways))(`${of} is left at once by %s`, async (__, leave) => {
      const reported: string[] = [];
      const note = (text: string) => () => void reported.push(text);
      const ends = { onSuccess: note('onSuccess'), onError: note('onError'), onCancel: note('onCancel') };
      const { client, server } = await connect({ hooks: { onRequest: note('onRequest'), ...ends } });
      server.otherwise(fault);
      const loop = begin(client);
      const end = leave(loop);
      const expected = of === 'of bulk' ? 2 : 1;
      await eventually(() => expect(server.received).toHaveLength(expected));
      await end();
      expect(await loop.next()).toEqual({ done: true, value: undefined });
      await eventually(() => expect(server.open()).toBe(0));
      expect(server.received).toHaveLength(expected);
      // A page that is no longer needed is not a failure. The user makes the calls of `bulk`.
      const reports =
        of === 'of bulk' ? ['onRequest', 'onRequest', 'onError', 'onError'] : ['onRequest', 'onCancel'];
      await eventually(() => expect(reported).toEqual(reports));
    });
});

test('a gauge of calls in flight is 0 after a loop is left while it prefetches', async () => {
  const inFlight = new Set<unknown>();
  const end = ({ callId }: { readonly callId: unknown }) => void inFlight.delete(callId);
  const onRequest = ({ callId }: { readonly callId: unknown }) => void inFlight.add(callId);
  const hooks: Hooks = { onRequest, onSuccess: end, onError: end, onCancel: end };
  const { client, server } = await connect({ hooks });
  const page = Array.from({ length: 100 }, (_, index) => ({ id: `contact_${index}`, email: '' }));
  server.next(({ response }) => response.end(JSON.stringify(page)));
  server.otherwise(faults.neverResponds);
  for await (const contact of client.contacts.all({}, { concurrency: 2 })) {
    if (contact.id !== 'contact_50') continue;
    await eventually(() => expect(inFlight.size).toBe(2));
    break;
  }
  await eventually(() => expect([server.open(), inFlight.size]).toEqual([0, 0]));
});

test('a page that is left before it is sent is reported to no hook', async () => {
  const reported: string[] = [];
  const note = (text: string) => () => void reported.push(text);
  const hooks: Hooks = { onRequest: note('onRequest'), onError: note('onError'), onCancel: note('onCancel') };
  const acquire = vi.fn(() => new Promise<void>(() => {}));
  const { client, server } = await connect({ hooks, throttle: { acquire } });
  const loop = client.contacts.all()[Symbol.asyncIterator]();
  const next = loop.next();
  await eventually(() => expect(acquire).toHaveBeenCalledOnce());
  await loop.return();
  expect(await next).toEqual({ done: true, value: undefined });
  expect([server.received, reported]).toEqual([[], []]);
});

test('a pipeline over a paginator ends at once when a signal that they share aborts', async () => {
  const { client, server } = await connect();
  server.otherwise(faults.neverResponds);
  const controller = new AbortController();
  const { signal } = controller;
  const sink = new Writable({ objectMode: true });
  const run = failureOf(pipeline(client.contacts.all({}, { signal }), sink, { signal }));
  await eventually(() => expect(server.received).toHaveLength(1));
  controller.abort();
  expect(await run).toMatchObject({ name: 'AbortError' });
  await eventually(() => expect(server.open()).toBe(0));
  expect(server.received).toHaveLength(1);
});

test.each(Object.entries(loops))('a loop %s that is left before it began sends nothing', async (_, begin) => {
  const { client, server } = await connect();
  const loop = begin(client);
  expect(await loop.return()).toEqual({ done: true, value: undefined });
  expect(await loop.next()).toEqual({ done: true, value: undefined });
  expect(server.received).toEqual([]);
});
