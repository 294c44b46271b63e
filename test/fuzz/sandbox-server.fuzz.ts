// Sends random bytes to the sandbox over HTTP.
import { connect } from 'node:net';
import fc from 'fast-check';
import { createSandbox } from '../../src/testing/index.ts';
import { type FuzzOptions, fuzz } from './module.ts';

export const name = 'raw requests to the sandbox over HTTP';

/** Milliseconds to wait for a response: an incomplete request gets none. */
const waitMs = 500;

const line = fc.oneof(
  fc.constantFrom('GET / HTTP/1.1', 'POST /_sandbox/faults HTTP/1.1', 'GET /_sandbox/view HTTP/1.1'),
  fc.constantFrom('POST /api/v1/rest/tag HTTP/1.1', 'DELETE /_sandbox/records/tags/x HTTP/1.1'),
  fc
    .tuple(fc.constantFrom('GET', 'POST', 'PATCH', 'OPTIONS', 'PRI', ''), fc.webUrl(), fc.string())
    .map(parts => parts.join(' ')),
);
const header = fc.oneof(
  fc.constantFrom('Host: localhost', 'Host: a:b@c', 'Host: evil.test', 'Host: [::1]:9', 'Host:'),
  fc.constantFrom('X-Team-ApiKey: sandbox-key', 'Content-Length: 5', 'Content-Length: -1', ': x', ' folded'),
  fc.constantFrom('Transfer-Encoding: chunked', 'Expect: 100-continue', 'Origin: null', 'Upgrade: h2c'),
  fc.tuple(fc.string(), fc.string()).map(pair => pair.join(': ')),
);
const body = fc.oneof(fc.constantFrom('', '{"name":"vip"}', '{', '5\r\nhello\r\n0\r\n\r\n'), fc.string());
const request = fc.oneof(
  fc
    .tuple(line, fc.array(header, { maxLength: 8 }), body)
    .map(([first, headers, text]) =>
      Buffer.from(`${[first, ...headers].join('\r\n')}\r\n\r\n${text}`, 'latin1'),
    ),
  fc.uint8Array({ maxLength: 300 }).map(bytes => Buffer.from(bytes)),
);

/** Sends bytes; resolves when the server responds, closes the connection or stays silent. */
function send(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    const done = (text: string) => {
      socket.destroy();
      resolve(text);
    };
    socket.setTimeout(waitMs, () => done(''));
    socket.once('data', chunk => done(String(chunk)));
    socket.once('close', () => resolve(''));
    socket.once('error', error =>
      (error as NodeJS.ErrnoException).code === 'ECONNRESET' ? done('') : reject(error),
    );
  });
}

/** Any bytes get an HTTP response or none; the server never fails, and continues to serve. */
export async function run(options: FuzzOptions): Promise<number> {
  const sandbox = createSandbox();
  const server = await sandbox.listen();
  const property = fc.asyncProperty(request, async bytes => {
    const response = await send(server.port, bytes);
    if (response !== '' && !/^HTTP\/1\.1 (?:[1-4]\d\d|503) /.test(response)) throw new Error(response);
    sandbox.clearFaults();
    const after = await fetch(`${server.url}/api/v1/rest/sender`, {
      headers: { 'x-team-apikey': sandbox.apiKey },
    });
    if (after.status !== 200) throw new Error(`the next request gets ${after.status}`);
    await after.arrayBuffer();
  });
  return fuzz(property, options).finally(() => server.close());
}
