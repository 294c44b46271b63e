import { ReadableStream } from 'node:stream/web';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type FetchFunction, type FetchInit, transportBy } from '../../../src/transport/fetch.ts';

afterEach(() => void vi.unstubAllGlobals());

const url = 'https://api.example.com/api/v1/rest/tag';

const limits = (maxBytes = 10) => ({
  maxBytes,
  signal: new AbortController().signal,
  onSend: () => {},
  onHead: () => {},
});

const requestOf = (method: string) => new Request(url, { method, headers: { 'X-Team-ApiKey': 'key' } });

/** A transport over a `fetch` that records its arguments. */
function keeping() {
  const seen: [string, FetchInit][] = [];
  const fetch: FetchFunction = async (...input) => {
    seen.push(input);
    return new Response('[]');
  };
  return { seen, transport: transportBy(fetch) };
}

// undici could send a write again that has no body.
test('a fetch receives URL, method, headers and body, empty in a write without one, and must not follow redirects', async () => {
  const { seen, transport } = keeping();
  await transport(requestOf('POST'), '{"name":"vip"}', limits());
  for (const method of ['POST', 'DELETE', 'GET']) await transport(requestOf(method), undefined, limits());
  const common = {
    headers: { 'x-team-apikey': 'key' },
    signal: expect.any(AbortSignal),
    redirect: 'manual',
  };
  expect(seen).toEqual([
    [url, { method: 'POST', ...common, body: '{"name":"vip"}' }],
    [url, { method: 'POST', ...common, body: new ArrayBuffer(0) }],
    [url, { method: 'DELETE', ...common, body: new ArrayBuffer(0) }],
    [url, { method: 'GET', ...common }],
  ]);
  expect(seen.at(-1)?.[1]).not.toHaveProperty('body');
});

describe('on Bun, which reads a stream when it writes the request, and sends it once,', () => {
  const reads = async (body: unknown) => new Response(body as BodyInit).text();

  test.each([
    ['POST', '{"name":"é"}', '13'],
    ['DELETE', undefined, '0'],
  ])('the body of a %s is a stream of %j, with its length', async (method, body, length) => {
    vi.stubGlobal('Bun', {});
    const { seen, transport } = keeping();
    await transport(requestOf(method), body, limits());
    expect(seen[0]?.[1]).toMatchObject({ duplex: 'half', headers: { 'content-length': length } });
    expect(await reads(seen[0]?.[1].body)).toBe(body ?? '');
  });

  test.each([
    ['is not sent', 'POST', false, false],
    ['may have been sent', 'POST', true, true],
    ['may have been sent', 'DELETE', false, true],
    ['may have been sent', 'GET', false, true],
  ])('a request %s if it fails: a %s whose body was read is %s', async (_, method, isRead, wasSent) => {
    vi.stubGlobal('Bun', {});
    const onSend = vi.fn();
    const transport = transportBy(async (_url, init) => {
      if (isRead) await reads(init.body);
      throw new Error('lost');
    });
    const body = method === 'POST' ? '{}' : undefined;
    const sent = transport(requestOf(method), body, { ...limits(), onSend });
    await expect(sent).rejects.toMatchObject({ wasSent });
    expect(onSend).toHaveBeenCalledTimes(wasSent ? 1 : 0);
  });
});

test.each([
  ['POST', '{"name":"vip"}'],
  ['PUT', '{"name":"vip"}'],
  ['DELETE', undefined],
  ['GET', undefined],
  ['HEAD', undefined],
])('on Deno, whose fetch resends other bodies, the body of a %s is a stream of %j', async (method, body) => {
  vi.stubGlobal('Deno', {});
  const { seen, transport } = keeping();
  await transport(requestOf(method), body, limits());
  const init = seen[0]?.[1];
  if (method === 'GET' || method === 'HEAD') {
    expect(init).not.toHaveProperty('body');
    expect(init).not.toHaveProperty('duplex');
    return;
  }
  expect(init).toMatchObject({ body: expect.any(ReadableStream), duplex: 'half' });
  expect(await new Response(init?.body).text()).toBe(body ?? '');
});

/** Returns what the transport reads of a response, or why it was not read. `text` is used unless the body is a stream. */
async function readBody(body: unknown, text = async (): Promise<string> => expect.fail()) {
  const response = { status: 418, headers: new Headers(), body, text };
  const read = await transportBy(async () => response)(requestOf('GET'), undefined, limits());
  return read.unread ?? read.text;
}

const bytes = (text: string) => new TextEncoder().encode(text);

function* endless() {
  for (;;) yield bytes('12345');
}

test('a stream is read to its end, or to the limit and no further', async () => {
  expect(await readBody(ReadableStream.from([bytes('12345'), bytes('67890')]))).toBe('1234567890');
  expect(await readBody(ReadableStream.from([bytes('€').subarray(0, 2)]))).toBe('\uFFFD');
  expect(await readBody(ReadableStream.from([bytes('12345'), bytes('678901')]))).toBe('too large');
  expect(await readBody(ReadableStream.from(endless()))).toBe('too large');
});

test.each([undefined, null, 'text', {}])('a body that is not a stream is read as text: %j', async body => {
  // Ten bytes, and eleven.
  expect(await readBody(body, async () => '€€€a')).toBe('€€€a');
  expect(await readBody(body, async () => '€€€ab')).toBe('too large');
});
