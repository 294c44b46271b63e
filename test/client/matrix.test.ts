// Each kind of failure for each kind of call: how often it is sent, and the error and outcome.
import { describe, expect, test } from 'vitest';
import { calls as allCalls } from '../operations.ts';
import { closedPort, unresolvedName } from '../support/fault-server.ts';
import { oneOfEachKind } from '../support/long-run.ts';
import type { NamedRow } from '../support/operation-row.ts';
import { endless, type Failure, lasting, outcomeFor, passing } from './failures.ts';
import { clientOf, connect, errorOf, useNoRetryDelay } from './support.ts';

useNoRetryDelay();

const calls = oneOfEachKind(allCalls);

/** Requests of a call that fails at every attempt: the first one, and two retries by default. */
const most = 3;

const isRetried = (call: NamedRow, failure: Failure) =>
  call.retriedAfterUnknown || failure.alwaysRetried === true;

describe.each(calls)('$title', row => {
  const [method, path] = row.endpoint.split(' ');
  const itself = { method, path };

  test.each(passing)('is retried after $name at every attempt if its idempotence allows', async failure => {
    const { server, client } = await connect();
    server.otherwise(failure.fault);
    const error = await errorOf(row.call(client));
    const requests = isRetried(row, failure) ? most : 1;
    expect(server.received).toHaveLength(requests);
    expect(error).toMatchObject({ name: failure.error, outcome: failure.outcome, operation: row.name });
    expect(error.attempts).toHaveLength(requests);
    for (const received of server.received) expect(received).toMatchObject(itself);
  });

  test.each(passing)(
    'is retried after $name at the first attempt if its idempotence allows',
    async failure => {
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
    },
  );

  test.each(lasting)('is not retried after $name', async failure => {
    const outcome = outcomeFor(failure, row.method);
    const { server, client } = await connect();
    server.next(failure.fault);
    const error = await errorOf(row.call(client));
    expect(server.received).toHaveLength(1);
    expect(error).toMatchObject({ name: failure.error, outcome, operation: row.name });
    expect(error.attempts).toHaveLength(1);
  });

  test('is retried after a refused connection and after a host name that does not resolve', async () => {
    for (const baseUrl of [closedPort, unresolvedName]) {
      const error = await errorOf(row.call(clientOf(baseUrl)));
      expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'not-sent', operation: row.name });
      expect(error.attempts).toHaveLength(most);
    }
  });

  test('connects again after a refused connection, and the service receives one request', async () => {
    let refusals = 1;
    const { server, client } = await connect({
      fetch: (input, init) => {
        const url = String(input);
        return fetch(refusals-- > 0 ? url.replace(/^https?:\/\/[^/]+/, closedPort) : url, init);
      },
    });
    await row.call(client);
    expect(server.received).toHaveLength(1);
  });
});

const ways = [
  { way: 'through the dispatcher', fetch: undefined },
  { way: 'through fetch', fetch: (url: string, init: RequestInit) => fetch(url, init) },
];

/** The calls run at once, because each one waits. The limit is long enough for a busy machine to receive each request. */
describe('each call to a server that does not respond in time', () => {
  const cases = ways.flatMap(({ way, fetch }) =>
    endless.flatMap(failure =>
      calls.map(row => {
        const title = `${row.title} ${way}: ${failure.name}`;
        return { title, failure, row, options: { timeout: 1_500, fetch } };
      }),
    ),
  );

  test('is retried if its idempotence allows, and fails in the end', async () => {
    const check = async ({ title, failure, row, options }: (typeof cases)[number]) => {
      const { server, client } = await connect(options);
      server.otherwise(failure.fault);
      const { name, outcome, operation, attempts } = await errorOf(row.call(client));
      const requests = isRetried(row, failure) ? most : 1;
      expect(
        { name, outcome, operation, attempts: attempts.length, requests: server.received.length },
        title,
      ).toEqual({
        name: failure.error,
        outcome: failure.outcome,
        operation: row.name,
        attempts: requests,
        requests,
      });
    };
    await Promise.all(cases.map(check));
  });

  test('succeeds at the second attempt if its idempotence allows', async () => {
    const check = async ({ title, failure, row, options }: (typeof cases)[number]) => {
      const { server, client } = await connect(options);
      server.next(failure.fault);
      const result = await row.call(client).safe();
      const error = result.ok ? undefined : result.error.name;
      expect({ error, requests: server.received.length }, title).toEqual(
        isRetried(row, failure) ? { error: undefined, requests: 2 } : { error: failure.error, requests: 1 },
      );
    };
    await Promise.all(cases.map(check));
  });
});

// Runtimes other than Node always send through `fetch`.
test.each([...passing, ...lasting])(
  'through `fetch`, each call that fails by $name is retried if its idempotence allows',
  async failure => {
    for (const row of calls) {
      const { server, client } = await connect({ fetch: ways[1]?.fetch });
      server.otherwise(failure.fault);
      const { name, outcome, attempts } = await errorOf(row.call(client));
      const requests = passing.includes(failure) && isRetried(row, failure) ? most : 1;
      expect(
        { name, outcome, attempts: attempts.length, requests: server.received.length },
        row.title,
      ).toEqual({
        name: failure.error,
        outcome: outcomeFor(failure, row.method),
        attempts: requests,
        requests,
      });
    }
  },
);
