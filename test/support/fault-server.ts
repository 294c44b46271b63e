// An HTTP server on loopback that fails as each test demands, and records its requests.
import { createServer, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { rows } from '../endpoints.ts';
import { errorBody } from './faults.ts';
import { listen } from './listen.ts';
import { responseText } from './operation-row.ts';

/** One request as received. `body` is its text. */
export interface Received {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  /** Encoded, with its `?`; empty without a query. */
  readonly query: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A request and its response. `normal` is the body that a healthy service sends. */
export interface Exchange {
  readonly request: Received;
  readonly response: ServerResponse;
  readonly socket: Socket;
  readonly normal: string;
}

/** Responds to one request, or fails. */
export type Fault = (exchange: Exchange) => void;

/** A server on loopback that applies faults and records requests. */
export type FaultServer = Awaited<ReturnType<typeof startFaultServer>>;

/** Sends the healthy response. */
export const healthy: Fault = ({ response, normal }) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(normal);
};

const trailingIdentifier = /\/(?:[a-z]+_)*[A-Za-z0-9]{22}$/;

/** Returns the response of a healthy service; "resource not found" if the request is of no operation. */
function normalResponse(request: { readonly method: string; readonly path: string }): string {
  const path = request.path.replace(trailingIdentifier, '/{identifier}');
  const row = rows.find(each => each.method === request.method && each.path === path);
  return row ? responseText(row) : errorBody('resource not found');
}

export async function startFaultServer() {
  const received: Received[] = [];
  const queue: Fault[] = [];
  let fallback: Fault = healthy;
  let open = 0;

  const server = createServer(async (incoming, response) => {
    const { method = '', url = '/' } = incoming;
    const headers = new Headers(incoming.headers as Record<string, string>);
    const body = await text(incoming).catch(() => undefined);
    // The client has closed the connection.
    if (body === undefined) return;
    const { origin, pathname: path, search: query } = new URL(url, `http://${headers.get('host')}`);
    const request = { method, origin, path, query, headers, body };
    received.push(request);
    open += 1;
    response.on('close', () => {
      open -= 1;
    });
    const fault = queue.shift() ?? fallback;
    fault({ request, response, socket: incoming.socket, normal: normalResponse(request) });
  });
  server.keepAliveTimeout = 60_000;

  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    /** Every complete request, in order. */
    received,
    /** Sets the faults of the next requests, in order. Later requests get the fault of `otherwise`. */
    next: (...faults: readonly Fault[]) => void queue.push(...faults),
    /** Sets the fault of all other requests: a healthy response by default. */
    otherwise(fault: Fault): void {
      fallback = fault;
    },
    /** Number of requests whose responses have not ended and were not cancelled by the client. */
    open: () => open,
    /** Number of open connections. */
    connections: () => new Promise<number>(done => server.getConnections((_, count) => done(count ?? 0))),
    close: () =>
      new Promise<void>(done => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** A port on which nothing listens: no service has it, it is never chosen as a free port, and `fetch` allows it. */
export const closedPort = 'http://127.0.0.1:8';

/** A host that no name server knows: `.invalid` is reserved for this (RFC 2606). */
export const unresolvedName = 'https://nothing.invalid';
