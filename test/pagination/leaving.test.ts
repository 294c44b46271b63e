// Leaving a loop ends what is in flight, however it is left: records, pages, and the results of `bulk`.
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, test } from 'vitest';
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
      const hooks: Hooks = { onError: note('onError'), onResponse: note('onResponse') };
      const { client, server } = await connect({ hooks });
      server.otherwise(fault);
      const loop = begin(client);
      const end = leave(loop);
      const expected = of === 'of bulk' ? 2 : 1;
      await eventually(() => expect(server.received).toHaveLength(expected));
      await end();
      expect(await loop.next()).toEqual({ done: true, value: undefined });
      await eventually(() => expect(server.open()).toBe(0));
      expect(server.received).toHaveLength(expected);
      // Nobody wants the page; the calls of a bulk are the user's own.
      await eventually(() => expect(reported).toEqual(of === 'of bulk' ? ['onError', 'onError'] : []));
    });
});

test('a pipeline over a paginator itself ends at once by a signal that both have', async () => {
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
