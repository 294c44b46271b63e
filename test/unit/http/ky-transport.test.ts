// What no test over HTTP detects of the transport by ky.
import { expect, test, vi } from 'vitest';
import { Redactor } from '../../../src/core/redactor.ts';
import { TimeLimitExceeded } from '../../../src/core/timers.ts';
import { kyTransport } from '../../../src/http/ky-transport.ts';
import type { Authentication, RequestSender } from '../../../src/http/transport.ts';
import { attemptOf } from './attempt.ts';

const get = { path: '/tag', query: '', method: 'GET', headers: {}, body: undefined };

const transport = (fetch: RequestSender, authentication: Authentication = {}) =>
  kyTransport({
    baseUrl: 'https://api.example.com/api/v1/rest',
    query: '',
    headers: {},
    authentication,
    sendBy: fetch,
    redactor: new Redactor([]),
  });

test.each([new Error('lost'), new TypeError('fetch failed'), 'lost', undefined])(
  'rejects with the error of its `fetch`, which it calls once: %o',
  async thrown => {
    const fetch = vi.fn(() => Promise.reject(thrown));
    const rejection = await transport(fetch)(get, attemptOf()).catch((error: unknown) => [error]);
    expect(rejection).toEqual([thrown]);
    expect(fetch).toHaveBeenCalledOnce();
  },
);

test.each([
  ['timeout', { timeoutMs: 20 }],
  ['totalTimeout', { timeLeftMs: () => 20 }],
])('a function for the key has the time limit `%s`, after which nothing is sent', async (_, limits) => {
  const [fetch, begin] = [vi.fn(), vi.fn()];
  const send = transport(fetch, () => new Promise(resolve => setTimeout(resolve, 40, {})));
  await expect(send(get, attemptOf({ ...limits, begin }))).rejects.toBeInstanceOf(TimeLimitExceeded);
  await new Promise(resolve => setTimeout(resolve, 60));
  expect([fetch.mock.calls, begin.mock.calls]).toEqual([[], []]);
});

test('sends nothing, and begins no attempt, when no time is left', async () => {
  const [fetch, begin] = [vi.fn(), vi.fn()];
  const sent = transport(fetch)(get, attemptOf({ timeLeftMs: () => 0, begin }));
  await expect(sent).rejects.toBeInstanceOf(TimeLimitExceeded);
  expect([fetch.mock.calls, begin.mock.calls]).toEqual([[], []]);
});
