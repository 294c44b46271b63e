// Checks that the client reaches a server that speaks only HTTP/2 if and only if the runtime's `fetch` does.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { openssl, skipsWithout } from '../support/programs.ts';
import { type Certificate, makeCertificate } from './certificate.ts';
import type { RuntimeProgram } from './runtimes.ts';

const execute = promisify(execFile);

const bodies: Readonly<Record<string, string>> = {
  'GET /api/v1/rest/sender': '[{"id":"sender_1","email":"s@example.com"}]',
  'POST /api/v1/rest/tag': '{"id":"tag_1","name":"n","created":"","updated":""}',
  // nginx and Caddy state no length of it.
  'DELETE /api/v1/rest/tag/tag_A1b2C3d4E5f6G7h8I9j0K1': '',
};

/** Starts a server that speaks only HTTP/2, and responds to requests with the right key. */
async function startServer({ key, cert }: Certificate) {
  const server = createSecureServer({ key, cert, allowHTTP1: false });
  server.on('stream', (stream, { ':method': method, ':path': path, 'x-team-apikey': apiKey }) => {
    const body = apiKey === 'key' ? bodies[`${method} ${path}`] : undefined;
    const status = body === undefined ? 400 : 200;
    stream.respond({ ':status': status, 'content-type': 'application/json', 'x-seen': 'yes' });
    stream.end(body ?? '{}');
  });
  server.on('sessionError', () => {});
  await new Promise<void>(done => server.listen(0, 'localhost', done));
  return server;
}

/** Runtimes whose `fetch` speaks HTTP/2. */
const speaksHttp2 = ['Node 26', 'Deno'];

const reached = [
  [200, 'yes'],
  [200, 'yes'],
  [200, 'yes'],
];

/** Bun says of every error of TLS that the handshake failed, even after a request was sent. */
const notReachedBy = (name: string) =>
  Array.from({ length: 3 }, () => ['ConnectionError', name === 'Bun' ? 'unknown' : 'not-sent']);

/** Checks on a runtime that the client reaches a server of only HTTP/2 if the runtime's `fetch` does. */
export async function checkHttp2Only(
  name: string,
  { command, args }: RuntimeProgram,
  folder: string,
): Promise<void> {
  if (skipsWithout(openssl)) return;
  const certificate = makeCertificate();
  const server = await startServer(certificate);
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  const env = { ...process.env, ...certificate.env };
  try {
    const program = [...args, 'http2-only-program.mjs', url];
    const { stdout } = await execute(command(), program, { cwd: folder, env });
    const expected = speaksHttp2.includes(name)
      ? { fetch: 200, client: reached }
      : { fetch: 'not reached', client: notReachedBy(name) };
    assert.deepEqual(JSON.parse(stdout), expected, name);
    console.log(
      `${name}: a server of only HTTP/2 is ${expected.fetch === 200 ? 'reached' : 'not reached'}, as by fetch`,
    );
  } finally {
    server.close();
    certificate.remove();
  }
}
