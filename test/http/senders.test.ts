// Both senders of one attempt: by ky, and without it.
import { getEventListeners } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import type { AttemptContext, HttpResponse, Transport } from '../../src/http/http-response.ts';
import { sendByKy } from '../../src/http/ky-sender.ts';
import { sendPlainly } from '../../src/http/plain-sender.ts';
import { TimeLimitExceeded } from '../../src/http/timers.ts';

const baseUrl = 'https://api.example.com/api/v1/rest';

const contextOf = (given: Partial<AttemptContext> = {}): AttemptContext => ({
  timeoutMs: 1_000,
  signal: undefined,
  maxBytes: 1_000,
  idempotent: true,
  phase: 'head',
  ...given,
});

const response = (status: number): HttpResponse => ({ status, text: '[]', headers: () => new Headers() });

const get = { path: '/tag?page=2', method: 'GET', headers: { 'X-Team-ApiKey': 'key' }, body: undefined };
const post = { ...get, path: '/tag', method: 'POST', body: '{"name":"vip"}' };

/** A transport that never ends, and obeys no signal. */
const endless: Transport = () => new Promise(() => {});

describe.each([
  ['ky', sendByKy],
  ['no ky', sendPlainly],
])('with %s', (_, makeSender) => {
  const send = (transport: Transport, request: typeof get | typeof post, context = contextOf()) =>
    makeSender(baseUrl, transport)(request, context);

  test.each([
    [get, null, ''],
    [post, '{"name":"vip"}', '{"name":"vip"}'],
  ])('a request arrives whole at its transport: %o', async (request, body, text) => {
    const seen: object[] = [];
    const context = contextOf();
    const transport: Transport = async (sent, given) => {
      const { url, method, headers } = sent;
      const hasBody = sent.body !== null;
      seen.push({ url, method, key: headers.get('x-team-apikey'), hasBody, text: await sent.text() });
      expect(given).toBe(context);
      return response(200);
    };
    expect(await send(transport, request, context)).toMatchObject({ status: 200, text: '[]' });
    const { method, path } = request;
    expect(seen).toEqual([{ url: baseUrl + path, method, key: 'key', hasBody: body !== null, text }]);
  });

  test.each([200, 302, 404, 429, 500, 503])('HTTP %i is a response, and is sent once', async status => {
    const transport = vi.fn(async () => response(status));
    expect(await send(transport, get)).toMatchObject({ status, text: '[]' });
    expect(transport).toHaveBeenCalledOnce();
  });

  test.each([new Error('lost'), new TypeError('fetch failed'), 'lost', undefined])(
    'rejects with what the transport threw, and sends once: %o',
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
    const transport: Transport = request => {
      ({ signal } = request);
      return new Promise(() => {});
    };
    const sent = send(transport, get, contextOf({ timeoutMs: 20 }));
    await expect(sent).rejects.toBeInstanceOf(TimeLimitExceeded);
    await expect(sent).rejects.toThrow('time limit of 20 ms exceeded');
    expect(signal?.aborted).toBe(true);
  });

  test.each([Number.POSITIVE_INFINITY, 2 ** 31, 2 ** 31 - 1])(
    'waits with a limit of %s ms',
    async timeoutMs => {
      const transport: Transport = async () => {
        await new Promise(resolve => setTimeout(resolve, 20));
        return response(200);
      };
      expect(await send(transport, get, contextOf({ timeoutMs }))).toMatchObject({ status: 200 });
    },
  );

  test('rejects with the reason of an abort, also where the transport obeys no signal', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const sent = send(endless, get, contextOf({ signal: controller.signal }));
    controller.abort(reason);
    await expect(sent).rejects.toBe(reason);
  });

  test("aborts the transport's signal with the reason of the caller", async () => {
    const controller = new AbortController();
    let signal: AbortSignal | undefined;
    const transport: Transport = request => {
      ({ signal } = request);
      return new Promise(() => {});
    };
    const sent = send(transport, get, contextOf({ signal: controller.signal }));
    await vi.waitFor(() => expect(signal).toBeDefined());
    controller.abort('enough');
    await expect(sent).rejects.toBe('enough');
    expect([signal?.aborted, signal?.reason]).toEqual([true, 'enough']);
  });

  test('leaves no listener on the signal of the caller, however it ends', async () => {
    const { signal } = new AbortController();
    await send(async () => response(200), get, contextOf({ signal }));
    await send(() => Promise.reject(new Error('lost')), get, contextOf({ signal })).catch(() => {});
    await send(endless, get, contextOf({ signal, timeoutMs: 10 })).catch(() => {});
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
