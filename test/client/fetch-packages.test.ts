// Every way to send on Node: its dispatcher, its `fetch`, and one as npm packages have it, whose bodies are Node streams.
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ReadableStream } from 'node:stream/web';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FetchFunction } from '../../src/index.ts';
import { eventually } from '../support/eventually.ts';
import type { Exchange } from '../support/fault-server.ts';
import { connect, errorOf } from './support.ts';

const runtimeFetch = globalThis.fetch;

/** Like node-fetch, cross-fetch and make-fetch-happen: bodies are Node streams. */
const nodeStreamFetch: FetchFunction = async (url, init) => {
  try {
    const { status, headers, body } = await runtimeFetch(url, init);
    const stream = Readable.fromWeb(body as ReadableStream);
    return { status, headers, body: stream, text: () => text(stream) };
  } catch (error) {
    throw (error as Error).cause;
  }
};

const ways = [
  ['the dispatcher', undefined],
  ["Node's fetch", runtimeFetch],
  ['a fetch with Node streams', nodeStreamFetch],
] as const;

/** A tag after a byte order mark. */
const tag = Buffer.from('\uFEFF{"id":"tag_A1b2C3d4E5f6G7h8I9j0K1","name":"Grüße 👋"}');

/** Sends the tag byte by byte, so that chunks split its characters. */
const chunked =
  (headers: Record<string, string | number> = {}) =>
  ({ response }: Exchange): void => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    const write = (at: number): unknown =>
      at < tag.length
        ? response.write(tag.subarray(at, at + 1), () => setImmediate(write, at + 1))
        : response.end();
    write(0);
  };

const compressed =
  (body: string | Buffer) =>
  ({ response }: Exchange): void => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    response.end(gzipSync(body));
  };

/** A body that never ends by itself. */
const endless =
  (headers: Record<string, string>) =>
  ({ response }: Exchange): void => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    const write = () => {
      while (!response.destroyed && response.write(' '.repeat(10_000)));
    };
    response.on('drain', write);
    write();
  };

describe.each(ways)('through %s, the client', (_, fetch) => {
  test.each([
    ['without a length', chunked()],
    ['with a length', chunked({ 'content-length': tag.length })],
    ['compressed', compressed(tag)],
  ])('reads a response %s, and sends a write once', async (_kind, respond) => {
    const { server, client } = await connect({ fetch });
    server.otherwise(respond);
    expect(await client.tags.create({ name: 'Grüße 👋' })).toMatchObject({ name: 'Grüße 👋' });
    expect(server.received).toHaveLength(1);
    expect(server.received[0]).toMatchObject({ method: 'POST', body: '{"name":"Grüße 👋"}' });
  });

  test('sends a body where `Request` has no `body`, as in Firefox', async () => {
    const descriptor = Object.getOwnPropertyDescriptor(Request.prototype, 'body') as PropertyDescriptor;
    Reflect.deleteProperty(Request.prototype, 'body');
    onTestFinished(() => void Object.defineProperty(Request.prototype, 'body', descriptor));
    const { server, client } = await connect({ fetch });
    await client.tags.create({ name: 'Grüße 👋' });
    await client.legacy.identify({ email: 'ada@x.test' });
    expect(server.received.map(({ body }) => body)).toEqual([
      '{"name":"Grüße 👋"}',
      '{"email":"ada@x.test"}',
    ]);
  });

  test('sends a POST without a body as an empty one', async () => {
    const { server, client } = await connect({ fetch });
    server.otherwise(({ response }) => response.end('{}'));
    for (const idempotent of [false, true])
      await client.request({ method: 'POST', path: '/domain/verify', idempotent });
    for (const { body, headers } of server.received)
      expect([body, headers.get('content-length'), headers.get('content-type')]).toEqual(['', '0', null]);
    expect(server.received).toHaveLength(2);
  });

  test.each([
    ['states no length', endless({})],
    ['states its length', endless({ 'content-length': '5000000000' })],
    ['exceeds it only once it is decompressed', compressed(`["${'x'.repeat(1_000_000)}"]`)],
  ])('closes the connection of a response that exceeds `maxResponseBytes` and %s', async (_kind, respond) => {
    // Streams of Node are read as text.
    if (fetch === nodeStreamFetch) return;
    const { server, client } = await connect({ fetch, maxResponseBytes: 50_000 });
    server.otherwise(respond);
    expect(await errorOf(client.senders.list())).toMatchObject({
      name: 'InvalidResponseError',
      outcome: 'unknown',
      message: expect.stringContaining('at most 50000 bytes (maxResponseBytes)'),
    });
    await eventually(() => expect(server.open()).toBe(0));
  });

  test('reports a refused connection with its code; only the runtime itself says that nothing was sent', async () => {
    const { server, client } = await connect({ fetch, maxRetries: 0 });
    await server.close();
    expect(await errorOf(client.senders.list())).toMatchObject({
      name: 'ConnectionError',
      outcome: fetch ? 'unknown' : 'not-sent',
      code: 'ECONNREFUSED',
    });
  });
});
