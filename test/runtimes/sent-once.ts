// Counts how often calls that are not idempotent reach a server that closes reused connections without a response.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { promisify } from 'node:util';
import type { RuntimeProgram } from './runtimes.ts';

const execute = promisify(execFile);

/** Number of calls, for each operation, runtime and way to close a connection. */
const calls = 2_000;

/** Maximum output of a program. */
const maxOutputBytes = 10_000_000;

const operations = ['tags.create', 'legacy.identify'] as const;

/** Ways to close a connection: FIN, and RST. */
const closings: Readonly<Record<string, (socket: Socket) => void>> = {
  FIN: socket => void socket.end(),
  RST: socket => void socket.resetAndDestroy(),
};

/** Returns what identifies the call of a request: the name of the tag, or the address of the contact. */
function callOf(body: string): string {
  const { name, email } = JSON.parse(body) as { readonly name?: string; readonly email?: string };
  return name ?? email ?? '';
}

const tag = '{"id":"tag_1","name":"n","created":"","updated":""}';
const contact = '{"status":"200","message":"ok","data":{"id":"contact_1","email":"a@example.com"}}';

/** A server that acts on every request, but closes a connection in place of its second response. */
function closingServer(close: (socket: Socket) => void) {
  const acted = new Map<string, number>();
  const reused = new WeakSet<Socket>();
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const call = callOf(body);
    acted.set(call, (acted.get(call) ?? 0) + 1);
    if (reused.has(request.socket)) return close(request.socket);
    reused.add(request.socket);
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(request.url?.includes('/contact/') ? contact : tag);
  });
  return { server, acted };
}

/** Makes calls of an operation on a runtime, and checks how often each acted. */
async function check(
  { command, args }: RuntimeProgram,
  folder: string,
  operation: string,
  closing: string,
): Promise<string> {
  const { server, acted } = closingServer(closings[closing] ?? (() => {}));
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const program = [...args, 'sent-once-program.mjs', url, operation, String(calls)];
  const { stdout } = await execute(command(), program, { cwd: folder, maxBuffer: maxOutputBytes });
  server.close().closeAllConnections();
  const failed = (JSON.parse(stdout) as string[]).filter(result => result !== 'ok');
  const twice = [...acted.values()].filter(times => times > 1).length;
  const title = `${operation}, ${closing}: ${calls} calls, ${failed.length} with an unknown outcome, ${twice} acted twice`;
  assert.equal(twice, 0, title);
  assert.equal(acted.size, calls, `${title}: each call acted`);
  assert.ok(failed.length > 0, `${title}: connections were closed`);
  assert.deepEqual(new Set(failed), new Set(['unknown']), title);
  return title;
}

/** Checks on a runtime that calls that are not idempotent act once, however a reused connection closes. */
export async function checkSentOnce(name: string, program: RuntimeProgram, folder: string): Promise<void> {
  for (const closing of Object.keys(closings))
    for (const operation of operations)
      console.log(`${name}: ${await check(program, folder, operation, closing)}`);
}
