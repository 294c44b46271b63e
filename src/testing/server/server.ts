import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Reply } from '../dispatcher.ts';
import { Refusal } from '../service/refusal.ts';
import type { ReadRequest } from '../service/service.ts';

/** Where a server listens. */
export interface ListenOptions {
  /** Address to bind to; anything but loopback lets others in. @defaultValue '127.0.0.1' */
  readonly host?: string | undefined;
}

/** A sandbox that is reachable over HTTP. */
export interface SandboxServer {
  /** Its address, such as `http://127.0.0.1:4010`: `baseUrl` of a client. */
  readonly url: string;
  /** The port it listens on. */
  readonly port: number;
  /** Stops it, and ends what is open. */
  close(): Promise<void>;
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** What a server asks for each request. */
export type Responder = (request: ReadRequest, signal: AbortSignal) => Promise<Reply>;

/** Serves over Node's own HTTP server, which is looked up when it is needed: this module loads in browsers too. */
export async function listen(
  respond: Responder,
  maxBodyBytes: number,
  port = 0,
  { host = '127.0.0.1' }: ListenOptions = {},
): Promise<SandboxServer> {
  const http = globalThis.process?.getBuiltinModule?.('node:http');
  if (http === undefined) throw new Error('listen needs Node, Bun or Deno; elsewhere, use fetch or handlers');
  const server = http.createServer((request, response) => {
    void serve(request, response, respond, maxBodyBytes).catch(() => response.destroy());
  });
  server.on('clientError', (_, socket) => {
    const body = JSON.stringify(new Refusal('malformed').body);
    const head = `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    if (socket.writable) socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  const close = () => stop(server);
  const name = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${name}:${bound}`, port: bound, close, [Symbol.asyncDispose]: close };
}

function stop(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function serve(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  respond: Responder,
  maxBodyBytes: number,
): Promise<void> {
  const gone = new AbortController();
  outgoing.on('close', () => gone.abort());
  const path = incoming.url?.startsWith('/') ? incoming.url : '/';
  const request: ReadRequest = {
    method: incoming.method ?? 'GET',
    url: new URL(`http://sandbox${path}`),
    headers: readHeaders(incoming),
    body: await readBody(incoming, maxBodyBytes),
  };
  write(outgoing, await respond(request, gone.signal));
}

function readHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  return headers;
}

/** Reads the body to its end; one over the limit is not waited for, and what still comes of it is dropped. */
function readBody(incoming: IncomingMessage, maxBodyBytes: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let chunks: Uint8Array[] = [];
    let size = 0;
    incoming.on('data', (chunk: Uint8Array) => {
      size += chunk.length;
      if (size <= maxBodyBytes) chunks.push(chunk);
      else {
        chunks = [];
        resolve(undefined);
      }
    });
    incoming.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    incoming.on('error', reject);
  });
}

function write(outgoing: ServerResponse, { status, headers, text, ending }: Reply): void {
  const body = Buffer.from(text);
  outgoing.writeHead(status, text === '' ? headers : { ...headers, 'content-length': body.length });
  if (ending === 'whole') {
    outgoing.end(body);
    return;
  }
  outgoing.write(body.subarray(0, Math.ceil(body.length / 2)), () => {
    if (ending === 'drop') outgoing.destroy();
  });
}
