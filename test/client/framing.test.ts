// Responses at the edges of HTTP/1.1: upgrades, trailers, two lengths at once, and header lines without a name.
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
  ])('%s is an error of an unknown outcome to a write, made once', async (_title, fault) => {
    const { server, client } = await start({ timeout: 300, maxRetries: 2 });
    server.otherwise(fault);
    const error = await errorOf(client.tags.create({ name: 'n' }));
    expect(error.outcome).toBe('unknown');
    expect(shown(error)).not.toContain(apiKey);
    expect(server.received).toHaveLength(1);
  });

  test('trailers that repeat the key are shown nowhere', async () => {
    const { server, client } = await start();
    const trailers = [`X-Echo: ${apiKey}`, `Set-Cookie: ${apiKey}`, '', ''];
    server.otherwise(raw(...ok, 'Trailer: X-Echo', ...chunked, ...trailers));
    const { data, response } = await client.senders.list().withResponse();
    expect(data).toEqual([expect.objectContaining({ id: 'sender_1' })]);
    expect(shown([...response.headers])).not.toContain(apiKey);
  });

  test.each<[string, readonly string[]]>([
    ['many', Array.from({ length: 20_000 }, (_line, index) => `x-${index}: 1`)],
    ['that are no headers', ['\x01\x02: 3', ':']],
    ['that state a length', ['Content-Length: 5']],
    ['without an end', ['x-a: 1']],
  ])('trailers %s give the response or an error of the library', async (_title, trailers) => {
    const { server, client } = await start();
    server.otherwise(raw(...ok, ...chunked, ...trailers, '', ''));
    const result = await client.senders.list().safe();
    if (!result.ok) expect(EmailMarketingError.isInstance(result.error)).toBe(true);
    else expect(result.data).toHaveLength(1);
  });

  // What RFC 9112 calls request smuggling is rejected by the parser of Node.
  test.each<[string, readonly string[]]>([
    ['a length and chunks', [`Content-Length: ${body.length}`, ...chunked, '', '']],
    ['chunks and a length', ['Transfer-Encoding: chunked', 'Content-Length: 3', '', hex, body, '0', '', '']],
    ['two lengths', [`Content-Length: ${body.length}`, 'Content-Length: 3', '', body]],
    ['a length that is no number', ['Content-Length: 0x2b', '', body]],
    ['a negative length', ['Content-Length: -1', '', body]],
    ['chunks of no length', ['Transfer-Encoding: chunked', '', 'zz', body, '0', '', '']],
    ['a chunk that is longer than it says', ['Transfer-Encoding: chunked', '', '2', body, '0', '', '']],
    ['an endless chunk', ['Transfer-Encoding: chunked', '', 'fffffffffffffffff', body]],
  ])('%s are an error of the library, or the whole response', async (_title, lines) => {
    const { server, client } = await start();
    server.otherwise(raw(...ok, `X-Echo: ${apiKey}`, ...lines));
    for (const result of [
      await client.senders.list().safe(),
      await client.tags.create({ name: 'n' }).safe(),
    ]) {
      if (result.ok) expect(result.data).toEqual([expect.objectContaining({ id: 'sender_1' })]);
      else expect(EmailMarketingError.isInstance(result.error)).toBe(true);
      if (!result.ok) expect(shown(result.error)).not.toContain(apiKey);
    }
  });

  test('bytes behind a response are no part of the next one', async () => {
    const { server, client } = await start();
    const whole = [...ok, `Content-Length: ${body.length}`, '', body].join('\r\n');
    const smuggled = whole.replace('sender_1', 'sender_x');
    server.next(kept(whole + smuggled));
    const [first, second] = [await client.senders.list(), await client.senders.list().safe()];
    expect(first[0]?.id).toBe('sender_1');
    if (second.ok) expect(second.data[0]?.id).not.toBe('sender_x');
  });

  // A parser may skip such a line or reject the response; newer ones reject it.
  test.each([': x', ':', ': x\r\n: y'])(
    'the header line %j of a success is skipped, or the response rejected with an error, however it is awaited',
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

  test('an error response that has a header line without a name is an ApiError, or one of the connection', async () => {
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
