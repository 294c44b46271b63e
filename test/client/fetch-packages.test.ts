// A given `fetch`: that of the runtime, and those of npm packages, whose bodies can be Node streams without `getReader`.
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { fetch as undiciFetch } from 'undici';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { FetchFunction } from '../../src/index.ts';
import type { Exchange } from '../support/fault-server.ts';
import { connect, errorOf } from './support.ts';

const runtimeFetch = globalThis.fetch;

/** A `fetch` as that of node-fetch, cross-fetch or make-fetch-happen: Node streams, and codes on the errors themselves. */
const nodeStreamFetch: FetchFunction = async (url, init) => {
  try {
    const { status, headers, body } = await runtimeFetch(url, init);
    const stream = body && Readable.fromWeb(body as ReadableStream);
    return { status, headers, body: stream, text: () => expect.fail('reads the body twice') };
  } catch (error) {
    throw (error as Error).cause;
  }
};

const packages: readonly (readonly [string, FetchFunction])[] = [
  ['the global fetch', runtimeFetch],
  ['a fetch with Node streams', nodeStreamFetch],
  ['undici', undiciFetch],
];

afterEach(() => void vi.unstubAllGlobals());

/** Sends a tag in chunks that cut its characters in two, without a length. */
function chunked({ response }: Exchange): void {
  const body = Buffer.from('{"id":"tag_A1b2C3d4E5f6G7h8I9j0K1","name":"Grüße 👋"}');
  response.writeHead(200, { 'content-type': 'application/json' });
  for (let at = 0; at < body.length; at += 1) response.write(body.subarray(at, at + 1));
  response.end();
}

const compressed =
  (encoding: string, compress: (text: string) => Buffer) =>
  ({ response }: Exchange): void => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding });
    response.end(compress('{"id":"tag_A1b2C3d4E5f6G7h8I9j0K1","name":"Grüße 👋"}'));
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

describe.each(packages)('with %s', (_, fetch) => {
  test.each([
    ['chunked', chunked],
    ['compressed by gzip', compressed('gzip', gzipSync)],
    ['compressed by brotli', compressed('br', brotliCompressSync)],
  ])('reads a response that is %s, and sends a write once', async (_kind, respond) => {
    const { server, client } = await connect({ fetch });
    server.otherwise(respond);
    expect(await client.tags.create({ name: 'Grüße 👋' })).toMatchObject({ name: 'Grüße 👋' });
    expect(server.received).toHaveLength(1);
    expect(server.received[0]).toMatchObject({ method: 'POST', body: '{"name":"Grüße 👋"}' });
  });

  test.each([
    ['states no length', {}],
    ['states its length', { 'content-length': '5000000000' }],
  ])('closes the connection of a response above `maxResponseBytes` that %s', async (_, headers) => {
    const { server, client } = await connect({ fetch, maxResponseBytes: 50_000 });
    server.otherwise(endless(headers));
    expect(await errorOf(client.senders.list())).toMatchObject({
      name: 'InvalidResponseError',
      outcome: 'done',
      message: expect.stringContaining('at most 50000 bytes (maxResponseBytes)'),
    });
    await vi.waitFor(() => expect(server.open()).toBe(0));
  });

  test('counts the bytes of a compressed response after decompression', async () => {
    const { server, client } = await connect({ fetch, maxResponseBytes: 50_000 });
    server.otherwise(({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(`["${'x'.repeat(1_000_000)}"]`));
    });
    expect(await errorOf(client.senders.list())).toMatchObject({ name: 'InvalidResponseError' });
  });

  test('reads responses as the global `fetch` too', async () => {
    vi.stubGlobal('fetch', fetch);
    const { server, client } = await connect();
    server.otherwise(chunked);
    expect(await client.tags.create({ name: 'Grüße 👋' })).toMatchObject({ name: 'Grüße 👋' });
    expect(server.received).toHaveLength(1);
  });

  test('a connection that is refused has the outcome `not-sent`, and a code', async () => {
    const { server, client } = await connect({ fetch, maxRetries: 0 });
    await server.close();
    expect(await errorOf(client.senders.list())).toMatchObject({
      name: 'ConnectionError',
      outcome: 'not-sent',
      code: 'ECONNREFUSED',
      cause: { code: 'ECONNREFUSED' },
    });
  });
});
