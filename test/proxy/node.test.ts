import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { toNodeListener } from '../../src/proxy/index.ts';
import { makePage } from './page.ts';

const call = JSON.stringify({ operation: 'tags.create', input: { name: 'vip' } });

/** Serves the proxy over HTTP for as long as something runs. */
async function served(use: (port: number) => Promise<void>, prepare: (body: unknown) => object = () => ({})) {
  const { handler } = makePage({ allow: ['tags.create'], maxBodyBytes: 1000, bodyTimeout: 200 });
  const listener = toNodeListener(handler);
  const server = createServer(
    (request, response) => void listener(Object.assign(request, prepare({})), response),
  );
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  try {
    await use((server.address() as AddressInfo).port);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const post = (port: number, body: BodyInit | null, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...init.headers },
    ...{ duplex: 'half' },
  });

test('a page of the same host is answered, another is not', () =>
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

test('an address or host that makes no sense is answered all the same', () =>
  served(async port => {
    const head = `Host: ///\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${call.length}`;
    expect(await statusLine(port, `POST //\\ HTTP/1.1\r\n${head}\r\n\r\n${call}`)).toMatch(/ 200 /);
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

test('a slow body is refused when its time is over', () =>
  served(async port => {
    const head =
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{';
    expect(await statusLine(port, head)).toMatch(/ 408 /);
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

/** Sends text as it is; the first line of the answer. */
const statusLine = (port: number, text: string) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.once('data', data => {
      resolve(String(data).split('\r\n')[0] ?? '');
      socket.destroy();
    });
    socket.once('error', reject);
  });
