// Unusual HTTP/1.1: upgrades, trailers, contradicting lengths, and header lines without a name.
import { describe, expect, test } from 'vitest';
import { type ClientOptions, EmailMarketingError } from '../../src/index.ts';
import type { Fault } from '../support/fault-server.ts';
import { shown } from './shown.ts';
import { connect, errorOf, useRejectionWatch } from './support.ts';

const apiKey = 'CANARY/key+of=framing';
const body = '[{"id":"sender_1","email":"s@example.com"}]';
const hex = body.length.toString(16);

/** Sends the bytes of a whole response, and closes the connection. */
const raw =
  (...lines: readonly string[]): Fault =>
  ({ socket }) =>
    void socket.end(lines.join('\r\n'));

/** Sends the bytes, and keeps the connection open. */
const kept =
  (...lines: readonly string[]): Fault =>
  ({ socket }) =>
    void socket.write(lines.join('\r\n'));

const chunked = ['Transfer-Encoding: chunked', '', hex, body, '0'];
const ok = ['HTTP/1.1 200 OK', 'Content-Type: application/json'];
const upgrade = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket', '', ''];

useRejectionWatch();

const transports: Readonly<Record<string, ClientOptions>> = {
  'the transport of Node': {},
  'a fetch': { fetch: (url, init) => fetch(url, init) },
};

describe.each(Object.entries(transports))('over %s', (_, transport) => {
  const start = (options: ClientOptions = {}) =>
    connect({ apiKey, maxRetries: 0, timeout: 2_000, ...transport, ...options });

  test.each<[string, Fault]>([
    ['101 and an open connection', kept(...upgrade)],
    ['101 and bytes of another protocol', kept(...upgrade, `\x81\x05${apiKey}`)],
    ['101 without an upgrade', raw('HTTP/1.1 101 Switching Protocols', '', '')],
    [
      '101 before a response',
      raw(...upgrade.slice(0, -1), ...ok, `Content-Length: ${body.length}`, '', body),
    ],
  ])('%s is an error with an unknown outcome for a write, which is sent once', async (_title, fault) => {
    const { server, client } = await start({ timeout: 300, maxRetries: 2 });
    server.otherwise(fault);
    const error = await errorOf(client.tags.create({ name: 'n' }));
    expect(error.outcome).toBe('unknown');
    expect(shown(error)).not.toContain(apiKey);
    expect(server.received).toHaveLength(1);
  });

  test('trailers that contain the key do not appear in the response', async () => {
    const { server, client } = await start();
    const trailers = [`X-Echo: ${apiKey}`, `Set-Cookie: ${apiKey}`, '', ''];
    server.otherwise(raw(...ok, 'Trailer: X-Echo', ...chunked, ...trailers));
    const { data, response } = await client.senders.list().withResponse();
    expect(data).toEqual([expect.objectContaining({ id: 'sender_1' })]);
    expect(shown([...response.headers])).not.toContain(apiKey);
  });

  const [framed, end] = ['Transfer-Encoding: chunked', ['0', '', '']];

  // Node's parser rejects what RFC 9112 calls request smuggling.
  test.each<[string, readonly string[]]>([
    ['many trailers', [...chunked, ...Array.from({ length: 20_000 }, (_, index) => `x-${index}: 1`), '', '']],
    ['trailers that are no headers', [...chunked, '\x01\x02: 3', ':', '', '']],
    ['trailers that state a length', [...chunked, 'Content-Length: 5', '', '']],
    ['a length and chunks', [`Content-Length: ${body.length}`, ...chunked, '', '']],
    ['chunks and a length', [framed, 'Content-Length: 3', '', hex, body, ...end]],
    ['two lengths', [`Content-Length: ${body.length}`, 'Content-Length: 3', '', body]],
    ['a length that is no number', ['Content-Length: 0x2b', '', body]],
    ['a negative length', ['Content-Length: -1', '', body]],
    ['chunks of no length', [framed, '', 'zz', body, ...end]],
    ['a chunk that is longer than it says', [framed, '', '2', body, ...end]],
    ['an endless chunk', [framed, '', 'fffffffffffffffff', body]],
  ])('%s lead to the whole response, or to an error of the library', async (_title, lines) => {
    const { server, client } = await start();
    server.otherwise(raw(...ok, `X-Echo: ${apiKey}`, ...lines));
    const results = [await client.senders.list().safe(), await client.tags.create({ name: 'n' }).safe()];
    for (const result of results) {
      if (result.ok) expect(result.data).toEqual([expect.objectContaining({ id: 'sender_1' })]);
      else expect(EmailMarketingError.isInstance(result.error)).toBe(true);
      if (!result.ok) expect(shown(result.error)).not.toContain(apiKey);
    }
  });

  test('bytes after the end of a response are not part of the next one', async () => {
    const { server, client } = await start();
    const whole = [...ok, `Content-Length: ${body.length}`, '', body].join('\r\n');
    const smuggled = whole.replace('sender_1', 'sender_x');
    server.next(kept(whole + smuggled));
    const [first, second] = [await client.senders.list(), await client.senders.list().safe()];
    expect(first[0]?.id).toBe('sender_1');
    if (second.ok) expect(second.data[0]?.id).not.toBe('sender_x');
  });

  // Parsers may skip such a line or reject the response. Newer ones reject it.
  test.each([': x', ':', ': x\r\n: y'])(
    'a success with the header line %j is returned without it, or is a ConnectionError',
    async line => {
      const { server, client } = await start();
      server.otherwise(raw(...ok, line, 'X-Good: 1', `Content-Length: ${body.length}`, '', body));
      const result = await client.senders.list().safe();
      if (!result.ok) {
        expect(result.error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
        await expect(client.senders.list()).rejects.toMatchObject({ name: 'ConnectionError' });
        return;
      }
      expect(result.data).toMatchObject([{ email: 's@example.com' }]);
      const { data, response } = await client.senders.list().withResponse();
      expect(data).toHaveLength(1);
      expect(response.headers.get('x-good')).toBe('1');
    },
  );

  test('an error response with a header line without a name is an ApiError or a ConnectionError', async () => {
    const errorBody = '{"status":"error","message":"no"}';
    const { server, client } = await start();
    server.otherwise(
      raw('HTTP/1.1 400 Bad Request', ': x', `Content-Length: ${errorBody.length}`, '', errorBody),
    );
    const { name, outcome } = await errorOf(client.tags.create({ name: 'n' }));
    expect([
      ['BadRequestError', 'refused'],
      ['ConnectionError', 'unknown'],
    ]).toContainEqual([name, outcome]);
  });
});
