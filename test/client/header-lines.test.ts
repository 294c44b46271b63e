// Header lines without a name. Parsers may skip such a line or reject the response. Newer ones reject it.
import { expect, test } from 'vitest';
import type { ClientOptions } from '../../src/index.ts';
import { connect } from './support.ts';

const transports: Readonly<Record<string, ClientOptions>> = {
  'the transport of Node': {},
  'a fetch': { fetch: (url, init) => fetch(url, init) },
};

test.each(Object.entries(transports))(
  'over %s, a response with a header line without a name is returned without it, or is a ConnectionError',
  async (_, transport) => {
    const { server, client } = await connect({ maxRetries: 0, ...transport });
    server.otherwise(({ socket, normal }) => {
      const head = ['HTTP/1.1 200 OK', 'X-Good: 1', ': x', `Content-Length: ${Buffer.byteLength(normal)}`];
      socket.end([...head, '', normal].join('\r\n'));
    });
    const result = await client.senders.list().safe();
    if (!result.ok) {
      expect(result.error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
      return;
    }
    expect(result.data).toMatchObject([{ email: 'ann@example.com' }]);
    expect([...result.response.headers.keys()]).toEqual(['content-length', 'x-good']);
  },
);
