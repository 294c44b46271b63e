import type { ProxyHandler } from './handler.ts';

/** What is used of Node's `IncomingMessage`, or of Express's request. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  /** HTTP method. */
  readonly method?: string | undefined;
  /** Path and query. */
  readonly url?: string | undefined;
  /** By their names in small letters. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** What a body parser such as `express.json()` has already read. */
  readonly body?: unknown;
}

/** What is used of Node's `ServerResponse`, or of Express's response. */
export interface NodeResponse {
  /** Begins the answer. */
  writeHead(status: number, headers: Record<string, string>): unknown;
  /** Ends it. */
  end(body: Uint8Array): unknown;
}

/** A request listener of `node:http`, or a handler of Express. */
export type NodeListener = (incoming: NodeRequest, outgoing: NodeResponse) => Promise<void>;

/** Mounts the handler on `node:http` or Express: `createServer(toNodeListener(handler))`. */
export function toNodeListener(handler: ProxyHandler): NodeListener {
  return async (incoming, outgoing) => {
    const response = await handler(toRequest(incoming));
    const body = new Uint8Array(await response.arrayBuffer());
    const headers = Object.fromEntries(response.headers);
    // What is left of a body that was turned down is not waited for.
    const close = response.status === 408 || response.status === 413 ? { connection: 'close' } : {};
    outgoing.writeHead(response.status, { ...headers, ...close, 'content-length': String(body.length) });
    outgoing.end(body);
  };
}

function toRequest(incoming: NodeRequest): Request {
  const { method = 'GET', url = '/', body } = incoming;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined && !name.startsWith(':')) headers.set(name, String(value));
  const address = `http://${headers.get('host') ?? 'localhost'}${url}`;
  const bodiless = method !== 'POST';
  return new Request(URL.canParse(address) ? address : 'http://localhost/', {
    // Others are answered alike, and some cannot be made a Request of.
    method: bodiless && method !== 'OPTIONS' ? 'GET' : method,
    headers,
    ...(!bodiless && { body: isRead(body) ? JSON.stringify(body) : stream(incoming), duplex: 'half' }),
  });
}

const isRead = (body: unknown) => body !== undefined && body !== null;

function stream(source: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
}
