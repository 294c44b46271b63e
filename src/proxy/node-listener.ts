import { ignoreErrors } from '../core/ignore-errors.ts';
import { tagOf } from '../core/json.ts';
import type { Outcome } from '../error-details.ts';
import type { ProxyHandler } from './proxy-handler.ts';
import { isHost } from './read-call.ts';
import { rejection, toResponse } from './reply.ts';

/** Members of a request of `node:http`, `node:http2` or Express that the listener reads. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  /** HTTP method. */
  readonly method?: string | undefined;
  /** Path and query. */
  readonly url?: string | undefined;
  /** Path and query before a router removed the path that it is mounted at. */
  readonly originalUrl?: string | undefined;
  /** Header values by lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** JSON object that `express.json()`, or the parser of a framework, has already read from the body. */
  readonly body?: unknown;
  /** `true` if all of the body has arrived from the network. */
  readonly complete?: boolean;
  /** `true` if something has already begun to read the body. */
  readonly readableDidRead?: boolean;
}

/** Members of a response of `node:http`, `node:http2` or Express that the listener uses. */
export interface NodeResponse {
  /** Sends the status and the headers. */
  writeHead(status: number, headers: Record<string, string | string[]>): unknown;
  /** Sends a part of the body. */
  write(chunk: Uint8Array): unknown;
  /** Ends the response. */
  end(): unknown;
  /** Closes the connection. */
  destroy(): unknown;
  /** Stream of HTTP/2 that carries this response alone. */
  readonly stream?: { close(): unknown };
}

/** A request listener of `node:http` and `node:http2`, or a handler of Express. Never rejects; resolves when the response is sent. */
export type NodeListener = (incoming: NodeRequest, outgoing: NodeResponse) => Promise<void>;

/**
 * Mounts a handler on `node:http`, `node:http2` or Express: `createServer(toNodeListener(handler))`. The listener never
 * rejects: it responds 400 to a request that it cannot read, and 500 without details if `handler` throws.
 */
export function toNodeListener(handler: ProxyHandler): NodeListener {
  return async (incoming, outgoing) => {
    try {
      await writeTo(await respond(handler, incoming), incoming, outgoing);
    } catch {
      // The connection is gone, or something else has already responded.
      ignoreErrors(() => outgoing.destroy());
    }
  };
}

async function respond(handler: ProxyHandler, incoming: NodeRequest): Promise<Response> {
  let request: Request | undefined;
  try {
    request = toRequest(incoming);
    return await handler(request);
  } catch (error) {
    if (!request) return errorResponse(400, 'The request cannot be read.');
    console.error('email-marketing-client: the handler failed', error);
    return errorResponse(500, 'The server failed.', 'unknown');
  }
}

const errorResponse = (status: number, message: string, outcome?: Outcome) =>
  toResponse(rejection(status, message, outcome).reply);

/** Sends the response. If the body has not arrived in full, closes what it arrives on, which could stay open for ever. */
async function writeTo(response: Response, incoming: NodeRequest, outgoing: NodeResponse): Promise<void> {
  const body = new Uint8Array(await response.arrayBuffer());
  const cookies = response.headers.getSetCookie();
  const { stream } = outgoing;
  const isUnread = incoming.complete === false;
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    ...(cookies.length > 0 && { 'set-cookie': cookies }),
    ...(isUnread && !stream && { connection: 'close' }),
    ...(body.length > 0 && { 'content-length': String(body.length) }),
  });
  if (body.length > 0 && incoming.method !== 'HEAD') outgoing.write(body);
  outgoing.end();
  if (isUnread) stream?.close();
}

function toRequest(incoming: NodeRequest): Request {
  const { method, url = '/', originalUrl = url, body, readableDidRead } = incoming;
  const host = String(incoming.headers[':authority'] ?? incoming.headers.host ?? 'localhost');
  if (!isHost(host)) throw new TypeError('The header Host names no host.');
  if (!originalUrl.startsWith('/')) throw new TypeError('The request target is not a path.');
  const headers = new Headers();
  // HTTP/2 has the method, the path and the host among the headers, under names that begin with a colon.
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined && !name.startsWith(':')) headers.set(name, String(value));
  // Some parsers leave an empty object without having read anything.
  const isParsed = tagOf(body) === 'Object' && readableDidRead !== false;
  // The scheme is a guess, as TLS may end before this server; only the host and the path are used.
  const request = new Request(new URL(`http://${host}${originalUrl}`), {
    // The handler responds alike to every other method, and `Request` rejects some of them.
    method: method === 'POST' || method === 'OPTIONS' ? method : 'GET',
    headers,
    ...(method === 'POST' && { body: isParsed ? JSON.stringify(body) : streamOf(incoming), duplex: 'half' }),
  });
  // The handler sees a body that is being read by something else, as it was.
  if (!isParsed && readableDidRead) request.body?.getReader();
  return request;
}

/** Reads a body only when something asks for it. */
function streamOf(incoming: NodeRequest): ReadableStream<Uint8Array> {
  const chunks = incoming[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}
