import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { EndpointRequest } from '../../src/index.ts';
import { closedPort } from '../support/fault-server.ts';
import * as faults from '../support/faults.ts';
import { isLongRun } from '../support/long-run.ts';
import { lasting, outcomeFor, passing } from './failures.ts';
import { clientOf, connect, errorOf } from './support.ts';

/** No waits: full jitter draws the shortest. */
beforeEach(() => vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => vi.restoreAllMocks());

/** Requests of a call that fails at every attempt: the first, and `maxRetries` (2 by default) more. */
const most = 3;

/** A request, and whether it is idempotent by default. */
const requests: readonly (readonly [title: string, request: EndpointRequest, idempotent: boolean])[] = [
  ['a GET', { method: 'GET', path: '/sender' }, true],
  ['a GET that is not idempotent', { method: 'GET', path: '/sender', idempotent: false }, false],
  ['a POST', { method: 'POST', path: '/tag', body: { name: 'a' } }, false],
  ['a POST without a body', { method: 'POST', path: '/tag' }, false],
  ['an idempotent POST', { method: 'POST', path: '/tag', body: { name: 'a' }, idempotent: true }, true],
  ['a PUT', { method: 'PUT', path: '/tag', body: {} }, false],
  ['a PATCH', { method: 'PATCH', path: '/tag', body: {} }, false],
  ['a DELETE', { method: 'DELETE', path: '/tag/{id}', params: { id: 'tag_1' } }, false],
  [
    'an idempotent DELETE',
    { method: 'DELETE', path: '/tag/{id}', params: { id: 1 }, idempotent: true },
    true,
  ],
  ['a legacy POST', { api: 'legacy', method: 'POST', path: '/contact/track', body: {} }, false],
];

/** Requests of `npm test`: each value of the flag, and each interface. */
const quick = ['a GET', 'a POST', 'an idempotent POST', 'a legacy POST'];
const tested = isLongRun ? requests : requests.filter(([title]) => quick.includes(title));

describe.each(tested)('%s', (_, request, idempotent) => {
  const operation = `${request.method} ${request.path}`;

  test.each(passing)('$name: is retried if it is idempotent', async failure => {
    const { server, client } = await connect();
    server.otherwise(failure.fault);
    const error = await errorOf(client.request(request));
    const count = idempotent || failure.alwaysRetried ? most : 1;
    expect(server.received).toHaveLength(count);
    expect(error).toMatchObject({ name: failure.error, outcome: failure.outcome, operation });
    for (const received of server.received)
      expect(received).toMatchObject({ method: request.method, body: server.received[0]?.body });
  });

  test.each(lasting)('$name: is not retried', async failure => {
    const { server, client } = await connect();
    server.otherwise(failure.fault);
    const error = await errorOf(client.request(request));
    expect(server.received).toHaveLength(1);
    const outcome = outcomeFor(failure, request.method);
    expect(error).toMatchObject({ name: failure.error, outcome, operation });
  });

  test('no response in time: is retried if it is idempotent', async () => {
    const { server, client } = await connect({ timeout: 500 });
    server.otherwise(faults.neverResponds);
    const error = await errorOf(client.request(request));
    expect(error).toMatchObject({ name: 'TimeoutError', outcome: 'unknown', operation });
    expect(server.received).toHaveLength(idempotent ? most : 1);
  });

  test('is retried after a refused connection', async () => {
    const error = await errorOf(clientOf(await closedPort()).request(request));
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'not-sent', operation });
    expect(error.attempts).toHaveLength(most);
  });
});

test('shares the rate limiter with every other call', async () => {
  const { server, client } = await connect({ throttle: { concurrency: 1 } });
  const order: string[] = [];
  await Promise.all([
    client.senders.list().then(() => order.push('known')),
    client.request({ method: 'GET', path: '/sender' }).then(() => order.push('request')),
  ]);
  expect(order).toEqual(['known', 'request']);
  expect(server.received).toHaveLength(2);
  const full = clientOf(server.url, { throttle: { concurrency: 1, maxQueue: 1 } });
  const calls = [1, 2, 3].map(() => full.request({ method: 'GET', path: '/sender' }).safe());
  const refused = (await Promise.all(calls)).filter(result => !result.ok);
  expect(refused).toMatchObject([{ error: { outcome: 'not-sent', operation: 'GET /sender' } }]);
});
