import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { decodeBody } from '../../src/http/content-encoding.ts';
import { clientOf, connect, errorOf, failureOf } from '../network/support.ts';
import type { Fault } from '../support/fault-server.ts';

const megabyte = 1_000_000;

/** Compresses a body in layers, the first of which is the innermost. */
const layers = (body: string | Buffer, count: number): Buffer =>
  Array.from({ length: count }).reduce<Buffer>(bytes => gzipSync(bytes), Buffer.from(body));

const gzips = (count: number): string => Array.from({ length: count }, () => 'gzip').join(', ');

/** Responds with bytes whose encodings are listed by one header line each. */
const encoded =
  (lines: readonly string[], encode: (normal: string) => Uint8Array): Fault =>
  ({ response, normal }) => {
    response
      .writeHead(
        200,
        lines.flatMap(line => ['Content-Encoding', line]),
      )
      .end(encode(normal));
  };

/** Counts how often the decompression of gzip begins. */
function countUnzips() {
  const zlib = process.getBuiltinModule('node:zlib');
  const unzip = vi.spyOn(zlib, 'unzip');
  onTestFinished(() => unzip.mockRestore());
  return unzip;
}

test('a request asks for the encodings that every Node decodes', async () => {
  const { server, client } = await connect();
  await client.senders.list();
  expect(server.received[0]?.headers['accept-encoding']).toBe('gzip, br');
});

describe('a response', () => {
  test('in x-gzip is decoded as one in gzip', async () => {
    const { server, client } = await connect();
    server.next(encoded(['x-gzip'], normal => gzipSync(normal)));
    expect(await client.senders.list()).toHaveLength(1);
  });

  test.each([
    ['one line', [gzips(5)]],
    ['five lines', Array.from({ length: 5 }, () => 'gzip')],
    ['two lines', ['gzip, gzip', 'gzip,gzip , gzip']],
  ])('with five encodings in %s is decoded', async (_, lines) => {
    const { server, client } = await connect();
    server.next(encoded(lines, normal => layers(normal, 5)));
    expect(await client.senders.list()).toHaveLength(1);
  });

  test.each([
    ['six in one line', [gzips(6)]],
    ['six in six lines', Array.from({ length: 6 }, () => 'gzip')],
    ['2 000 in one line', [gzips(2_000)]],
    ['1 200 in as many lines', Array.from({ length: 1_200 }, () => 'br')],
  ])('with more encodings is refused before any is decoded: %s', async (_, lines) => {
    const unzip = countUnzips();
    const { server, client } = await connect({ maxRetries: 0 });
    server.otherwise(encoded(lines, normal => layers(normal, 6)));
    expect(await errorOf(client.senders.list())).toMatchObject({
      name: 'ConnectionError',
      outcome: 'unknown',
    });
    expect(unzip).not.toHaveBeenCalled();
  });

  test('whose inner layer is larger than maxResponseBytes is refused, though what it holds is small', async () => {
    const { server, client } = await connect({ maxRetries: 0, maxResponseBytes: 100_000 });
    const large = (normal: string) => gzipSync(Buffer.from(normal + ' '.repeat(megabyte)));
    server.otherwise(encoded(['gzip, gzip'], normal => gzipSync(large(normal))));
    expect(await errorOf(client.senders.list())).toMatchObject({ name: 'InvalidResponseError' });
  });

  test('with six encodings is refused by the name of the limit', async () => {
    const { signal } = new AbortController();
    const decoding = decodeBody(layers('{}', 6), gzips(6), megabyte, signal);
    await expect(decoding).rejects.toThrow('more than 5 content encodings');
  });

  test('without a body is empty, whatever its encoding', async () => {
    const { signal } = new AbortController();
    expect(await decodeBody(new Uint8Array(), 'gzip', megabyte, signal)).toHaveLength(0);
  });

  test('is decoded by the inner encoding first', async () => {
    const { server, client } = await connect();
    server.next(encoded(['br', 'gzip'], normal => gzipSync(brotliCompressSync(normal))));
    expect(await client.senders.list()).toHaveLength(1);
  });

  test('over a fetch with 2 000 encodings fails as one of the library', async () => {
    const { server } = await connect();
    const client = clientOf(server.url, { maxRetries: 0, fetch: (url, init) => fetch(url, init) });
    server.otherwise(encoded([gzips(2_000)], normal => layers(normal, 2)));
    await errorOf(client.senders.list());
  });
});

describe('an abort while a body is decoded', () => {
  test('begins no further layer', async () => {
    const unzip = countUnzips();
    const controller = new AbortController();
    const decoding = decodeBody(layers('{}', 5), gzips(5), megabyte, controller.signal);
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await failureOf(decoding)).toBe(reason);
    expect(unzip).toHaveBeenCalledTimes(1);
  });

  test('rejects the call with the reason of the caller', async () => {
    const { server, client } = await connect();
    const controller = new AbortController();
    const reason = new Error('enough');
    const zlib = process.getBuiltinModule('node:zlib');
    const { unzip } = zlib;
    const spy = vi.spyOn(zlib, 'unzip').mockImplementation(((...input: Parameters<typeof unzip>) => {
      controller.abort(reason);
      return unzip(...input);
    }) as typeof unzip);
    onTestFinished(() => spy.mockRestore());
    server.otherwise(encoded([gzips(5)], normal => layers(normal, 5)));
    expect(await failureOf(client.senders.list({ signal: controller.signal }))).toBe(reason);
    await new Promise(resolve => setTimeout(resolve, 50));
    expect(spy).toHaveBeenCalledTimes(1);
  });
});
