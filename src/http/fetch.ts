import { toHeaders } from '../core/redactor.ts';
import { bodyTooLarge } from './failure.ts';
import { FetchMistake } from './response/fetch-mistake.ts';
import { callFetch } from './transport/call-fetch.ts';
import { BodyBuffer, isReadMethod, type RequestSender, withLimits } from './transport.ts';

/** Options of one request, as any `fetch` takes them. */
export interface FetchInit {
  /** HTTP method. */
  readonly method: string;
  /** Headers by lower-case name. */
  readonly headers: Record<string, string>;
  /**
   * Text of JSON. Runtimes that send a request again, unseen, get that text as a stream, or an empty buffer in place of
   * no body: read it with `await new Response(init.body).text()`. Absent in a GET.
   */
  readonly body?: string | ArrayBuffer | ReadableStream<Uint8Array>;
  /** Set with a stream as body, as the standard requires. */
  readonly duplex?: 'half';
  /**
   * `true` for small requests of the browser client, which outlive their page. `false` on Bun for PUT and DELETE, which Bun
   * sends again, unseen, if it reuses a connection.
   */
  readonly keepalive?: boolean;
  /** Aborts the request when its attempt times out or the caller aborts. */
  readonly signal: AbortSignal;
  /** Always `'manual'`: redirects are not followed. */
  readonly redirect: 'manual';
}

/** The part of a response that is used: one of the runtime, or of a package such as node-fetch. */
export interface FetchResponse {
  /** HTTP status. */
  readonly status: number;
  /** Headers of the response. */
  readonly headers: {
    /** Returns the value of a header, or `null`. */
    get(name: string): string | null;
    /** Calls a function with the value and name of each header. */
    forEach(callback: (value: string, name: string) => void): void;
  };
  /** Body as a web stream or a Node stream; anything else is read through `text`. */
  readonly body?: unknown;
  /** Reads the whole body as text. */
  text(): Promise<string>;
}

/**
 * A `fetch`, as far as it is used: of the runtime, of undici, cross-fetch or a mock. The type of node-fetch knows no
 * buffers as bodies: `(url, init) => nodeFetch(url, init as RequestInit)`, with the `RequestInit` that it exports.
 */
export type FetchFunction = (url: string, init: FetchInit) => Promise<FetchResponse>;

/**
 * Sends through a `fetch`. It is called with a URL and options, as one from a package knows nothing of the runtime's
 * own `Request`. `isGiven`: the user has passed it, so that not every error is one of the network.
 */
export const sendByFetch =
  (fetch: FetchFunction, isGiven = true): RequestSender =>
  (request, body, attempt) => {
    const { url, method, headers } = request;
    const send = async (signal: AbortSignal) => {
      const response = await callFetch(fetch, isGiven, url, {
        method,
        headers: Object.fromEntries(headers),
        signal,
        redirect: 'manual',
        ...bodyOf(method, body),
        ...('Bun' in globalThis && ['PUT', 'DELETE'].includes(method) && { keepalive: false }),
      });
      attempt.phase = 'body';
      const text = await readBody(response, attempt.maxBytes);
      const endKnownBy = response.body === null ? ('mock' as const) : ('fetch' as const);
      return { status: response.status, text, headers: () => copyHeaders(response), endKnownBy };
    };
    // The signal of the request aborts at the time limit only.
    return attempt.signal ? withLimits(attempt, send) : send(request.signal);
  };

/** Sends through the global `fetch`, looked up at each request, so that one replaced by a test or tracer is used. */
export const sendByGlobalFetch: RequestSender = /* @__PURE__ */ sendByFetch(
  (url, init) => globalThis.fetch(url, init),
  false,
);

/**
 * Returns a body that the runtime does not send again, unseen, if it must not. Deno's `fetch` does so when a reused
 * connection closes without a response, unless the body is a stream; other runtimes accept no stream here. undici's does
 * so over HTTP/2 when the stream is reset, if there is no body at all.
 */
function bodyOf(method: string, body: string | undefined): Pick<FetchInit, 'body' | 'duplex'> {
  if (isReadMethod(method)) return body === undefined ? {} : { body };
  if ('Deno' in globalThis) return { body: new Blob([body ?? '']).stream(), duplex: 'half' };
  return { body: body ?? new ArrayBuffer(0) };
}

/** Returns valid headers of this runtime: a `fetch` can have a class of its own, and Node's passes on lines without a name. */
function copyHeaders({ headers }: FetchResponse): Headers {
  const pairs: [string, string][] = [];
  headers.forEach((value, name) => {
    pairs.push([name, value]);
  });
  return toHeaders(pairs);
}

/** Reads the body of a response as text. Throws if it is larger than `maxBytes`. */
async function readBody(response: FetchResponse, maxBytes: number): Promise<string> {
  const { body, status } = response;
  const chunks = hasLengthWithin(response, maxBytes) ? undefined : chunksOf(body);
  if (!chunks) {
    const text = await response.text();
    // No character has more than three bytes a unit.
    if (3 * text.length > maxBytes && new Blob([text]).size > maxBytes) throw bodyTooLarge(status, maxBytes);
    return text;
  }
  const bytes = new BodyBuffer(maxBytes);
  for await (const chunk of chunks) bytes.add(chunk, status);
  return new TextDecoder().decode(bytes.bytes());
}

/** Returns `true` if HTTP ends a plain body at the length it states, which it does unless the body is chunked as well. */
function hasLengthWithin({ headers }: FetchResponse, maxBytes: number): boolean {
  try {
    const length = Number(headers.get('content-length'));
    const isPlain = !headers.get('content-encoding') && !headers.get('transfer-encoding');
    return isPlain && length > 0 && length <= maxBytes;
  } catch (error) {
    // SvelteKit's `fetch` allows only headers that it was told.
    throw new FetchMistake(error);
  }
}

/** Returns the chunks of a stream of the web or of Node; `undefined` if there is no stream. */
function chunksOf(body: unknown): AsyncIterable<Uint8Array> | undefined {
  const stream = Object(body);
  if ('getReader' in stream) return readerChunks(stream);
  return Symbol.asyncIterator in stream ? stream : undefined;
}

/** Reads by a reader, as not every browser can iterate over a stream. */
async function* readerChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) yield chunk.value;
  } finally {
    // Closes the connection of a body that is too large.
    reader.cancel().catch(() => {});
  }
}
