// Absurd values from the service, and from the user's function for the key.
import { expect, test, vi } from 'vitest';
import * as faults from '../support/faults.ts';
import { shown } from './shown.ts';
import { connect, errorOf } from './support.ts';

test.each([
  ['a year', '31536000'],
  ['400 digits', '9'.repeat(400)],
])(
  'after a `Retry-After` of %s, the throttled calls end at their own limits, without a busy loop',
  async (_, retryAfter) => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const { server, client } = await connect({ throttle: { concurrency: 4 } });
    server.next(faults.tooManyRequests(retryAfter));
    expect(await errorOf(client.senders.list())).toMatchObject({ name: 'RateLimitError' });
    const calls = Array.from({ length: 5 }, () => errorOf(client.senders.list({ totalTimeout: 60 })));
    for (const error of await Promise.all(calls))
      expect(error).toMatchObject({ name: 'TimeoutError', limit: 'totalTimeout', outcome: 'not-sent' });
    expect(timers.mock.calls.length).toBeLessThan(100);
    for (const [, delayMs] of timers.mock.calls) expect(delayMs).toBeLessThanOrEqual(300_000);
    timers.mockRestore();
    expect(server.received).toHaveLength(1);
  },
);

test.each([
  ['a key of 1 MB', `CANARY${'k'.repeat(1_000_000)}`],
  ['a key with letters that no header may hold', 'CANARY-ключ'],
  ['a key with a header of its own', 'CANARY\r\nX-Evil: 1'],
  ['a symbol', Symbol('CANARY')],
])('a call fails before it sends anything if the function for the key returns %s', async (_, key) => {
  const apiKey = vi.fn(() => key as string);
  const { server, client } = await connect({ apiKey });
  const error = await errorOf(client.senders.list());
  expect(error).toMatchObject({ name: 'ConfigurationError' });
  expect(shown(error)).not.toContain('CANARY');
  expect(apiKey).toHaveBeenCalledOnce();
  expect(server.received).toEqual([]);
});
