// Which time limit ends a call, and in which phase. `calls.test.ts` tests when, with fake timers.
import { describe, expect, test, vi } from 'vitest';
import type { Fault } from '../support/fault-server.ts';
import * as faults from '../support/faults.ts';
import { connect, errorOf } from './support.ts';

const endless: [string, Fault, 'head' | 'body'][] = [
  ['never responds', faults.neverResponds, 'head'],
  ['stalls after the head', faults.stallsAfterHead, 'body'],
  ['stalls in mid-body', faults.stallsInBody, 'body'],
  ['drips a byte a second', faults.drips(), 'body'],
];

describe.each(endless)('a call to a server that %s', (_, fault, phase) => {
  test.each([
    ['timeout', { timeout: 250, maxRetries: 0 }],
    ['totalTimeout', { totalTimeout: 250 }],
  ])('ends at `%s`, and its connection is closed', async (limit, options) => {
    const { server, client } = await connect(options);
    server.otherwise(fault);
    expect(await errorOf(client.senders.list())).toMatchObject({
      name: 'TimeoutError',
      limit,
      phase,
      outcome: 'unknown',
      attempts: [{ status: undefined, reason: `timeout in ${phase}` }],
    });
    expect(server.received).toHaveLength(1);
    await vi.waitFor(() => expect(server.open()).toBe(0));
  });
});

test("the timeout of a call overrides the client's", async () => {
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
