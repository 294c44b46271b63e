// Requests and responses as Node, older versions of it and adapters of other servers pass them to the listener.
import { expect, test, vi } from 'vitest';
import {
  type NodeRequest,
  type NodeResponse,
  type ProxyOptions,
  toNodeListener,
} from '../../src/proxy/index.ts';
import { makePage } from './page.ts';
import { exchange, listening } from './raw-http.ts';

const call = { operation: 'tags.create', input: { name: 'vip' } };
const shop = 'https://shop.test';
const options: Partial<ProxyOptions> = { allow: ['tags.create'], origins: [shop] };

/** Gives a request to the listener; what was sent, and whether the body was read. */
async function respond(request: Omit<NodeRequest, typeof Symbol.asyncIterator>, own = options) {
  const next = vi.fn(async () => ({ done: true, value: undefined }) as const);
  const sent = { status: 0, headers: {}, text: '', ended: false };
  const outgoing: NodeResponse = {
    writeHead: (status, headers) => Object.assign(sent, { status, headers }),
    write: part => (sent.text += new TextDecoder().decode(part)),
    end: () => (sent.ended = true),
    destroy: () => {},
  };
  const incoming: NodeRequest = { ...request, [Symbol.asyncIterator]: () => ({ next }) };
  await toNodeListener(makePage(own).handler)(incoming, outgoing);
  return { ...sent, next };
}

const post = {
  method: 'POST',
  url: '/api',
  headers: { host: 'app.test', 'content-type': 'application/json' },
} as const;

test('sends status, headers and body of the response, and no header of cookies without cookies', async () => {
  const { status, headers, text, ended } = await respond({ ...post, body: call });
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

test('leaves out headers that an adapter passes without a value', async () => {
  const headers = { ...post.headers, 'x-call-id': undefined };
  expect((await respond({ ...post, headers, body: call })).status).toBe(200);
});

test('takes an empty object for the body that a parser left where nothing says that the body is unread', async () => {
  const { status, next } = await respond({ ...post, body: {} });
  expect(status).toBe(400);
  expect(next).not.toHaveBeenCalled();
});

test('reads the body where a parser left an empty object without having read anything', async () => {
  const { next } = await respond({ ...post, body: {}, readableDidRead: false });
  expect(next).toHaveBeenCalled();
});

test('reads nothing of the body of a request that is refused by its headers', async () => {
  const headers = { ...post.headers, origin: 'https://evil.test' };
  const { status, next } = await respond({ ...post, headers });
  expect(status).toBe(403);
  expect(next).not.toHaveBeenCalled();
});

test('takes a request without an address for one of the path /', async () => {
  const paths: string[] = [];
  const authorize = (request: Request) => {
    paths.push(new URL(request.url).pathname);
    return true;
  };
  const { method, headers } = post;
  await respond({ method, headers, body: call }, { ...options, authorize });
  expect(paths).toEqual(['/']);
});

test('performs a call of a program that sends no header Host, as HTTP/1.0 allows', () =>
  listening(toNodeListener(makePage(options).handler), async port => {
    const body = JSON.stringify(call);
    const head = `Content-Type: application/json\r\nContent-Length: ${body.length}`;
    expect(await exchange(port, `POST /api HTTP/1.0\r\n${head}\r\n\r\n${body}`)).toMatch(/^HTTP\/1\.1 200 /);
  }));

test('keeps the connection after a request that has no body', () =>
  listening(toNodeListener(makePage(options).handler), async port => {
    const request = 'GET /api HTTP/1.1\r\nHost: app.test\r\n\r\n';
    const received = await exchange(port, request);
    expect(received).toMatch(/^HTTP\/1\.1 405 /);
    expect(received).not.toMatch(/connection: close/i);
  }));

test.each([
  ['OPTIONS', 204],
  ['HEAD', 405],
])(
  'writes no body in response to %s, as a server with `rejectNonStandardBodyWrites` rejects it',
  (method, status) =>
    listening(
      toNodeListener(makePage(options).handler),
      async port => {
        const head = `Host: app.test\r\nOrigin: ${shop}\r\nConnection: close`;
        const received = await exchange(port, `${method} /api HTTP/1.1\r\n${head}\r\n\r\n`);
        expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
        expect(received).toMatch(/\r\n\r\n$/);
        if (status === 204) expect(received).not.toMatch(/content-length/i);
      },
      { rejectNonStandardBodyWrites: true },
    ),
);
