// Sends random bytes to the proxy's listener on Node.
import { createServer, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { after } from 'node:test';
import express from 'express';
import fc from 'fast-check';
import { EmailMarketingClient } from '../../src/index.ts';
import { createProxyHandler, toNodeListener } from '../../src/proxy/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { listen } from '../support/listen.ts';
import { fuzz } from './fuzz.ts';

const { apiKey, teamId, fetch } = createSandbox();
const client = new EmailMarketingClient({ baseUrl: 'https://service.test', apiKey, teamId, fetch });
const listener = toNodeListener(
  createProxyHandler(client, {
    allow: ['tags.create', 'legacy.identify'],
    authorize: 'public',
    maxBodyBytes: 1000,
    bodyTimeout: 50,
  }),
);

/** In its tests, Express prints no errors of its parsers. */
const app = () => express().set('env', 'test');
const text = express.text({ type: 'text/*' });
const listeners: readonly RequestListener[] = [listener, app().use(listener), app().use(text, listener)];

const call = '{"operation":"legacy.identify","input":{"email":"ada@example.com"}}';
const some = (...texts: string[]) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...texts) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  );
const hosts = 'app.test a:b@c /// : [::1 [::1]:80 %00 a#b a?b a\\b'.split(' ');
const host = some(...hosts, 'x y', '');
const header = fc.oneof(
  host.map(text => `Host: ${text}`),
  fc.constantFrom('Content-Type: application/json', 'Content-Type: text/plain', 'Origin: http://app.test'),
  fc.constantFrom('Origin: null', 'Sec-Fetch-Site: same-origin', 'Expect: 100-continue', 'Connection: close'),
  fc.nat(3000).map(length => `Content-Length: ${length}`),
  fc.constantFrom('Transfer-Encoding: chunked', 'Content-Encoding: gzip', 'Upgrade: h2c', 'X-Call-Retry: 1'),
  some('0123456789abcdef0123456789abcdef', 'x').map(id => `X-Call-Id: ${id}`),
  fc.tuple(fc.string(), fc.string({ unit: 'binary' })).map(([key, value]) => `${key}: ${value}`),
);
const request = fc
  .record({
    method: some('POST', 'POST', 'GET', 'OPTIONS', 'PUT', 'TRACE', 'CONNECT', 'HEAD'),
    target: some('/', '/api', '*', '//', '//\\', '/%', '/%00', 'http://evil.test/', '/?[', '/\u00e9'),
    headers: fc.array(header, { maxLength: 8 }),
    body: some(call, '', '{', `${call.length.toString(16)}\r\n${call}\r\n0\r\n\r\n`, 'x'.repeat(3000)),
  })
  .map(({ method, target, headers, body }) =>
    Buffer.from([`${method} ${target} HTTP/1.1`, ...headers, '', body].join('\r\n'), 'latin1'),
  );
const bytes = fc.oneof(
  { weight: 9, arbitrary: request },
  { weight: 1, arbitrary: fc.uint8Array().map(Buffer.from) },
);

/** Milliseconds without data after which the client closes its side, and after which the server counts as hanging. */
const silence = 30;
const hanging = 20_000;

/** Sends bytes; returns what arrives until the connection closes. With `closes` false, only the server closes it. */
const exchange = (port: number, sent: Uint8Array, closes = true) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(sent));
    const hangs = setTimeout(() => reject(new Error('The connection is never closed.')), hanging);
    let received = '';
    socket.setEncoding('latin1').on('data', chunk => (received += chunk));
    if (closes) socket.setTimeout(silence, () => socket.end());
    socket.on('error', () => {});
    socket.once('close', () => {
      clearTimeout(hangs);
      resolve(received);
    });
  });

const good = Buffer.from(
  `POST / HTTP/1.1\r\nHost: app.test\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${call.length}\r\n\r\n${call}`,
);
/** A last request, after which the server closes the connection if the bytes before are whole requests. */
const farewell = Buffer.from('\r\n\r\nGET / HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n\r\n');

const servers = listeners.map(each => createServer(each));
after(() => {
  for (const server of servers) server.close().closeAllConnections();
});
const ports = await Promise.all(servers.map(server => listen(server)));
const rejections: unknown[] = [];
const keep = (error: unknown) => rejections.push(error);
process.on('unhandledRejection', keep).on('uncaughtException', keep);

/** After any bytes, the server works, and serves others. */
const property = fc.asyncProperty(fc.array(bytes, { minLength: 1, maxLength: 2 }), async sent => {
  await Promise.all(
    ports.map(async port => {
      const received = await exchange(port, Buffer.concat([...sent, farewell]));
      if (/HTTP\/1\.1 5\d\d/.test(received)) throw new Error(`The server failed: ${received}`);
      const next = await exchange(port, good, false);
      if (!next.startsWith('HTTP/1.1 200')) throw new Error(`The server stopped serving: ${next}`);
    }),
  );
  if (rejections.length > 0) throw new Error(`Unhandled: ${String(rejections[0])}`);
});

fuzz('raw requests to the Node listener, directly and under Express', property);
