import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { toNodeListener } from '../../src/proxy/index.ts';
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
