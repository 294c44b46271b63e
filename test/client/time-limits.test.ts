// Which time limit ends a call, and in which phase. `calls.test.ts` tests when.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Fault, FaultServer } from '../support/fault-server.ts';
import * as faults from '../support/faults.ts';
import { connect, errorOf } from './support.ts';

type Phase = 'head' | 'body';

const endless: [string, Fault, Phase][] = [
  ['never responds', faults.neverResponds, 'head'],
  ['stalls after the head', faults.stallsAfterHead, 'body'],
  ['stalls in mid-body', faults.stallsInBody, 'body'],
  ['drips a byte a second', faults.drips(), 'body'],
];

/** Channel on which Node's `undici` says that the head of a response came. */
const headCame = 'undici:request:headers';

/** Stops the clock. Returns a function that waits until the server has the request or the client the head. */
function stopClock(server: FaultServer): (phase: Phase) => Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  let heads = 0;
  const listener = () => {
    heads += 1;
  };
  subscribe(headCame, listener);
  onTestFinished(() => {
    unsubscribe(headCame, listener);
    vi.useRealTimers();
  });
  return async phase => {
    while ((phase === 'head' ? server.received.length : heads) === 0) await setImmediate();
  };
}

describe.each(endless)('a call to a server that %s', (_, fault, phase) => {
  test.each([
    ['timeout', { timeout: 2_500, maxRetries: 0 }],
    ['totalTimeout', { totalTimeout: 2_500 }],
  ])('ends at `%s`, and its connection is closed', async (limit, options) => {
    const { server, client } = await connect(options);
    server.otherwise(fault);
    const reaches = stopClock(server);
    const ended = errorOf(client.senders.list());
    await reaches(phase);
    await vi.advanceTimersByTimeAsync(2_500);
    expect(await ended).toMatchObject({
      name: 'TimeoutError',
      limit,
      phase,
      outcome: 'unknown',
      attempts: [{ status: undefined, reason: `timeout in ${phase}` }],
    });
    expect(server.received).toHaveLength(1);
    vi.useRealTimers();
    await vi.waitFor(() => expect(server.open()).toBe(0));
  });
});
