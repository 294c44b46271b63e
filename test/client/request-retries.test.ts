// Which requests of `client.request` are retried. `matrix.test.ts` tests each kind of failure.
import { expect, test } from 'vitest';
import type { EndpointRequest } from '../../src/index.ts';
import * as faults from '../support/faults.ts';
import { connect, errorOf, useNoRetryDelay } from './support.ts';

useNoRetryDelay();

/** A request, and whether it is idempotent by default. */
const requests: readonly (readonly [title: string, request: EndpointRequest, idempotent: boolean])[] = [
  ['a GET', { method: 'GET', path: '/sender' }, true],
  ['a GET that is not idempotent', { method: 'GET', path: '/sender', idempotent: false }, false],
  ['a POST', { method: 'POST', path: '/tag', body: { name: 'a' } }, false],
  ['an idempotent POST', { method: 'POST', path: '/tag', body: { name: 'a' }, idempotent: true }, true],
  ['a PUT', { method: 'PUT', path: '/tag', body: {} }, false],
  ['a PATCH', { method: 'PATCH', path: '/tag', body: {} }, false],
  ['a DELETE', { method: 'DELETE', path: '/tag/{id}', params: { id: 'tag_1' } }, false],
  ['a legacy POST', { api: 'legacy', method: 'POST', path: '/contact/track', body: {} }, false],
];

test.each(requests)(
  '%s is retried after an unknown outcome if it is idempotent',
  async (_, request, idempotent) => {
    const { server, client } = await connect();
    server.otherwise(faults.resetInBody);
    const operation = `${request.method} ${request.path}`;
    expect(await errorOf(client.request(request))).toMatchObject({ operation, outcome: 'unknown' });
    expect(server.received).toHaveLength(idempotent ? 3 : 1);
  },
);

test('`request` shares the rate limiter with every other call', async () => {
  const { client } = await connect({ throttle: { concurrency: 1, maxQueue: 1 } });
  const known = [client.senders.list(), client.senders.list()];
  const error = await errorOf(client.request({ method: 'GET', path: '/sender' }));
  expect(error).toMatchObject({ outcome: 'not-sent', operation: 'GET /sender' });
  await Promise.all(known);
});
