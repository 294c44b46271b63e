// What no test over HTTP detects of a call to the service.
import { expect, test, vi } from 'vitest';
import { Redactor } from '../../../src/core/redactor.ts';
import { ConnectionError, TimeoutError } from '../../../src/errors.ts';
import { type CallOptions, callDefaults, mergeCallOptions } from '../../../src/http/call-options.ts';
import { connectionClosed } from '../../../src/http/failure.ts';
import type { Send } from '../../../src/http/fetch.ts';
import { RetryBudget } from '../../../src/http/retries.ts';
import type { Operation } from '../../../src/service/operation.ts';
import { Service, type ServiceInterface } from '../../../src/service/service.ts';

const listTags: Operation<undefined> = {
  name: 'postTags.list',
  api: 'rest',
  kind: 'read',
  method: 'GET',
  path: '/post/tag',
  output: { parseResponse: (value: unknown) => ({ ok: true as const, value, drift: [] }) },
};

/** Makes a call that is sent by `send`, and says what each failure of it is. */
function list(send: Send, options: CallOptions, key: ServiceInterface['key'] = 'key') {
  const networkError = vi.fn((call, _thrown: unknown) => connectionClosed(call));
  const api = { url: new URL('https://api.example.com'), query: '', headers: {}, keyHeader: 'key', key };
  const service = new Service({
    rest: api,
    legacy: api,
    contactSearch: 'search',
    transport: { send, networkError },
    redactor: new Redactor([]),
    validation: 'report',
    onDrift() {},
    reportedDrift: new Set(),
    options: mergeCallOptions(callDefaults, { maxRetries: 0, ...options }),
    hooks: [],
    retryBudget: new RetryBudget(),
    redact: text => text,
    maxResponseBytes: 1_000,
  });
  return { networkError, result: service.call(listTags, undefined) };
}

test.each([new Error('lost'), new TypeError('fetch failed'), 'lost', undefined])(
  'the transport, which is called once, says what it means that it threw %o',
  async thrown => {
    const send = vi.fn(() => Promise.reject(thrown));
    const { networkError, result } = list(send, {});
    await expect(result).rejects.toBeInstanceOf(ConnectionError);
    expect(networkError.mock.calls).toEqual([[expect.anything(), thrown]]);
    expect(send).toHaveBeenCalledOnce();
  },
);

test.each([
  ['timeout', { timeout: 20 }],
  ['totalTimeout', { totalTimeout: 20 }],
])('a function for the key has the time limit `%s`, after which nothing is sent', async (limit, options) => {
  const send = vi.fn();
  const { result } = list(send, options, () => new Promise(resolve => setTimeout(resolve, 40, 'key')));
  await expect(result).rejects.toMatchObject({ limit, phase: 'queue', outcome: 'not-sent', attempts: [] });
  await new Promise(resolve => setTimeout(resolve, 60));
  expect(send).not.toHaveBeenCalled();
});

test('sends nothing, and begins no attempt, when no time is left', async () => {
  const [send, key] = [vi.fn(), vi.fn(async () => 'key')];
  const headers = () => {
    const end = performance.now() + 20;
    while (performance.now() < end);
    return {};
  };
  const { result } = list(send, { totalTimeout: 10, headers }, key);
  await expect(result).rejects.toBeInstanceOf(TimeoutError);
  expect([send.mock.calls, key.mock.calls]).toEqual([[], []]);
});
