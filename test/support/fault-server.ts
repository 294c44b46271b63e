import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { normalResponse } from './normal-response.ts';

/** One request as it reached the server. `body` is its text. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** `performance.now()` when the whole request had come. */
  readonly at: number;
}

/** What a fault has in hand. `normal` is the text a healthy service would send. */
export interface Exchange {
  readonly request: Received;
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly normal: string;
}

/** Answers one request, well or badly. */
export type Fault = (exchange: Exchange) => void;

/** A server on loopback that answers as it is told and remembers what it was asked. */
export interface FaultServer {
  readonly url: string;
  /** Every request whose body came whole, first to last. */
  readonly received: Received[];
  /** The next requests meet these, in order; the ones after them meet `otherwise`. */
  next(...faults: readonly Fault[]): void;
  /** What requests meet when nothing is queued; a healthy answer unless set. */
  otherwise(fault: Fault): void;
  /** Requests that came, and whose answers neither ended nor were given up by the client. */
  readonly open: () => number;
  /** Connections that are open now. */
  readonly connections: () => Promise<number>;
  close(): Promise<void>;
}

/** The healthy answer. */
export const healthy: Fault = ({ response, normal }) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(normal);
};

export async function startFaultServer(): Promise<FaultServer> {
  const received: Received[] = [];
  const queue: Fault[] = [];
  let fallback: Fault = healthy;
  let open = 0;

  const server = createServer(async (incoming, response) => {
    const request = await receive(incoming);
    if (request === undefined) return;
    received.push(request);
    open += 1;
    response.on('close', () => {
      open -= 1;
    });
    const fault = queue.shift() ?? fallback;
    fault({ request, response, socket: incoming.socket, normal: normalResponse(request) });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    next: (...faults) => void queue.push(...faults),
    otherwise: fault => {
      fallback = fault;
    },
    open: () => open,
    connections: () => new Promise(done => server.getConnections((_, count) => done(count ?? 0))),
    close: () =>
      new Promise(done => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** Reads a request to its end; nothing when the client went away before that. */
async function receive(incoming: IncomingMessage): Promise<Received | undefined> {
  const url = new URL(incoming.url ?? '/', 'http://loopback');
  let body = '';
  try {
    for await (const chunk of incoming.setEncoding('utf8')) body += chunk;
  } catch {
    return undefined;
  }
  return {
    method: incoming.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    headers: incoming.headers,
    body,
    at: performance.now(),
  };
}

/** The address of a port on which nothing listens. */
export async function closedPort(): Promise<string> {
  const server = createTcpServer();
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise(done => server.close(done));
  return `http://127.0.0.1:${port}`;
}

/** A host that no name server knows: `.invalid` is kept free for this (RFC 2606). */
export const unresolvedName = 'https://nothing.invalid';
