import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { calls } from '../operations.ts';
import { closedPort, unresolvedName } from '../support/fault-server.ts';
import * as faults from '../support/faults.ts';
import type { NamedRow } from '../support/operation-row.ts';
import { endless, type Failure, lasting, passing } from './failures.ts';
import { clientOf, connect, errorOf } from './support.ts';

/** Requests of a call that fails to the end: the first, and `maxRetries` (2 by default) more. */
const most = 3;

/** No waits: full jitter draws the shortest there is. */
beforeEach(() => vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => vi.restoreAllMocks());

const isRetried = (call: NamedRow, failure: Failure) => call.retriedAfterUnknown || failure.askAgain === true;

describe.each(calls)('$title', row => {
  const [method, path] = row.endpoint.split(' ');
  const itself = { method, path };

  test.each(passing)('$name, every time', async failure => {
    const { server, client } = await connect();
    server.otherwise(failure.fault);
    const error = await errorOf(row.call(client));
    const requests = isRetried(row, failure) ? most : 1;
    expect(server.received).toHaveLength(requests);
    expect(error).toMatchObject({ name: failure.error, outcome: failure.outcome, operation: row.name });
    expect(error.attempts).toHaveLength(requests);
    for (const received of server.received) expect(received).toMatchObject(itself);
  });

  test.each(passing)('$name, once', async failure => {
    const { server, client } = await connect();
    server.next(failure.fault);
    const call = row.call(client);
    if (isRetried(row, failure)) {
      await call;
      expect(server.received).toHaveLength(2);
      const [first, second] = server.received;
      expect(second?.body).toBe(first?.body);
      expect(second?.query.toString()).toBe(first?.query.toString());
    } else {
      expect(await errorOf(call)).toMatchObject({ name: failure.error, outcome: failure.outcome });
      expect(server.received).toHaveLength(1);
    }
  });

  test.each(lasting)('$name is not asked again', async failure => {
    const { server, client } = await connect();
    server.next(failure.fault);
    const error = await errorOf(row.call(client));
    expect(server.received).toHaveLength(1);
    expect(error).toMatchObject({ name: failure.error, outcome: failure.outcome, operation: row.name });
    expect(error.attempts).toHaveLength(1);
  });

  test('an answer that is too large is read no further, and not asked for again', async () => {
    const { server, client } = await connect({ maxResponseBytes: 100_000 });
    server.next(faults.oversized(50_000_000));
    const error = await errorOf(row.call(client));
    expect(server.received).toHaveLength(1);
    expect(error).toMatchObject({ name: 'InvalidResponseError', outcome: 'unknown' });
  });

  test('a refused connection is tried again', async () => {
    const error = await errorOf(row.call(clientOf(await closedPort())));
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'not-sent', operation: row.name });
    expect(error.attempts).toHaveLength(most);
  });

  test('a name that does not resolve is tried again', async () => {
    const error = await errorOf(row.call(clientOf(unresolvedName)));
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'not-sent', operation: row.name });
    expect(error.attempts).toHaveLength(most);
  });

  test('a connection refused once is made again, and the service sees one request', async () => {
    const closed = await closedPort();
    let refusals = 1;
    const { server, client } = await connect({
      fetch: (input, init) => {
        const url = String(input);
        return fetch(refusals-- > 0 ? url.replace(/^https?:\/\/[^/]+/, closed) : url, init);
      },
    });
    await row.call(client);
    expect(server.received).toHaveLength(1);
  });

  test('`maxRetries: 0` asks once, whatever fails', async () => {
    const { server, client } = await connect();
    server.otherwise(faults.tooManyRequests('0'));
    await errorOf(row.call(client, { maxRetries: 0 }));
    expect(server.received).toHaveLength(1);
  });
});

const ways = [
  { way: 'beneath fetch', fetch: undefined },
  { way: 'through fetch', fetch: (url: string, init: RequestInit) => fetch(url, init) },
];

/** All at once, as each takes its time; the limit is long enough for a busy machine to receive each request in it. */
describe.each(ways)('$way, a server that keeps its caller waiting', ({ fetch }) => {
  const options = { timeout: 1_500, fetch };
  const cases = endless.flatMap(failure => calls.map(row => ({ failure, row })));

  test('every time', async () => {
    const told = cases.map(async ({ failure, row }) => {
      const { server, client } = await connect(options);
      server.otherwise(failure.fault);
      const { name, outcome, operation, attempts } = await errorOf(row.call(client));
      const counts = { attempts: attempts.length, requests: server.received.length };
      return { call: row.title, failure: failure.name, name, outcome, operation, ...counts };
    });
    const expected = cases.map(({ failure, row }) => {
      const requests = isRetried(row, failure) ? most : 1;
      const { error: name, outcome } = failure;
      const { name: operation } = row;
      return {
        call: row.title,
        failure: failure.name,
        name,
        outcome,
        operation,
        attempts: requests,
        requests,
      };
    });
    expect(await Promise.all(told)).toEqual(expected);
  });

  test('once', async () => {
    const told = cases.map(async ({ failure, row }) => {
      const { server, client } = await connect(options);
      server.next(failure.fault);
      const error = await Promise.resolve(row.call(client)).then(
        () => undefined,
        (thrown: Error) => thrown.name,
      );
      return { call: row.title, failure: failure.name, error, requests: server.received.length };
    });
    const expected = cases.map(({ failure, row }) => {
      const repeats = isRetried(row, failure);
      const [error, requests] = repeats ? [undefined, 2] : [failure.error, 1];
      return { call: row.title, failure: failure.name, error, requests };
    });
    expect(await Promise.all(told)).toEqual(expected);
  });
});

/** The same rules hold where the attempts go through a `fetch` of the user's own, as on every runtime but Node. */
describe('through `fetch`', () => {
  const throughFetch = { fetch: ways[1]?.fetch };

  test.each([...passing, ...lasting])('$name, every time, for every kind of call', async failure => {
    const repeats = passing.includes(failure);
    for (const row of calls) {
      const { server, client } = await connect(throughFetch);
      server.otherwise(failure.fault);
      const error = await errorOf(row.call(client));
      const requests = repeats && isRetried(row, failure) ? most : 1;
      expect(server.received.length, row.title).toBe(requests);
      const { name, outcome, attempts } = error;
      expect({ name, outcome, attempts: attempts.length }, row.title).toEqual({
        name: failure.error,
        outcome: failure.outcome,
        attempts: requests,
      });
    }
  });

  test('an answer that is too large is read no further', async () => {
    const { server, client } = await connect({ ...throughFetch, maxResponseBytes: 100_000 });
    server.next(faults.oversized(50_000_000));
    const error = await errorOf(client.senders.list());
    expect(error).toMatchObject({ name: 'InvalidResponseError', outcome: 'unknown' });
    expect(server.received).toHaveLength(1);
  });
});
