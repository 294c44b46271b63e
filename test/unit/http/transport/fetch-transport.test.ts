import { Readable } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { FailedAttempt } from '../../../../src/http/response/failure.ts';
import {
  type FetchFunction,
  type FetchInit,
  type FetchResponse,
  sendByFetch,
  sendByGlobalFetch,
} from '../../../../src/http/transport/fetch-transport.ts';
import { attemptOf } from './attempt.ts';

afterEach(() => void vi.unstubAllGlobals());

const url = 'https://api.example.com/api/v1/rest/tag';

const contextOf = (given: Parameters<typeof attemptOf>[0] = {}) =>
  attemptOf({ maxBytes: 10, idempotent: false, ...given });

const requestOf = (method: string, body: string | null = null, { signal } = new AbortController()) =>
  new Request(url, {
    method,
    headers: { 'X-Team-ApiKey': 'key', ...(body !== null && { 'Content-Type': 'application/json' }) },
    body,
    signal,
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
      [
        url,
        {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          signal,
          redirect: 'manual',
          body: '{"name":"vip"}',
        },
      ],
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

  test('is aborted if its body is too large', async () => {
    const { seen, transport } = keeping(() => new Response('12345678901'));
    await expect(transport(requestOf('GET'), contextOf())).rejects.toBeInstanceOf(FailedAttempt);
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
  const initOf = async (method: string, body: string | null, idempotent: boolean) => {
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
    const init = await initOf('POST', null, false);
    expect(init).toMatchObject({ body: expect.any(ReadableStream), duplex: 'half' });
    expect(await textOf(init)).toBe('');
  });

  test('an idempotent write has its text', async () => {
    const init = await initOf('POST', '{"name":"vip"}', true);
    expect(init?.body).toBe('{"name":"vip"}');
    expect(init).not.toHaveProperty('duplex');
  });

  test.each(['GET', 'HEAD'])('a %s has no body', async method => {
    const init = await initOf(method, null, false);
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

const maxBytes = 10;
const tooLarge = { failure: { status: 418, outcome: 'unknown' } };

/** A response with these headers, whose `text` is used unless its body is a stream. */
const responseOf = (
  headers: Record<string, string>,
  body: unknown,
  text: () => Promise<string> = async () => {
    throw new Error('text() was called');
  },
): FetchResponse => ({ status: 418, headers: new Headers(headers), body, text });

/** Returns the text of a response as the transport reads it. */
async function readBody(response: FetchResponse, maxBytes: number): Promise<string> {
  const { text } = await sendByFetch(async () => response)(requestOf('GET'), contextOf({ maxBytes }));
  return text;
}

/** A stream of the web that sends these chunks and then, unless it is said to end, nothing. */
const webStream = (chunks: readonly Uint8Array[], ends = true) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      if (ends) controller.close();
    },
  });

const bytes = (text: string) => new TextEncoder().encode(text);
const bytewise = (text: string) => [...bytes(text)].map(byte => Uint8Array.of(byte));

describe('a body whose length is stated', () => {
  test.each([{ 'content-length': '10' }, { 'content-length': '9' }])('is read as text: %o', async headers => {
    const stream = webStream([]);
    expect(
      await readBody(
        responseOf(headers, stream, async () => '[1,2,3,4]'),
        maxBytes,
      ),
    ).toBe('[1,2,3,4]');
  });

  test.each([
    { 'content-length': '10', 'content-encoding': 'gzip' },
    { 'content-length': '10', 'transfer-encoding': 'chunked' },
    { 'content-length': '0' },
    { 'content-length': 'ten' },
    {},
  ])('is read from its stream if the length does not tell the size of the text: %o', async headers => {
    const stream = webStream([bytes('[1,2'), bytes(',3]')]);
    expect(await readBody(responseOf(headers, stream), maxBytes)).toBe('[1,2,3]');
  });
});

describe('a body of unknown length', () => {
  const text = '€ 5 👋';
  const bodies = [
    ['a stream of the web', () => webStream(bytewise(text))],
    ['a stream of Node', () => Readable.from(bytewise(text))],
  ] as const;

  test.each(bodies)('is read from %s, whose characters may be split between chunks', async (_, body) => {
    expect(await readBody(responseOf({}, body()), 20)).toBe(text);
  });

  test('is read from a stream that ends in half a character', async () => {
    const stream = webStream([bytes('€').subarray(0, 2)]);
    expect(await readBody(responseOf({}, stream), maxBytes)).toBe('\uFFFD');
  });

  test.each([undefined, null, 'text', {}])('is read as text if the body is not a stream: %j', async body => {
    expect(
      await readBody(
        responseOf({}, body, async () => '1234567890'),
        maxBytes,
      ),
    ).toBe('1234567890');
    await expect(
      readBody(
        responseOf({}, body, async () => '12345678901'),
        maxBytes,
      ),
    ).rejects.toMatchObject(tooLarge);
  });

  test('is read to the limit, and no further', async () => {
    const exact = webStream([bytes('12345'), bytes('67890')]);
    expect(await readBody(responseOf({}, exact), maxBytes)).toBe('1234567890');
    const larger = webStream([bytes('12345'), bytes('678901')], false);
    await expect(readBody(responseOf({}, larger), maxBytes)).rejects.toMatchObject(tooLarge);
  });

  test('rejects with the error of its stream', async () => {
    const lost = new Error('lost');
    const stream = new ReadableStream({ pull: controller => controller.error(lost) });
    await expect(readBody(responseOf({}, stream), maxBytes)).rejects.toBe(lost);
  });
});
