import { createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ClientOptions } from '../../src/index.ts';
import { clientOf } from './support.ts';

/** Starts a server that responds to each request with these bytes, and returns its URL. */
async function respondingWith(head: string, body: string): Promise<string> {
  const bytes = `HTTP/1.1 ${head}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
  const server = createServer(socket => {
    socket.on('error', () => {});
    socket.on('data', () => socket.end(bytes, 'latin1'));
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}

const senders = '[{"id":"sender_1","email":"s@example.com"}]';

describe.each<[string, ClientOptions]>([
  ["Node's dispatcher", {}],
  ['a fetch', { fetch: (url, init) => fetch(url, init) }],
])('over %s', (_, options) => {
  test.each([': x', ':', ': x\r\n: y'])(
    'skips the header line %j of a success, however it is awaited',
    async line => {
      const client = clientOf(await respondingWith(`200 OK\r\n${line}\r\nX-Good: 1`, senders), options);
      expect(await client.senders.list().safe()).toMatchObject({
        ok: true,
        data: [{ email: 's@example.com' }],
      });
      const { data, response } = await client.senders.list().withResponse();
      expect(data).toHaveLength(1);
      expect(response.headers.get('x-good')).toBe('1');
    },
  );

  test('rejects with an ApiError of a refusal that has a header line without a name', async () => {
    const refusal = '{"status":"error","message":"no"}';
    const client = clientOf(await respondingWith('400 Bad Request\r\n: x', refusal), options);
    await expect(client.tags.create({ name: 'n' })).rejects.toMatchObject({
      name: 'BadRequestError',
      status: 400,
    });
  });
});
