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
  /** Major version of HTTP. */
  readonly httpVersionMajor?: number | undefined;
  /** `true` if all of the body has arrived from the network. */
  readonly complete?: boolean;
  /** `true` if something has already begun to read the body. */
  readonly readableDidRead?: boolean;
}

/** Body of a request, read only when something asks for it. */
export type BodyChunks = AsyncIterator<Uint8Array>;

/** Creates the request that a handler takes. Throws where the bytes that arrived are no readable request. */
export function toRequest(incoming: NodeRequest, chunks: BodyChunks): Request {
  const { method } = incoming;
  return new Request(addressOf(incoming), {
    // The handler responds alike to every other method, and `Request` refuses some of them.
    method: method === 'POST' || method === 'OPTIONS' ? method : 'GET',
    headers: headersOf(incoming),
    ...(method === 'POST' && { body: bodyOf(incoming, chunks), duplex: 'half' }),
  });
}

/** The scheme is a guess, as TLS may end before this server; only the host and the path are used. */
function addressOf({ headers, url = '/', originalUrl = url }: NodeRequest): URL {
  const host = String(headers.host ?? headers[':authority'] ?? 'localhost');
  if (!/^[\w.:[\]-]+$/.test(host)) throw new TypeError('The header Host names no host.');
  if (!originalUrl.startsWith('/')) throw new TypeError('The request target is no path.');
  return new URL(`http://${host}${originalUrl}`);
}

function headersOf(incoming: NodeRequest): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined && !name.startsWith(':')) headers.set(name, String(value));
  return headers;
}

/** Takes what a body parser left, but for the empty object that some leave without having read anything. */
function bodyOf({ body, readableDidRead = true }: NodeRequest, chunks: BodyChunks): BodyInit {
  if (body instanceof Uint8Array) return body as Uint8Array<ArrayBuffer>;
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? null);
  if (text === 'null' || (text === '{}' && !readableDidRead)) return streamOf(chunks);
  return text;
}

function streamOf(chunks: BodyChunks): ReadableStream<Uint8Array> {
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
