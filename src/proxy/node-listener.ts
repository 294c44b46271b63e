import { ignoreErrors } from '../core/ignore-errors.ts';
import type { Outcome } from '../errors.ts';
import type { ProxyHandler } from './proxy-handler.ts';
import { isHost } from './read-call.ts';
import { rejection, toResponse } from './reply.ts';

/** Members of Node's `IncomingMessage`, or of a request of Express, that the listener reads. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  /** HTTP method. */
  readonly method?: string | undefined;
  /** Path and query. */
  readonly url?: string | undefined;
  /** Path and query before a router removed the path that it is mounted at. */
  readonly originalUrl?: string | undefined;
  /** Header values by lower-case names. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Body that a parser such as `express.json()` or `express.raw()` has already read. */
  readonly body?: unknown;
  /** `true` if all of the body has arrived from the network. */
  readonly complete?: boolean;
  /** `true` if something has already begun to read the body. */
  readonly readableDidRead?: boolean;
}

/** Members of Node's `ServerResponse`, or of a response of Express, that the listener uses. */
export interface NodeResponse {
  /** Sends the status and the headers. */
  writeHead(status: number, headers: Record<string, string | string[]>): unknown;
  /** Sends a part of the body. */
  write(chunk: Uint8Array): unknown;
  /** Ends the response. */
  end(): unknown;
  /** Closes the connection. */
  destroy(): unknown;
}

/** A request listener of `node:http`, or a handler of Express. Never rejects; resolves when the response is sent. */
export type NodeListener = (incoming: NodeRequest, outgoing: NodeResponse) => Promise<void>;

/**
 * Mounts a handler on `node:http` or Express: `createServer(toNodeListener(handler))`. The listener never rejects: it
 * responds 400 to a request that it cannot read, and 500 without details if `handler` throws.
 */
export function toNodeListener(handler: ProxyHandler): NodeListener {
  return async (incoming, outgoing) => {
    try {
      await send(await respond(handler, incoming), incoming, outgoing);
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
    if (!request) return failed(400, 'The request cannot be read.');
    console.error('email-marketing-client: the proxy failed', error);
    return failed(500, 'The server failed.', 'unknown');
  }
}

const failed = (status: number, message: string, outcome?: Outcome) =>
  toResponse(rejection(status, message, outcome).reply);

/** Sends the response. Closes the connection of a body that has not arrived in full: it could stay open for ever. */
async function send(response: Response, incoming: NodeRequest, outgoing: NodeResponse): Promise<void> {
  const body = new Uint8Array(await response.arrayBuffer());
  const cookies = response.headers.getSetCookie();
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    ...(cookies.length > 0 && { 'set-cookie': cookies }),
    ...(incoming.complete === false && { connection: 'close' }),
    ...(body.length > 0 && { 'content-length': String(body.length) }),
  });
  if (body.length > 0 && incoming.method !== 'HEAD') outgoing.write(body);
  outgoing.end();
}

function toRequest(incoming: NodeRequest): Request {
  const { method, url = '/', originalUrl = url } = incoming;
  const host = String(incoming.headers.host ?? 'localhost');
  if (!isHost(host)) throw new TypeError('The header Host names no host.');
  if (!originalUrl.startsWith('/')) throw new TypeError('The request target is not a path.');
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined) headers.set(name, String(value));
  // The scheme is a guess, as TLS may end before this server; only the host and the path are used.
  const request = new Request(new URL(`http://${host}${originalUrl}`), {
    // The handler responds alike to every other method, and `Request` rejects some of them.
    method: method === 'POST' || method === 'OPTIONS' ? method : 'GET',
    headers,
    ...(method === 'POST' && { body: bodyOf(incoming), duplex: 'half' }),
  });
  // The handler sees a body that is being read by something else, as it was.
  if ((incoming.body ?? undefined) === undefined && incoming.readableDidRead) request.body?.getReader();
  return request;
}

/** Takes what a body parser left, except the empty object that some leave without having read anything. */
function bodyOf(incoming: NodeRequest): BodyInit {
  const { body, readableDidRead = true } = incoming;
  if (body instanceof Uint8Array) return body as Uint8Array<ArrayBuffer>;
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? null);
  return text === 'null' || (text === '{}' && !readableDidRead) ? streamOf(incoming) : text;
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
