// Each kind of failure for each kind of call: how often it is sent, and the error and outcome.
import { afterEach, expect, test } from 'vitest';
import type { ClientOptions } from '../../src/index.ts';
import { calls as allCalls } from '../endpoints.ts';
import { closedPort, unresolvedName } from '../support/fault-server.ts';
import { oneOfEachKind } from '../support/long-run.ts';
import type { NamedRow } from '../support/operation-row.ts';
import { broken, endless, type Failure, lasting, passing } from './failures.ts';
import { clientOfServer, connect, errorOf, useNoRetryDelay, ways } from './support.ts';
import { ended, restoreClock, stopClock } from './timed-client.ts';

useNoRetryDelay();
afterEach(restoreClock);

const calls = oneOfEachKind(allCalls);

/** Retries of a call that fails at every attempt, by default. */
const retries = 2;

/** Makes a call to a server that fails at every attempt, and checks the error and each request. */
async function checkFailure(row: NamedRow, failure: Failure, options: ClientOptions) {
  const { server, client } = await connect(options);
  server.otherwise(failure.fault);
  const error = await errorOf(row.call(client));
  const { maxRetries = retries } = options;
  const isRetried = !lasting.includes(failure) && (row.retriedAfterUnknown || failure.alwaysRetried);
  const requests = isRetried ? 1 + maxRetries : 1;
  const { phase } = failure;
  expect(error, row.title).toMatchObject({
    name: failure.error,
    outcome: row.method === 'GET' ? failure.outcome : failure.outcomeOfWrite,
    operation: row.name,
    attempts: Array(requests).fill(phase ? { reason: `timeout in ${phase}` } : {}),
    ...(phase && { phase, limit: 'timeout' }),
  });
  const [method, path] = row.endpoint.split(' ');
  const { body, query } = server.received[0] ?? {};
  expect(server.received, row.title).toHaveLength(requests);
  for (const received of server.received)
    expect(received, row.title).toMatchObject({ method, path, body, query });
  // No response stays open.
  while (server.open() > 0) await new Promise(resolve => setImmediate(resolve));
}

test.each([...passing, ...lasting])(
  'each call that fails by $name is retried if its idempotence allows',
  async failure => {
    // What a whole response means does not depend on the way.
    for (const [, fetch] of broken.includes(failure) ? ways : ways.slice(0, 1))
      for (const row of calls) await checkFailure(row, failure, { fetch });
  },
);

// The calls run at once and are retried once, because each one waits. The clock moves by a millisecond at a time, after
// everything that has arrived: a request cannot be late.
test('each call to a server that does not respond in time is retried if its idempotence allows', async () => {
  // Node's own timer of connections starts now, on the real clock.
  for (const [, fetch] of ways) await (await connect({ fetch })).client.senders.list();
  stopClock();
  const checks = ways.flatMap(([, fetch]) =>
    endless.flatMap(failure =>
      calls.map(row => checkFailure(row, failure, { fetch, timeout: 2_000, maxRetries: 1 })),
    ),
  );
  await ended(Promise.all(checks));
});

test('each call is retried after a refused connection and after a host name that does not resolve', async () => {
  for (const baseUrl of [closedPort, unresolvedName])
    for (const row of calls) {
      const error = await errorOf(row.call(clientOfServer(baseUrl)));
      expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'not-sent', operation: row.name });
      expect(error.attempts).toHaveLength(1 + retries);
    }
});
