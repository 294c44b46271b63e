// The listener behind a server of `node:http2`, by a client that sends the pseudo-headers of HTTP/2.
import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  createServer,
  type IncomingHttpHeaders,
} from 'node:http2';
import { expect, test, vi } from 'vitest';
import { type ProxyHandler, type ProxyOptions, toNodeListener } from '../../src/proxy/index.ts';
import { eventually } from '../support/eventually.ts';
import { listen } from '../support/listen.ts';
import { makePage } from './page.ts';

const call = JSON.stringify({ operation: 'tags.create', input: { name: 'café' } });
const head = {
  ':method': 'POST',
  ':path': '/api/email-marketing?page=1',
  'content-type': 'application/json',
  'x-call-id': 'a'.repeat(32),
};

/** Serves a handler over HTTP/2 while a function runs. Fails if Node warns of what the listener does. */
async function served(
  handler: ProxyHandler,
  use: (session: ClientHttp2Session, origin: string) => Promise<unknown>,
) {
  const warn = vi.fn();
  process.on('warning', warn);
  const server = createServer(toNodeListener(handler));
  const origin = `http://127.0.0.1:${await listen(server)}`;
  const session = connect(origin);
  try {
    await use(session, origin);
    // Node passes a warning on with the next turn.
    await new Promise(resolve => setImmediate(resolve));
  } finally {
    process.off('warning', warn);
    session.destroy();
    server.close();
  }
  expect(warn).not.toHaveBeenCalled();
}

/** Reads the status, the headers and the JSON of a response, until its stream is closed on both sides. */
async function responseOf(stream: ClientHttp2Stream) {
  let text = '';
  stream.setEncoding('utf8').on('data', chunk => {
    text += chunk;
  });
  const closed = once(stream, 'close');
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
  await closed;
  return { status: headers[':status'], headers, body: JSON.parse(text) };
}

const send = (session: ClientHttp2Session, headers: Record<string, string> = {}, body = call) => {
  const stream = session.request({ ...head, ...headers });
  stream.end(body);
  return responseOf(stream);
};

const handlerOf = (options: Partial<ProxyOptions> = {}) =>
  makePage({ allow: ['tags.create'], ...options }).handler;

test('performs a call over HTTP/2, and passes its address and headers to authorize', async () => {
  const seen: unknown[] = [];
  const authorize = ({ url, method, headers }: Request) => {
    seen.push([url, method, headers.get('x-call-id')]);
    return true;
  };
  await served(handlerOf({ authorize }), async (session, origin) => {
    const { status, body } = await send(session, { origin });
    expect([status, body]).toEqual([200, { data: { id: expect.any(String), name: 'café' } }]);
    expect(seen).toEqual([[`${origin}/api/email-marketing?page=1`, 'POST', 'a'.repeat(32)]]);
  });
});

test('reads the host of a request over HTTP/2', () =>
  served(handlerOf({ allowedHosts: ['app.test'] }), async session => {
    expect((await send(session, { ':authority': 'evil.test' })).status).toBe(403);
  }));

test.each<[string, Record<string, string>, Partial<ProxyOptions>, number]>([
  ['does not arrive in time', {}, { bodyTimeout: 20 }, 408],
  ['is not read', { origin: 'http://evil.test' }, {}, 403],
])('closes the stream of a body that %s, and serves the next request', async (_, headers, options, status) =>
  served(handlerOf(options), async session => {
    const stream = session.request({ ...head, ...headers });
    stream.write('{');
    expect((await responseOf(stream)).status).toBe(status);
    await eventually(async () => expect((await send(session)).status).toBe(200));
  }),
);
