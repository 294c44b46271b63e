// Checks that the client reaches a server that speaks only HTTP/2 if and only if the runtime's `fetch` does.
import assert from 'node:assert/strict';
import { createSecureServer } from 'node:http2';
import { listen } from '../support/listen.ts';
import { openssl, skipsWithout } from '../support/programs.ts';
import { type Certificate, makeCertificate } from './certificate.ts';
import { printedBy, type RuntimeProgram } from './runtimes.ts';

const bodies: Readonly<Record<string, string>> = {
  'GET /api/v1/rest/sender': '[{"id":"sender_1","email":"s@example.com"}]',
  'POST /api/v1/rest/tag': '{"id":"tag_1","name":"n","created":"","updated":""}',
  // nginx and Caddy state no length of it: for the dispatcher of Node, nothing tells it from one that was cut.
  'DELETE /api/v1/rest/tag/tag_A1b2C3d4E5f6G7h8I9j0K1': '',
};

/** Starts a server that speaks only HTTP/2, and responds to requests with the right key. */
function startServer({ key, cert }: Certificate) {
  const server = createSecureServer({ key, cert, allowHTTP1: false });
  server.on('stream', (stream, { ':method': method, ':path': path, 'x-team-apikey': apiKey }) => {
    const body = apiKey === 'key' ? bodies[`${method} ${path}`] : undefined;
    const status = body === undefined ? 400 : 200;
    stream.respond({ ':status': status, 'content-type': 'application/json', 'x-seen': 'yes' });
    stream.end(body ?? '{}');
  });
  server.on('sessionError', () => {});
  return server;
}

/** Runtimes whose `fetch` speaks HTTP/2. */
const speaksHttp2 = ['Node 26', 'Deno'];

const ok = [200, 'yes'];

const unknown = ['ConnectionError', 'unknown'];
const notSent = ['ConnectionError', 'not-sent'];

/** Node reports that it had no connection; Bun whether it read the body, which only the second call has. */
const notReached = (name: string) =>
  name === 'Bun' ? [unknown, notSent, unknown] : [notSent, notSent, notSent];

/** Checks on a runtime that the client reaches a server of only HTTP/2 if the runtime's `fetch` does. */
export async function checkHttp2Only(name: string, program: RuntimeProgram, folder: string): Promise<void> {
  if (skipsWithout(openssl)) return;
  const certificate = makeCertificate();
  const server = startServer(certificate);
  try {
    const args = ['http2-only-program.mjs', `https://localhost:${await listen(server, 'localhost')}`];
    const printed = await printedBy(program, folder, args, certificate.env);
    const expected = speaksHttp2.includes(name)
      ? { fetch: 200, client: [ok, ok, name === 'Deno' ? ok : unknown] }
      : { fetch: 'not reached', client: notReached(name) };
    assert.deepEqual(printed, expected, name);
    console.log(
      `${name}: a server of only HTTP/2 is ${expected.fetch === 200 ? 'reached' : 'not reached'}, as by fetch`,
    );
  } finally {
    server.close();
    certificate.remove();
  }
}
