// Counts how often writes of every method reach a server that closes reused connections without a response.
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { listen } from '../support/listen.ts';
import { printedBy, type RuntimeProgram } from './runtimes.ts';

/** Number of calls, for each operation or method, runtime and way to close a connection. */
const calls = 1_000;

/** Operations, and methods of `client.request`, every second with a body. */
const operations = ['tags.create', 'legacy.identify', 'tags.delete', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Ways to close a connection: FIN, and RST. */
const closings: Readonly<Record<string, (socket: Socket) => void>> = {
  FIN: socket => void socket.end(),
  RST: socket => void socket.resetAndDestroy(),
};

const tag = '{"id":"tag_1","name":"n","created":"","updated":""}';
const contact = '{"status":"200","message":"ok","data":{"id":"contact_1","email":"a@example.com"}}';

/** A server that acts on every request, but closes a connection in place of its second response. */
function closingServer(close: (socket: Socket) => void) {
  const acted = new Map<string, number>();
  const known = new WeakSet<Socket>();
  let isReused = false;
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    // Its path tells a call from others, or the name of the tag or the address of the contact.
    const call = [request.method, request.url, body].join(' ');
    acted.set(call, (acted.get(call) ?? 0) + 1);
    if (known.has(request.socket)) {
      isReused = true;
      return close(request.socket);
    }
    known.add(request.socket);
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(request.url?.includes('/contact/') ? contact : tag);
  });
  return { server, acted, reused: () => isReused };
}

/** Makes calls of an operation on a runtime, and checks how often each acted. */
async function check(
  program: RuntimeProgram,
  folder: string,
  operation: string,
  closing: string,
): Promise<string> {
  const { server, acted, reused } = closingServer(closings[closing] ?? (() => {}));
  const url = `http://127.0.0.1:${await listen(server)}`;
  const args = ['sent-once-program.mjs', url, operation, String(calls)];
  const results: readonly string[] = await printedBy(program, folder, args);
  server.close().closeAllConnections();
  const failed = results.filter(result => result !== 'ok');
  const twice = [...acted.values()].filter(times => times > 1).length;
  const title = `${operation}, ${closing}: ${calls} calls, ${failed.length} with an unknown outcome, ${twice} acted twice`;
  assert.equal(twice, 0, title);
  assert.equal(acted.size, calls, `${title}: each call acted`);
  // A connection of its own for each request is never closed.
  assert.equal(failed.length > 0, reused(), `${title}: reused connections were closed`);
  assert.ok(
    failed.every(outcome => outcome === 'unknown'),
    title,
  );
  return title;
}

/** Checks on a runtime that writes act once, however a reused connection closes. */
export async function checkSentOnce(name: string, program: RuntimeProgram, folder: string): Promise<void> {
  for (const closing of Object.keys(closings))
    for (const operation of operations)
      console.log(`${name}: ${await check(program, folder, operation, closing)}`);
}
