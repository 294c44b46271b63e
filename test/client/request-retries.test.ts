// Which requests of `client.request` are retried. `matrix.test.ts` tests each kind of failure.
import { expect, test } from 'vitest';
import type { EndpointRequest } from '../../src/index.ts';
import type { Fault } from '../support/fault-server.ts';
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
  '%s is retried if the service did not act or if the request is idempotent',
  async (_, request, idempotent) => {
    const operation = `${request.method} ${request.path}`;
    const attempts = async (fault: Fault, expected: object) => {
      const { server, client } = await connect();
      server.otherwise(fault);
      expect(await errorOf(client.request(request))).toMatchObject({ operation, ...expected });
      for (const received of server.received)
        expect(received).toMatchObject({ method: request.method, body: server.received[0]?.body });
      return server.received.length;
    };
    const byIdempotence = idempotent ? 3 : 1;
    expect(await attempts(faults.tooManyRequests('0'), { outcome: 'refused' })).toBe(3);
    expect(await attempts(faults.status(500), { outcome: 'unknown' })).toBe(byIdempotence);
    expect(await attempts(faults.resetInBody, { outcome: 'unknown' })).toBe(byIdempotence);
    expect(await attempts(faults.status(400), { outcome: 'refused' })).toBe(1);
    const redirected = { outcome: request.method === 'GET' ? 'refused' : 'unknown' };
    expect(await attempts(faults.redirect('https://elsewhere.example'), redirected)).toBe(1);
  },
);

test('`request` shares the rate limiter with every other call', async () => {
  const { client } = await connect({ throttle: { concurrency: 1, maxQueue: 1 } });
  const known = [client.senders.list(), client.senders.list()];
  const error = await errorOf(client.request({ method: 'GET', path: '/sender' }));
  expect(error).toMatchObject({ outcome: 'not-sent', operation: 'GET /sender' });
  await Promise.all(known);
});
