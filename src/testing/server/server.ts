import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Reply } from '../responder.ts';
import { type ReadRequest, type RequestHead, textOf } from '../service/sandbox-service.ts';

/** Options of `sandbox.listen`. */
export interface ListenOptions {
  /** Address to bind to. Unless it is a loopback address, other machines can connect. @defaultValue '127.0.0.1' */
  readonly host?: string | undefined;
}

/** Sandbox that listens on a port. */
export interface SandboxServer {
  /** URL of the server, such as `http://127.0.0.1:4010`: use it as the client's `baseUrl`. */
  readonly url: string;
  /** Port that the server listens on. */
  readonly port: number;
  /** Stops the server and closes open connections. */
  close(): Promise<void>;
  /** Stops the server at the end of an `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** What a server serves. */
export interface Site {
  /** Returns the maximum size of a request's body, in bytes. */
  maxBytes(head: RequestHead): number;
  respond(request: ReadRequest, signal: AbortSignal): Promise<Reply>;
}

/** Starts an HTTP server. `node:http` is loaded on demand, because this module also runs in browsers. */
export async function listen(
  site: Site,
  port = 0,
  { host = '127.0.0.1' }: ListenOptions = {},
): Promise<SandboxServer> {
  const http = globalThis.process?.getBuiltinModule?.('node:http');
  if (http === undefined) throw new Error('listen requires Node, Bun or Deno. Elsewhere, use fetch or MSW.');
  const server = http.createServer((request, response) => {
    void serve(request, response, site).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  const close = () => stop(server);
  return { url: `http://${callableHost(host)}:${bound}`, port: bound, close, [Symbol.asyncDispose]: close };
}

function stop(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function serve(incoming: IncomingMessage, outgoing: ServerResponse, site: Site): Promise<void> {
  const closed = new AbortController();
  outgoing.on('close', () => closed.abort());
  const headers = readHeaders(incoming);
  if (!privateHost.test(headers.get('host') ?? '')) {
    await write(outgoing, hostError);
    return;
  }
  const { method = 'GET', url: path = '/' } = incoming;
  const url = new URL(`http://sandbox${path.startsWith('/') ? path : '/'}`);
  const head: RequestHead = { method, url, headers };
  const body = await readBody(incoming, site.maxBytes(head));
  await write(outgoing, await site.respond({ ...head, body }, closed.signal));
}

/** Reads a body to its end. Returns `undefined` if it has more bytes than the limit, and keeps none beyond it. */
async function readBody(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string | undefined> {
  const kept: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length <= maxBytes) kept.push(chunk);
  }
  return length > maxBytes ? undefined : textOf(Buffer.concat(kept));
}

const hostError: Reply = {
  status: 403,
  headers: { 'content-type': 'application/json; charset=utf-8', connection: 'close' },
  text: '{"status":"error","message":"The host name is not private. Use an IP address, or a name without a dot."}',
};

function readHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  return headers;
}

async function write(outgoing: ServerResponse, { status, headers, text, chunks }: Reply): Promise<void> {
  const body = Buffer.from(text);
  outgoing.writeHead(status, text === '' ? headers : { ...headers, 'content-length': body.length });
  if (chunks === undefined) {
    outgoing.end(body);
    return;
  }
  outgoing.flushHeaders();
  for await (const chunk of chunks) await new Promise(resolve => outgoing.write(chunk, resolve));
  outgoing.end();
}

/**
 * `Host` headers that only a private network resolves: IP addresses, names without a dot, and reserved domains. Prevents
 * DNS rebinding: a malicious site whose name resolves to this machine sends its own name, and gets 403.
 */
const privateHost =
  /^(?:\[[0-9a-f:.]+\]|[\d.]+|(?:[\w-]+\.)*(?:localhost|local|internal|test)|[\w-]+)(?::\d{1,5})?$/i;

/** Returns the host for URLs that reach, from this machine, a server bound to `host`. */
function callableHost(host: string): string {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return address.includes(':') ? `[${address}]` : address;
}
