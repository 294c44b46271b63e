import { describe, expect, test, vi } from 'vitest';
import type { Fault } from '../support/fault-server.ts';
import * as faults from '../support/faults.ts';
import { connect, errorOf } from './support.ts';

/** How punctual the limits are is measured by `npm run soak`; here it is which of them ends a call, and where. */

const endless: [string, Fault, 'head' | 'body'][] = [
  ['a server that never answers', faults.neverResponds, 'head'],
  ['a server that stalls after the head', faults.stallsAfterHead, 'body'],
  ['a server that stalls in mid-body', faults.stallsInBody, 'body'],
  ['a server that drips a byte a second', faults.drips(), 'body'],
];

describe.each(endless)('%s', (_, fault, phase) => {
  test('ends at `timeout`, and has its connection closed', async () => {
    const { server, client } = await connect({ timeout: 250, maxRetries: 0 });
    server.otherwise(fault);
    const error = await errorOf(client.senders.list());
    expect(error).toMatchObject({ name: 'TimeoutError', limit: 'timeout', phase, outcome: 'unknown' });
    await vi.waitFor(() => expect(server.open()).toBe(0));
  });

  test('ends at `totalTimeout`', async () => {
    const { server, client } = await connect({ totalTimeout: 250 });
    server.otherwise(fault);
    const error = await errorOf(client.senders.list());
    expect(error).toMatchObject({ name: 'TimeoutError', limit: 'totalTimeout', phase, outcome: 'unknown' });
    expect(server.received).toHaveLength(1);
  });
});

test("a call ends at its own limit, which overrides the client's", async () => {
  const { server, client } = await connect({ timeout: Number.POSITIVE_INFINITY });
  server.otherwise(faults.neverResponds);
  const error = await errorOf(client.senders.list({ timeout: 250, maxRetries: 0 }));
  expect(error).toMatchObject({ name: 'TimeoutError', limit: 'timeout', phase: 'head' });
});

test('`totalTimeout` spans the attempts', async () => {
  const { server, client } = await connect({ timeout: 300, totalTimeout: 750, maxRetries: 100 });
  vi.spyOn(Math, 'random').mockReturnValue(0);
  server.otherwise(faults.neverResponds);
  const error = await errorOf(client.senders.list());
  vi.restoreAllMocks();
  expect(error).toMatchObject({ name: 'TimeoutError', limit: 'totalTimeout', outcome: 'unknown' });
  expect(server.received.length).toBeGreaterThan(1);
});

test('starts no wait that would outlast `totalTimeout`', async () => {
  const { server, client } = await connect({ totalTimeout: 2_000 });
  server.otherwise(faults.tooManyRequests('60'));
  expect(await errorOf(client.senders.list())).toMatchObject({ name: 'RateLimitError', retryAfter: 60 });
  expect(server.received).toHaveLength(1);
});

test('time in the queue counts towards `totalTimeout`, and the error says so', async () => {
  const { server, client } = await connect({ throttle: { concurrency: 1 }, timeout: 5_000 });
  server.next(faults.neverResponds);
  const cancel = new AbortController();
  const first = client.senders.list({ signal: cancel.signal });
  const error = await errorOf(client.senders.list({ totalTimeout: 250 }));
  expect(error).toMatchObject({
    name: 'TimeoutError',
    limit: 'totalTimeout',
    phase: 'queue',
    outcome: 'not-sent',
  });
  expect(error.attempts).toEqual([]);
  cancel.abort();
  await first.catch(() => {});
});

test('time in the queue does not count towards `timeout`', async () => {
  const { server, client } = await connect({ throttle: { concurrency: 1 }, timeout: 400, maxRetries: 0 });
  server.otherwise(exchange => setTimeout(() => faults.status(200, {}, exchange.normal)(exchange), 120));
  const results = await Promise.all(Array.from({ length: 5 }, () => client.senders.list().safe()));
  expect(results.map(result => result.ok)).toEqual([true, true, true, true, true]);
});
