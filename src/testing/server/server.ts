import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Reply } from '../respond.ts';
import { array, check, checkMembers, isText, type Rules, text, wholeNumber } from '../rules.ts';
import { ErrorResponse } from '../service/error-response.ts';
import type { ReadRequest } from '../service/service.ts';

/** Options of `sandbox.listen`. */
export interface ListenOptions {
  /** Address to bind to. Other machines can reach any address but a loopback one. @defaultValue '127.0.0.1' */
  readonly host?: string | undefined;
  /** Host names accepted besides loopback names and `host`, such as the name of a container. @defaultValue none */
  readonly allowedHosts?: readonly string[] | undefined;
}

/** A sandbox that is reachable over HTTP. */
export interface SandboxServer {
  /** Address of the server, such as `http://127.0.0.1:4010`: the `baseUrl` of a client. */
  readonly url: string;
  /** Port that the server listens on. */
  readonly port: number;
  /** Stops the server, and closes open connections. */
  close(): Promise<void>;
  /** Stops the server at the end of an `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Response without an end, sent in pieces until the client disconnects. */
export interface StreamReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Starts sending; returns a function that stops it. */
  readonly stream: (send: (text: string) => void) => () => void;
}

/** Responds to each request. */
export type Respond = (request: ReadRequest, signal: AbortSignal) => Promise<Reply | StreamReply>;

interface ServerParts {
  readonly respond: Respond;
  readonly maxBodyBytes: number;
  readonly hosts: HostRules;
}

/** Bytes that a slow reader of a stream may be behind before its connection is closed. */
const maxStreamBacklog = 2 ** 22;

/** Serves over Node's HTTP server, which is loaded when it is needed: this module runs in browsers too. */
export async function listen(
  respond: Respond,
  maxBodyBytes: number,
  port = 0,
  options: ListenOptions = {},
): Promise<SandboxServer> {
  const http = globalThis.process?.getBuiltinModule?.('node:http');
  if (http === undefined) throw new Error('listen needs Node, Bun or Deno; elsewhere, use fetch or MSW');
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

const listenRules: Rules = {
  host: text('an address', value => value !== ''),
  allowedHosts: array('an array of host names', isText),
};

/** Returns the options of `listen`; throws a `RangeError` for one that does not exist or cannot have its value. */
function checkedOptions(port: number, options: ListenOptions): ListenOptions {
  checkMembers('option of listen', options, listenRules, 'listen: ');
  check('listen: port', wholeNumber(0, 65_535), port);
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
    write(outgoing, hostError(headers.get('host') ?? ''));
    return;
  }
  const path = incoming.url?.startsWith('/') ? incoming.url : '/';
  const request: ReadRequest = {
    method: incoming.method ?? 'GET',
    url: new URL(`http://sandbox${path}`),
    headers,
    body: await readBody(incoming, maxBodyBytes),
  };
  const reply = await respond(request, closed.signal);
  if ('stream' in reply) writeStream(outgoing, reply);
  else write(outgoing, reply);
}

function hostError(header: string): Reply {
  const name = hostName(header);
  const hint = name === '' ? '' : `; to allow it, start with --allowed-host ${name} (allowedHosts)`;
  const message = `the Host header does not name this sandbox${hint}`;
  const text = JSON.stringify({ status: 'error', message });
  const headers = { 'content-type': 'application/json; charset=utf-8', connection: 'close' };
  return { status: 403, headers, text, ending: 'whole' };
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

function writeStream(outgoing: ServerResponse, { status, headers, stream }: StreamReply): void {
  outgoing.writeHead(status, headers);
  const end = stream(text => {
    outgoing.write(text);
    if (outgoing.writableLength > maxStreamBacklog) outgoing.destroy();
  });
  outgoing.on('close', end);
}

/** Which `Host` headers a server accepts, besides loopback names. */
interface HostRules {
  /** Address that the server is bound to. */
  readonly host: string;
  /** Further host names. */
  readonly allowedHosts: readonly string[];
}

/** Addresses that stand for every interface of the machine. */
const everyInterface: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

const ipv4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

/** Returns the address at which a server bound to `host` can be called from this machine, as a URL has it. */
function callableHost(host: string): string {
  const address = everyInterface[host] ?? host;
  return address.includes(':') ? `[${address}]` : address;
}

/**
 * Returns `true` if a request's `Host` names this server. A web page of another site whose name resolves to this machine
 * (DNS rebinding) sends that name and gets 403. An IP address cannot be rebound: a server bound to every
 * interface accepts every IP address.
 */
function isAllowedHost(header: string | null, { host, allowedHosts }: HostRules): boolean {
  const name = hostName(header ?? '');
  if (name === '') return false;
  if (name === 'localhost' || name === '[::1]' || (ipv4.test(name) && name.startsWith('127.'))) return true;
  if (Object.hasOwn(everyInterface, host) && (ipv4.test(name) || name.startsWith('['))) return true;
  const own = [host, ...allowedHosts].map(allowed => allowed.toLowerCase());
  return own.includes(name) || own.includes(name.replace(/^\[|\]$/g, ''));
}

/** Returns the name in a `Host` header without its port, in lower case; empty for a header that is not valid. */
function hostName(header: string): string {
  const [, name = ''] = /^(\[[0-9a-f:.]{2,45}\]|[^\s:/@[\]]{1,255})(?::\d{1,5})?$/i.exec(header) ?? [];
  return name.toLowerCase();
}
