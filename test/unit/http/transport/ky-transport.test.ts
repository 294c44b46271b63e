// The transport of one attempt by ky.
import { getEventListeners } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { TimeLimitExceeded } from '../../../../src/http/timers.ts';
import { kyTransport } from '../../../../src/http/transport/ky-transport.ts';
import type { Authentication, FetchAdapter, HttpResponse } from '../../../../src/http/transport/transport.ts';
import { attemptOf } from './attempt.ts';

const baseUrl = 'https://api.example.com/api/v1/rest';

const response = (status: number): HttpResponse => ({ status, text: '[]', headers: () => new Headers() });

const get = { path: '/tag?page=2', method: 'GET', headers: { 'X-Team-ApiKey': 'key' }, body: null };
const post = { ...get, path: '/tag', method: 'POST', body: '{"name":"vip"}' };

/** A `fetch` that never ends, and obeys no signal. */
const endless: FetchAdapter = () => new Promise(() => {});

const byKey = (fetch: FetchAdapter, authentication: Authentication) =>
  kyTransport({ baseUrl, headers: { accept: 'application/json' }, authentication, fetch });

describe('one attempt', () => {
  const send = (fetch: FetchAdapter, request: typeof get | typeof post, attempt = attemptOf()) =>
    byKey(fetch, {})(request, attempt);

  test.each([
    [get, null, ''],
    [post, '{"name":"vip"}', '{"name":"vip"}'],
  ])('a request arrives whole at its `fetch`: %o', async (request, body, text) => {
    const seen: object[] = [];
    const begin = vi.fn();
    const context = attemptOf({ begin });
    const transport: FetchAdapter = async (sent, given) => {
      const { url, method, headers } = sent;
      const hasBody = sent.body !== null;
      seen.push({ url, method, key: headers.get('x-team-apikey'), hasBody, text: await sent.text() });
      expect(given).toBe(context);
      expect(begin).toHaveBeenCalledExactlyOnceWith([]);
      return response(200);
    };
    expect(await send(transport, request, context)).toMatchObject({ status: 200, text: '[]' });
    const { method, path } = request;
    expect(seen).toEqual([{ url: baseUrl + path, method, key: 'key', hasBody: body !== null, text }]);
  });

  test.each([200, 204, 302, 404, 429, 500, 503, 599, 600, 999])(
    'HTTP %i is a response, and is sent once',
    async status => {
      const transport = vi.fn(async () => response(status));
      expect(await send(transport, get)).toMatchObject({ status, text: '[]' });
      expect(transport).toHaveBeenCalledOnce();
    },
  );

  test.each([new Error('lost'), new TypeError('fetch failed'), 'lost', undefined])(
    'rejects with the error of its `fetch`, and sends once: %o',
    async thrown => {
      const transport = vi.fn(() => Promise.reject(thrown));
      const rejection = await send(transport, get).then(
        () => 'no rejection',
        (error: unknown) => [error],
      );
      expect(rejection).toEqual([thrown]);
      expect(transport).toHaveBeenCalledOnce();
    },
  );

  test('rejects at the time limit, and aborts the request', async () => {
    let signal: AbortSignal | undefined;
    const transport: FetchAdapter = request => {
      ({ signal } = request);
      return new Promise(() => {});
    };
    const sent = send(transport, get, attemptOf({ timeoutMs: 20 }));
    await expect(sent).rejects.toBeInstanceOf(TimeLimitExceeded);
    expect(signal?.aborted).toBe(true);
  });

  test.each([Number.POSITIVE_INFINITY, 2 ** 31, 2 ** 31 - 1])(
    'waits with a limit of %s ms',
    async timeoutMs => {
      const transport: FetchAdapter = async () => {
        await new Promise(resolve => setTimeout(resolve, 20));
        return response(200);
      };
      expect(await send(transport, get, attemptOf({ timeoutMs }))).toMatchObject({ status: 200 });
    },
  );

  test('rejects with the reason of an abort, even if `fetch` ignores its signal', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const sent = send(endless, get, attemptOf({ signal: controller.signal }));
    controller.abort(reason);
    await expect(sent).rejects.toBe(reason);
  });

  test('aborts the signal of `fetch` with the reason of the caller', async () => {
    const controller = new AbortController();
    let signal: AbortSignal | undefined;
    const transport: FetchAdapter = request => {
      ({ signal } = request);
      return new Promise(() => {});
    };
    const sent = send(transport, get, attemptOf({ signal: controller.signal }));
    await vi.waitFor(() => expect(signal).toBeDefined());
    controller.abort('enough');
    await expect(sent).rejects.toBe('enough');
    expect([signal?.aborted, signal?.reason]).toEqual([true, 'enough']);
  });

  test('leaves no listener on the signal of the call, however it ends', async () => {
    const { signal } = new AbortController();
    await send(async () => response(200), get, attemptOf({ signal }));
    await send(() => Promise.reject(new Error('lost')), get, attemptOf({ signal })).catch(() => {});
    await send(endless, get, attemptOf({ signal, timeoutMs: 10 })).catch(() => {});
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('the authentication of ky', () => {
  const keysSent = () => {
    const keys: (string | null)[] = [];
    const fetch: FetchAdapter = async ({ headers }) => {
      keys.push(headers.get('x-team-apikey'));
      return response(200);
    };
    return { keys, fetch };
  };
  const tag = { ...get, headers: {} };

  test('adds its headers to every request, beside those of the instance', async () => {
    const accepted: (string | null)[] = [];
    const send = byKey(
      async ({ headers }) => {
        accepted.push(headers.get('accept'), headers.get('x-team-apikey'));
        return response(200);
      },
      { 'X-Team-ApiKey': 'key' },
    );
    await send(tag, attemptOf());
    await send({ ...tag, headers: { accept: 'text/plain' } }, attemptOf());
    expect(accepted).toEqual(['application/json', 'key', 'text/plain', 'key']);
  });

  test('asks a function for each attempt, before it begins, and says which secrets it carries', async () => {
    const { keys, fetch } = keysSent();
    const order: unknown[] = [];
    let rotation = 0;
    const send = byKey(fetch, async () => {
      order.push('asked');
      rotation += 1;
      return { 'X-Team-ApiKey': `key-${rotation}` };
    });
    const begin = (secrets: readonly string[]) => void order.push(secrets);
    await send(tag, attemptOf({ begin }));
    await send(tag, attemptOf({ begin }));
    expect(keys).toEqual(['key-1', 'key-2']);
    expect(order).toEqual(['asked', ['key-1'], 'asked', ['key-2']]);
  });

  test.each([
    ['timeout', { timeoutMs: 20 }],
    ['totalTimeout', { totalTimeoutMs: 20 }],
  ])('has the time limit `%s`, and begins nothing after it', async (_, limits) => {
    const { keys, fetch } = keysSent();
    const begin = vi.fn();
    const send = byKey(fetch, () => new Promise(resolve => setTimeout(resolve, 40, {})));
    await expect(send(tag, attemptOf({ ...limits, begin }))).rejects.toBeInstanceOf(TimeLimitExceeded);
    await new Promise(resolve => setTimeout(resolve, 60));
    expect([keys, begin.mock.calls]).toEqual([[], []]);
  });
});
