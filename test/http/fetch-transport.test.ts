import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  type FetchFunction,
  type FetchInit,
  sendByFetch,
  sendByGlobalFetch,
} from '../../src/http/fetch-transport.ts';
import type { AttemptContext } from '../../src/http/http-response.ts';

afterEach(() => void vi.unstubAllGlobals());

const url = 'https://api.example.com/api/v1/rest/tag';

const contextOf = (given: Partial<AttemptContext> = {}): AttemptContext => ({
  timeoutMs: 1_000,
  signal: undefined,
  maxBytes: 10,
  idempotent: false,
  phase: 'head',
  ...given,
});

const requestOf = (method: string, body?: string, { signal } = new AbortController()) => ({
  url,
  method,
  headers: new Headers({ 'X-Team-ApiKey': 'key' }),
  signal,
  body: body ?? null,
  text: async () => body ?? '',
});

/** A `fetch` that keeps what it is called with. */
function keeping(respond: () => Promise<Response> | Response = () => new Response('[]')) {
  const seen: [string, FetchInit][] = [];
  const fetch: FetchFunction = async (...input) => {
    seen.push(input);
    return respond();
  };
  return { seen, transport: sendByFetch(fetch) };
}

describe('a fetch', () => {
  test('is called with the URL, the method, the headers and the body, and follows no redirect', async () => {
    const { seen, transport } = keeping();
    await transport(requestOf('POST', '{"name":"vip"}'), contextOf());
    await transport(requestOf('GET'), contextOf());
    const headers = { 'x-team-apikey': 'key' };
    const signal = expect.any(AbortSignal);
    expect(seen).toEqual([
      [url, { method: 'POST', headers, signal, redirect: 'manual', body: '{"name":"vip"}' }],
      [url, { method: 'GET', headers, signal, redirect: 'manual' }],
    ]);
  });

  test('gives its status, text and headers, and begins the phase of the body', async () => {
    const { transport } = keeping(() => new Response('[1]', { status: 201, headers: { 'x-a': 'b' } }));
    const context = contextOf();
    const response = await transport(requestOf('GET'), context);
    expect(response).toMatchObject({ status: 201, text: '[1]' });
    expect([...response.headers()]).toEqual([
      ['content-type', 'text/plain;charset=UTF-8'],
      ['x-a', 'b'],
    ]);
    expect(context.phase).toBe('body');
  });

  test('that rejects leaves the phase of the head, and its signal as it is', async () => {
    const lost = new Error('lost');
    const { seen, transport } = keeping(() => Promise.reject(lost));
    const context = contextOf();
    await expect(transport(requestOf('GET'), context)).rejects.toBe(lost);
    expect(context.phase).toBe('head');
    expect(seen[0]?.[1].signal.aborted).toBe(false);
  });

  test('is aborted where its body is too large', async () => {
    const { seen, transport } = keeping(() => new Response('12345678901'));
    await expect(transport(requestOf('GET'), contextOf())).rejects.toThrow('the body is too large');
    expect(seen[0]?.[1].signal.aborted).toBe(true);
  });

  test('is aborted with the reason of the request, while it lasts', async () => {
    const controller = new AbortController();
    const { seen, transport } = keeping(() => new Promise(() => {}));
    void transport(requestOf('GET', undefined, controller), contextOf());
    await Promise.resolve();
    controller.abort('enough');
    expect(seen[0]?.[1].signal.reason).toBe('enough');
    const later = new AbortController();
    const ended = keeping();
    await ended.transport(requestOf('GET', undefined, later), contextOf());
    later.abort('enough');
    expect(ended.seen[0]?.[1].signal.aborted).toBe(false);
  });
});

describe('on Deno, whose fetch sends a request again unless its body is a stream', () => {
  const initOf = async (method: string, body: string | undefined, idempotent: boolean) => {
    vi.stubGlobal('Deno', {});
    const { seen, transport } = keeping();
    await transport(requestOf(method, body), contextOf({ idempotent }));
    return seen[0]?.[1];
  };
  const textOf = (init: FetchInit | undefined) => new Response(init?.body).text();

  test.each(['POST', 'PUT', 'DELETE'])('a %s that is not idempotent has a stream', async method => {
    const init = await initOf(method, '{"name":"vip"}', false);
    expect(init).toMatchObject({ body: expect.any(ReadableStream), duplex: 'half' });
    expect(await textOf(init)).toBe('{"name":"vip"}');
  });

  test('a write without a body has a stream of nothing', async () => {
    const init = await initOf('POST', undefined, false);
    expect(init).toMatchObject({ body: expect.any(ReadableStream), duplex: 'half' });
    expect(await textOf(init)).toBe('');
  });

  test('an idempotent write has its text', async () => {
    const init = await initOf('POST', '{"name":"vip"}', true);
    expect(init?.body).toBe('{"name":"vip"}');
    expect(init).not.toHaveProperty('duplex');
  });

  test.each(['GET', 'HEAD'])('a %s has no body', async method => {
    const init = await initOf(method, undefined, false);
    expect(init).not.toHaveProperty('body');
    expect(init).not.toHaveProperty('duplex');
  });
});

describe('the global fetch', () => {
  test('is looked up at each request', async () => {
    for (const status of [201, 202]) {
      vi.stubGlobal('fetch', async () => new Response('[]', { status }));
      expect(await sendByGlobalFetch(requestOf('GET'), contextOf())).toMatchObject({ status });
    }
  });

  test('that is missing rejects with a code', async () => {
    vi.stubGlobal('fetch', undefined);
    await expect(sendByGlobalFetch(requestOf('GET'), contextOf())).rejects.toMatchObject({
      message: 'no global fetch',
      code: 'NO_GLOBAL_FETCH',
    });
  });
});
