// Bodies of responses on the wire, by both ways to send: Node's dispatcher, and a `fetch`.
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { Exchange } from '../support/fault-server.ts';
import { connect, errorOf, ways } from './support.ts';

/** A tag after a byte order mark. */
const tag = Buffer.from('\uFEFF{"id":"tag_A1b2C3d4E5f6G7h8I9j0K1","name":"Grüße 👋"}');

/** Sends the tag byte by byte, so that chunks split its characters. */
const inBytes = ({ response }: Exchange): void => {
  const write = (at: number): unknown =>
    at < tag.length
      ? response.write(tag.subarray(at, at + 1), () => setImmediate(write, at + 1))
      : response.end();
  write(0);
};

const compressed =
  (body: string | Buffer) =>
  ({ response }: Exchange): void => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body));
  };

/** A body that never ends by itself. */
const endless =
  (headers: Record<string, string>) =>
  ({ response }: Exchange): void => {
    response.writeHead(200, headers);
    const write = () => {
      while (!response.destroyed && response.write(' '.repeat(10_000)));
    };
    response.on('drain', write);
    write();
  };

describe.each(ways)('through %s, the client', (_, fetch) => {
  test.each([
    ['whose chunks split its characters', inBytes],
    ['that is compressed', compressed(tag)],
  ])('reads a response %s', async (_kind, respond) => {
    const { server, client } = await connect({ fetch });
    server.otherwise(respond);
    expect(await client.tags.create({ name: 'Grüße 👋' })).toMatchObject({ name: 'Grüße 👋' });
    expect(server.received).toMatchObject([{ method: 'POST', body: '{"name":"Grüße 👋"}' }]);
  });

  test('sends a POST without a body as an empty one', async () => {
    const { server, client } = await connect({ fetch });
    server.otherwise(({ response }) => response.end('{}'));
    await client.request({ method: 'POST', path: '/domain/verify' });
    const [{ body, headers } = {}] = server.received;
    expect([body, headers?.get('content-length'), headers?.get('content-type')]).toEqual(['', '0', null]);
  });

  test.each([
    ['states no length', endless({})],
    ['states its length', endless({ 'content-length': '5000000000' })],
    ['exceeds it only once it is decompressed', compressed(`["${'x'.repeat(1_000_000)}"]`)],
  ])('closes the connection of a response that exceeds `maxResponseBytes` and %s', async (_kind, respond) => {
    const { server, client } = await connect({ fetch, maxResponseBytes: 50_000 });
    server.otherwise(respond);
    expect(await errorOf(client.senders.list())).toMatchObject({
      name: 'InvalidResponseError',
      outcome: 'unknown',
      scope: 'call',
      message: expect.stringContaining('at most 50000 bytes (maxResponseBytes)'),
    });
    await eventually(() => expect(server.open()).toBe(0));
  });
});

test('sends a body where `Request` has no `body`, as in Firefox', async () => {
  const descriptor = Object.getOwnPropertyDescriptor(Request.prototype, 'body') as PropertyDescriptor;
  Reflect.deleteProperty(Request.prototype, 'body');
  onTestFinished(() => void Object.defineProperty(Request.prototype, 'body', descriptor));
  const { server, client } = await connect({ fetch: globalThis.fetch });
  await client.tags.create({ name: 'vip' });
  expect(server.received.map(({ body }) => body)).toEqual(['{"name":"vip"}']);
});
