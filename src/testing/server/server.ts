import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { aWholeNumber, type OptionRules } from '../../core/options.ts';
import type { Reply } from '../respond.ts';
import { array, check, checkMembers, isText, text } from '../rules.ts';
import { ErrorResponse } from '../service/error-response.ts';
import type { ReadRequest } from '../service/service.ts';

/** Options of `sandbox.listen`. */
export interface ListenOptions {
  /** Address to bind to. Unless it is a loopback address, other machines can connect. @defaultValue '127.0.0.1' */
  readonly host?: string | undefined;
  /** Further accepted host names, such as that of a container. @defaultValue only loopback names and `host` */
  readonly allowedHosts?: readonly string[] | undefined;
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

/** Response that is streamed until the client disconnects. */
export interface StreamReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Starts the stream. Returns a function that stops it. */
  readonly stream: (send: (text: string) => void) => () => void;
}

export type Respond = (request: ReadRequest, signal: AbortSignal) => Promise<Reply | StreamReply>;

interface ServerParts {
  readonly respond: Respond;
  readonly maxBodyBytes: number;
  readonly hosts: HostRules;
}

/** Maximum size of the body of a control, in bytes: a snapshot holds all records. */
const maxControlBytes = 2 ** 24;
const maxSnapshotBytes = 2 ** 28;
/** Maximum backlog of a slow reader, in bytes; then its connection is closed. */
const maxStreamBacklog = 2 ** 22;

/** Starts an HTTP server. `node:http` is loaded on demand, because this module also runs in browsers. */
export async function listen(
  respond: Respond,
  maxBodyBytes: number,
  port = 0,
  options: ListenOptions = {},
): Promise<SandboxServer> {
  const http = globalThis.process?.getBuiltinModule?.('node:http');
  if (http === undefined) throw new Error('listen requires Node, Bun or Deno; elsewhere, use fetch or MSW');
  const { host = '127.0.0.1', allowedHosts = [] } = checkedOptions(port, options);
  const parts: ServerParts = { respond, maxBodyBytes, hosts: { host, allowedHosts } };
  const server = http.createServer((request, response) => {
    void serve(request, response, parts).catch(() => response.destroy());
  });
  server.on('clientError', (_, socket) => {
    const body = JSON.stringify(new ErrorResponse('malformed').body);
    const head = `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    if (socket.writable) socket.end(`${head}\r\nConnection: close\r\n\r\n${body}`);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  const close = () => stop(server);
  return { url: `http://${callableHost(host)}:${bound}`, port: bound, close, [Symbol.asyncDispose]: close };
}

const listenRules: OptionRules = {
  host: text('an address', value => value !== ''),
  allowedHosts: array('an array of host names', isText),
};

/** Checks the options of `listen`. Throws a `RangeError` if one is unknown or invalid. */
function checkedOptions(port: number, options: ListenOptions): ListenOptions {
  checkMembers('option of listen', options, listenRules, 'listen: ');
  check('listen: port', aWholeNumber(0, 65_535), port);
  return options;
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
  { respond, maxBodyBytes, hosts }: ServerParts,
): Promise<void> {
  const closed = new AbortController();
  outgoing.on('close', () => closed.abort());
  const headers = readHeaders(incoming);
  if (!isAllowedHost(headers.get('host'), hosts)) {
    await write(outgoing, hostError(headers.get('host') ?? ''));
    return;
  }
  const { method = 'GET', url: path = '/' } = incoming;
  // No web page of another site may send a PUT.
  const isSnapshot = method === 'PUT' && path === '/_sandbox/snapshot';
  const maxOwnBytes = path.startsWith('/_sandbox/') ? maxControlBytes : maxBodyBytes;
  const body = await readBody(incoming, isSnapshot ? maxSnapshotBytes : maxOwnBytes);
  const url = new URL(`http://sandbox${path.startsWith('/') ? path : '/'}`);
  const request: ReadRequest = { method, url, headers, body };
  const reply = await respond(request, closed.signal);
  if ('stream' in reply) writeStream(outgoing, reply);
  else await write(outgoing, reply);
}

function hostError(header: string): Reply {
  const name = hostName(header);
  const hint = name === '' ? '' : `; to allow it, start with --allowed-host ${name} (allowedHosts)`;
  const message = `this sandbox does not accept the Host header${hint}`;
  const text = JSON.stringify({ status: 'error', message });
  const headers = { 'content-type': 'application/json; charset=utf-8', connection: 'close' };
  return { status: 403, headers, text };
}

function readHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  return headers;
}

/** Reads the body. Resolves to `undefined` once it is over the limit, and discards the rest. */
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

function writeStream(outgoing: ServerResponse, { status, headers, stream }: StreamReply): void {
  outgoing.writeHead(status, headers);
  const end = stream(text => {
    outgoing.write(text);
    if (outgoing.writableLength > maxStreamBacklog) outgoing.destroy();
  });
  outgoing.on('close', end);
}

/** Accepted `Host` headers, besides loopback names. */
interface HostRules {
  /** Address that the server is bound to. */
  readonly host: string;
  /** Further host names. */
  readonly allowedHosts: readonly string[];
}

/** Wildcard addresses, with the loopback address to call instead. */
const everyInterface: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

const ipv4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** Returns the host for URLs that reach, from this machine, a server bound to `host`. */
function callableHost(host: string): string {
  const address = everyInterface[host] ?? host;
  return address.includes(':') ? `[${address}]` : address;
}

/**
 * Whether a `Host` header names this server. Prevents DNS rebinding: a malicious site whose name resolves to this machine
 * sends its own name, and gets 403. IP addresses cannot be rebound, so a server on every interface accepts them all.
 */
function isAllowedHost(header: string | null, { host, allowedHosts }: HostRules): boolean {
  const name = hostName(header ?? '');
  if (name === '') return false;
  if (name === 'localhost' || name === '[::1]' || (ipv4.test(name) && name.startsWith('127.'))) return true;
  if (Object.hasOwn(everyInterface, host) && (ipv4.test(name) || name.startsWith('['))) return true;
  const own = [host, ...allowedHosts].map(allowed => allowed.toLowerCase());
  return own.includes(name) || own.includes(name.replace(/^\[|\]$/g, ''));
}

/** Returns the name in a `Host` header, in lower case and without the port; empty if the header is invalid. */
function hostName(header: string): string {
  const [, name = ''] = /^(\[[0-9a-f:.]{2,45}\]|[^\s:/@[\]]{1,255})(?::\d{1,5})?$/i.exec(header) ?? [];
  return name.toLowerCase();
}
