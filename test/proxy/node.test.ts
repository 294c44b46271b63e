// The listener for Node: requests as Node, HTTP/2, older versions and adapters of other servers pass them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import {
  type NodeRequest,
  type NodeResponse,
  type ProxyOptions,
  toNodeListener,
} from '../../src/proxy/index.ts';
import { makePage } from './page.ts';
import { exchange, listening } from './raw-http.ts';

const call = JSON.stringify({ operation: 'tags.create', input: { name: 'vip' } });

/** Serves the proxy over HTTP for as long as something runs. */
async function served(use: (port: number) => Promise<void>, prepare: (body: unknown) => object = () => ({})) {
  const { handler } = makePage({ allow: ['tags.create'], maxBodyBytes: 1000, bodyTimeout: 200 });
  const listener = toNodeListener(handler);
  await listening((request, response) => listener(Object.assign(request, prepare({})), response), use);
}

const post = (port: number, body: BodyInit | null, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...init.headers },
    ...{ duplex: 'half' },
  });

test('responds to a page of the same host, and refuses another', () =>
  served(async port => {
    const own = await post(port, call, { headers: { origin: `http://127.0.0.1:${port}` } });
    expect(await own.json()).toMatchObject({ data: { name: 'vip' } });
    expect((await post(port, call, { headers: { origin: 'http://evil.test' } })).status).toBe(403);
  }));

test('other methods are refused', () =>
  served(async port => {
    for (const method of ['GET', 'HEAD', 'PUT', 'TRACE', 'OPTIONS']) {
      const status = await statusLine(port, `${method} / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(status).toMatch(/ 405 /);
    }
  }));

test.each([
  ['a user', 'Host: a:b@c'],
  ['a path', 'Host: ///'],
  ['a port that is no number', 'Host: app.test:http'],
  ['nothing but a colon', 'Host: :'],
  ['an open bracket', 'Host: [::1'],
  ['text that is no name', 'Host: caf\u00e9.test'],
])('responds 400 to a host with %s, and serves the next request', (_, host) =>
  served(async port => {
    const head = `${host}\r\nContent-Type: application/json\r\nContent-Length: ${call.length}`;
    const received = await exchange(port, `POST / HTTP/1.1\r\n${head}\r\n\r\n${call}`);
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(received).toContain('"name":"BadRequestError","message":"The request cannot be read."');
    expect((await post(port, call)).status).toBe(200);
  }),
);

test.each(['*', 'http://app.test/'])('responds 400 to the request target %s', target =>
  served(async port => {
    const received = await exchange(port, `OPTIONS ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
  }),
);

test('sends every cookie that a wrapped handler sets', async () => {
  const headers: [string, string][] = [
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ];
  const listener = toNodeListener(async () => new Response('{}', { headers }));
  await listening(listener, async port => {
    expect((await post(port, call)).headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  });
});

test('closes the connection where something else has already responded', async () => {
  const listener = toNodeListener(async () => new Response('{}'));
  await listening(
    (request, response) => {
      response.writeHead(200, { 'content-length': '5' });
      return listener(request, response);
    },
    async port => {
      await expect(post(port, call).then(response => response.text())).rejects.toThrow();
      await expect(post(port, call).then(response => response.text())).rejects.toThrow();
    },
  );
});

test('responds 500 without details where the handler rejects', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const listener = toNodeListener(() => Promise.reject(new Error('PRIVATE')));
  await listening(listener, async port => {
    const response = await post(port, call);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      error: { name: 'ServerError', message: 'The server failed.', outcome: 'not-sent', status: 500 },
    });
  });
  expect(log).toHaveBeenCalledExactlyOnceWith('email-marketing-client: the proxy failed', expect.any(Error));
  log.mockRestore();
});

test.each([
  [403, 'Content-Type: application/json\r\nOrigin: http://evil.test'],
  [415, 'Content-Type: text/plain'],
  [413, 'Content-Type: application/json'],
])('responds %i to a body of 500 kB that is still arriving, and closes its connection', (status, headers) =>
  served(async port => {
    const head = `POST / HTTP/1.1\r\nHost: x\r\n${headers}\r\nContent-Length: 500000\r\n\r\n`;
    const received = await untilClosed(port, `${head}${'x'.repeat(100)}`);
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(received).toMatch(/\r\nconnection: close\r\n/i);
  }),
);

test('closes the connections of bodies that do not arrive in time', () =>
  served(async port => {
    const head =
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{';
    const chunked =
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{';
    const received = await Promise.all(
      Array.from({ length: 20 }, (_, index) => untilClosed(port, index % 2 ? head : chunked)),
    );
    for (const text of received) expect(text).toMatch(/^HTTP\/1\.1 408 /);
  }));

test('a huge body is refused while it comes', () =>
  served(async port => {
    const endless = Readable.toWeb(Readable.from(chunks())) as unknown as ReadableStream;
    const status = await post(port, endless).then(
      response => response.status,
      () => 'connection closed',
    );
    expect([413, 'connection closed']).toContain(status);
  }));

test('a caller that goes away in mid-body takes nothing down', () =>
  served(async port => {
    const socket = connect(port, '127.0.0.1');
    socket.write(
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{',
    );
    await new Promise(resolve => setTimeout(resolve, 20));
    socket.destroy();
    expect((await post(port, call)).status).toBe(200);
  }));

test('a body that a parser has already read is taken from there', () =>
  served(
    async port => expect((await post(port, 'spent')).status).toBe(200),
    () => ({ body: JSON.parse(call) }),
  ));

function* chunks() {
  for (let index = 0; index < 10_000; index++) yield Buffer.alloc(1000, 'x');
}

/** Sends text as it is; everything that arrives until the server closes the connection. */
const untilClosed = (port: number, text: string) =>
  new Promise<string>(resolve => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('latin1').on('data', chunk => {
      received += chunk;
    });
    socket.on('error', () => {}).once('close', () => resolve(received));
  });

/** Sends text as it is; the first line of the response. */
const statusLine = async (port: number, text: string) => (await exchange(port, text)).split('\r\n')[0];

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

const incomingPost = {
  method: 'POST',
  url: '/api',
  headers: { host: 'app.test', 'content-type': 'application/json' },
} as const;

test('sends status, headers and body of the response, and no header of cookies without cookies', async () => {
  const { status, headers, text, ended } = await respond({ ...incomingPost, body: JSON.parse(call) });
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
  const headers = { ...incomingPost.headers, 'x-call-id': undefined };
  expect((await respond({ ...incomingPost, headers, body: JSON.parse(call) })).status).toBe(200);
});

test('takes an empty object for the body that a parser left where nothing says that the body is unread', async () => {
  const { status, next } = await respond({ ...incomingPost, body: {} });
  expect(status).toBe(400);
  expect(next).not.toHaveBeenCalled();
});

test('reads the body where a parser left an empty object without having read anything', async () => {
  const { next } = await respond({ ...incomingPost, body: {}, readableDidRead: false });
  expect(next).toHaveBeenCalled();
});

test('reads nothing of the body of a request that is refused by its headers', async () => {
  const headers = { ...incomingPost.headers, origin: 'https://evil.test' };
  const { status, next } = await respond({ ...incomingPost, headers });
  expect(status).toBe(403);
  expect(next).not.toHaveBeenCalled();
});

test('takes a request without an address for one of the path /', async () => {
  const paths: string[] = [];
  const authorize = (request: Request) => {
    paths.push(new URL(request.url).pathname);
    return true;
  };
  const { method, headers } = incomingPost;
  await respond({ method, headers, body: JSON.parse(call) }, { ...options, authorize });
  expect(paths).toEqual(['/']);
});

test('performs a call of a program that sends no header Host, as HTTP/1.0 allows', () =>
  listening(toNodeListener(makePage(options).handler), async port => {
    const body = call;
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

/** Sends requests over one HTTP/2 connection; status and text of each response. */
async function exchangeOverHttp2(requests: { headers: Record<string, string>; body: string | undefined }[]) {
  const server = createHttp2Server(
    toNodeListener(makePage({ allow: ['tags.create'], bodyTimeout: 200 }).handler),
  );
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const session = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  try {
    const responses: string[] = [];
    for (const { headers, body } of requests) {
      const stream = session.request({ ':method': 'POST', ':path': '/api', ...headers }).setEncoding('utf8');
      let text = '';
      stream.on('response', sent => (text = `${sent[':status']} ${text}`)).on('data', data => (text += data));
      stream.on('error', () => {});
      if (body === undefined) stream.write('{');
      else stream.end(body);
      await new Promise(resolve => stream.once('close', resolve));
      responses.push(text);
    }
    return responses;
  } finally {
    session.destroy();
    server.close();
  }
}

const json = { 'content-type': 'application/json' };

test('performs a call over HTTP/2, of a page of the same host', async () => {
  const [own] = await exchangeOverHttp2([
    { headers: { ...json, ':authority': 'app.test', origin: 'https://app.test' }, body: call },
  ]);
  expect(own).toMatch(/^200 .*"name":"vip"/);
  const [other] = await exchangeOverHttp2([
    { headers: { ...json, ':authority': 'app.test', origin: 'https://evil.test' }, body: call },
  ]);
  expect(other).toMatch(/^403 /);
});

test('keeps an HTTP/2 connection whose last body was refused', async () => {
  const refused = { headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(1_500_000) };
  const [first, second] = await exchangeOverHttp2([refused, { headers: json, body: call }]);
  expect(first).toMatch(/^415 /);
  expect(second).toMatch(/^200 /);
});

test('resets an HTTP/2 stream whose body does not arrive in time, and keeps the connection', async () => {
  const slow = { headers: { ...json, 'content-length': '500' }, body: undefined };
  const [first, second] = await exchangeOverHttp2([slow, { headers: json, body: call }]);
  expect(first).toMatch(/^408 /);
  expect(second).toMatch(/^200 /);
});

test('a handler that is given to node:http without toNodeListener says what to write', async () => {
  const { handler } = makePage(options);
  const errors: unknown[] = [];
  const unwrapped = (incoming: IncomingMessage, outgoing: ServerResponse) =>
    handler(incoming as unknown as Request).catch(error => {
      errors.push(error);
      outgoing.end();
    });
  await listening(unwrapped, async port => void (await post(port, call)));
  expect(errors).toEqual([
    expect.objectContaining({
      name: 'ConfigurationError',
      message:
        'createProxyHandler returns a handler of web Requests; in Express or node:http, wrap it with toNodeListener.',
    }),
  ]);
});
