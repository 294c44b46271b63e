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
  /** Path and query, including the path where a router is mounted. */
  readonly originalUrl?: string | undefined;
  /** Header values by lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** JSON object that a parser, such as `express.json()`, has already read from the body. */
  readonly body?: unknown;
  /** `true` if all of the body has arrived from the network. */
  readonly complete?: boolean;
  /** `true` if other code has begun to read the body. */
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
  /** HTTP/2 stream of this response. */
  readonly stream?: { close(): unknown };
}

/**
 * Request listener for `node:http` and `node:http2`, and handler for Express. Resolves when the response is sent; never
 * rejects.
 */
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
      // The connection is closed, or other code has already responded.
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

/**
 * Sends the response. If the request body is incomplete, closes its connection or stream, which could stay open
 * forever.
 */
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
  if (!isHost(host)) throw new TypeError('The header Host is invalid.');
  if (!originalUrl.startsWith('/')) throw new TypeError('The request target is not a path.');
  const headers = new Headers();
  // Names that begin with a colon are pseudo-headers of HTTP/2.
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined && !name.startsWith(':')) headers.set(name, String(value));
  // Some parsers set an empty object without reading the body.
  const isParsed = tagOf(body) === 'Object' && readableDidRead !== false;
  // The scheme is a guess, because TLS may end before this server. Only host and path are used.
  const request = new Request(new URL(`http://${host}${originalUrl}`), {
    // Other methods get the same response as GET, and `Request` rejects some of them.
    method: method === 'POST' || method === 'OPTIONS' ? method : 'GET',
    headers,
    ...(method === 'POST' && { body: isParsed ? JSON.stringify(body) : streamOf(incoming), duplex: 'half' }),
  });
  // Marks the body as in use if other code reads it.
  if (!isParsed && readableDidRead) request.body?.getReader();
  return request;
}

/** Returns a stream that reads the body on demand. */
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
