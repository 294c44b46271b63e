// The listener for Node: requests of Node's servers and other frameworks.
import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { connect, Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import {
  type NodeRequest,
  type NodeResponse,
  type ProxyOptions,
  toNodeListener,
} from '../../src/proxy/index.ts';
import { eventually } from '../support/eventually.ts';
import { listen } from '../support/listen.ts';
import { makePage } from './page.ts';

const call = JSON.stringify({ operation: 'tags.create', input: { name: 'vip' } });
const json = { 'content-type': 'application/json', 'x-call-id': '0'.repeat(32) };
const shop = 'https://shop.test';
const options: Partial<ProxyOptions> = {
  allow: ['tags.create'],
  allowedOrigins: [shop],
  maxBodyBytes: 1000,
};

/** Serves a listener over HTTP while a function runs. */
async function listening(
  listener: RequestListener,
  use: (port: number) => Promise<void>,
  options: ServerOptions = {},
) {
  const server = createServer(options, listener);
  try {
    await use(await listen(server));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Milliseconds in which another response would arrive. */
const silence = 100;

/** Sends bytes unchanged, and returns everything that arrives until a response is complete and nothing follows it. */
const exchange = (port: number, bytes: string | Uint8Array) =>
  new Promise<string>((resolve, reject) => {
    const data = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
    const socket = connect(port, '127.0.0.1', () => socket.write(data));
    let received = '';
    const end = () => {
      resolve(received);
      socket.destroy();
    };
    socket.setEncoding('latin1').on('data', chunk => {
      received += chunk;
      if (/\r\n\r\n\{.*\}$/s.test(received)) setTimeout(end, silence);
    });
    socket.once('close', end);
    socket.once('error', error => (received ? end() : reject(error)));
  });

/** Serves the proxy over HTTP while a function runs. */
const served = (use: (port: number) => Promise<void>) =>
  listening(toNodeListener(makePage(options).handler), use, { rejectNonStandardBodyWrites: true });

const post = (port: number, body = call, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers: { ...json, ...headers } });

/** Returns the text of a request. */
const raw = (headers: string, body = '', head = 'POST / HTTP/1.1\r\nHost: app.test') =>
  `${head}\r\n${headers}\r\n\r\n${body}`;
const lengthOf = (body: string) =>
  `Content-Type: application/json\r\nX-Call-Id: ${'1'.repeat(32)}\r\nContent-Length: ${body.length}`;

test('performs a call of a page of the same host, and rejects one of another', () =>
  served(async port => {
    const own = await post(port, call, { origin: `http://127.0.0.1:${port}` });
    expect(await own.json()).toMatchObject({ data: { name: 'vip' } });
    expect((await post(port, call, { origin: 'http://evil.test' })).status).toBe(403);
  }));

test.each<[string, string, number]>([
  ['TRACE', '', 405],
  ['HEAD', '', 405],
  ['OPTIONS', '', 405],
  ['OPTIONS', `Origin: ${shop}\r\n`, 204],
])('responds to %s with the headers %j with %i', async (method, headers, status) =>
  served(async port => {
    const request = raw(`${headers}Connection: close`, '', `${method} / HTTP/1.1\r\nHost: x`);
    const received = await exchange(port, request);
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    // Node throws an error if such a response has a body (`rejectNonStandardBodyWrites`).
    if (method === 'HEAD' || status === 204) expect(received).toMatch(/\r\n\r\n$/);
    if (status === 204) expect(received).not.toMatch(/content-length/i);
  }),
);

test.each([
  ['a host that is not a name', 'POST / HTTP/1.1\r\nHost: caf\u00e9.test'],
  ['the target http://app.test/', 'POST http://app.test/ HTTP/1.1\r\nHost: x'],
])('responds 400 to %s, and serves the next request', (_, head) =>
  served(async port => {
    const received = await exchange(port, raw(lengthOf(call), call, head));
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(received).toContain('"name":"BadRequestError","message":"The request cannot be read."');
    expect((await post(port)).status).toBe(200);
  }),
);

test('performs a call without the header Host, as HTTP/1.0 allows', () =>
  served(async port => {
    const received = await exchange(port, raw(lengthOf(call), call, 'POST /api HTTP/1.0'));
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
  }));

test('sends every cookie that a wrapped handler sets', () => {
  const headers = new Headers(['a=1', 'b=2'].map(cookie => ['set-cookie', cookie]));
  const listener = toNodeListener(async () => new Response('{}', { headers }));
  return listening(listener, async port => {
    expect((await post(port)).headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });
});

test('closes the connection if something else has already responded', async () => {
  const listener = toNodeListener(async () => new Response('{}'));
  const respondFirst = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    outgoing.writeHead(200, { 'content-length': '5' });
    return listener(incoming, outgoing);
  };
  await listening(respondFirst, async port => {
    await expect(post(port).then(response => response.text())).rejects.toThrow();
  });
});

test('responds 500 without details if the handler rejects', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const listener = toNodeListener(() => Promise.reject(new Error('PRIVATE')));
  await listening(listener, async port => {
    const response = await post(port);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      error: { name: 'ServerError', message: 'The server failed.', outcome: 'unknown', status: 500 },
    });
  });
  expect(log).toHaveBeenCalledExactlyOnceWith(
    'email-marketing-client: the handler failed',
    expect.any(Error),
  );
  log.mockRestore();
});

test('closes the connections of bodies that do not arrive in time, and serves other requests', () =>
  listening(toNodeListener(makePage({ ...options, bodyTimeout: 200 }).handler), async port => {
    const stated = raw('Content-Type: application/json\r\nContent-Length: 500', '{');
    const chunked = raw('Content-Type: application/json\r\nTransfer-Encoding: chunked', '1\r\n{');
    const all = Array.from({ length: 20 }, (_, index) => exchange(port, index % 2 ? stated : chunked));
    // If the machine stalls, this body can be late as well.
    await eventually(async () => expect((await post(port)).status).toBe(200));
    for (const text of await Promise.all(all))
      expect(text).toMatch(/^HTTP\/1\.1 408 .*\r\nconnection: close\r\n/is);
  }));

/** Passes a request to the listener, and returns what was sent and whether the body was read. */
async function respond(members: Partial<NodeRequest>, own: Partial<ProxyOptions> = options) {
  const next = vi.fn(async () => ({ done: true, value: undefined }) as const);
  const sent = { status: 0, headers: {}, text: '', ended: false };
  const outgoing: NodeResponse = {
    writeHead: (status, headers) => Object.assign(sent, { status, headers }),
    write: part => (sent.text += new TextDecoder().decode(part)),
    end: () => (sent.ended = true),
    destroy: () => {},
  };
  const headers = { host: 'app.test', ...json, ...members.headers };
  const incoming = { method: 'POST', ...members, headers, [Symbol.asyncIterator]: () => ({ next }) };
  await toNodeListener(makePage(own).handler)(incoming, outgoing);
  return { ...sent, next };
}

test('sends status, headers and body of the response, and no set-cookie without cookies', async () => {
  const { status, headers, text, ended } = await respond({ body: JSON.parse(call) });
  expect(status).toBe(200);
  expect(JSON.parse(text)).toEqual({ data: { id: expect.any(String), name: 'vip' } });
  expect(headers).toEqual({
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    vary: 'origin',
    'content-length': String(text.length),
  });
  expect(ended).toBe(true);
});

test.each<[string, Partial<NodeRequest>, number, boolean]>([
  ['a header without a value', { headers: { 'x-user': undefined }, body: JSON.parse(call) }, 200, false],
  ['an empty object as body', { body: {} }, 400, false],
  ['an empty object as body that is still unread', { body: {}, readableDidRead: false }, 400, true],
  ['headers that are rejected', { headers: { origin: 'https://evil.test' } }, 403, false],
])('responds to a request with %s', async (_, members, status, isRead) => {
  const { next, ...sent } = await respond(members);
  expect(sent.status).toBe(status);
  expect(next.mock.calls.length > 0).toBe(isRead);
});

test('passes the whole path to authorize if Express mounts the listener at a path', async () => {
  const authorize = vi.fn((request: Request) => request.url.endsWith('/api?page=1'));
  const members = { url: '/?page=1', originalUrl: '/api?page=1', body: JSON.parse(call) };
  expect((await respond(members, { ...options, authorize })).status).toBe(200);
  expect(authorize).toHaveBeenCalledOnce();
});

/** Reads the body like the parsers of Fastify and Koa, which do not put the result on the request. */
async function parsed(incoming: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of incoming) text += chunk;
  return JSON.parse(text);
}

test.each<[string, (body: unknown) => object, number, string]>([
  ['says so behind a parser that keeps the body', () => ({}), 500, 'Other code on the server has read'],
  ['takes the body that is passed on', body => ({ body }), 200, '"name":"vip"'],
])('%s', async (_, members, status, text) => {
  const onError = vi.fn();
  const listener = toNodeListener(makePage({ ...options, onError }).handler);
  const behind = async (incoming: IncomingMessage, outgoing: ServerResponse) =>
    listener(Object.assign(incoming, members(await parsed(incoming))), outgoing);
  await listening(behind, async port => {
    const response = await post(port);
    expect(response.status).toBe(status);
    expect(await response.text()).toContain(text);
  });
  expect(onError).toHaveBeenCalledTimes(status === 200 ? 0 : 1);
});

test('a handler that gets a request of Node says to pass `toNodeListener(handler)`', async () => {
  const { handler } = makePage(options);
  const request = new IncomingMessage(new Socket());
  await expect(handler(request as never)).rejects.toMatchObject({
    name: 'ConfigurationError',
    message: expect.stringContaining('toNodeListener(handler)'),
  });
});
