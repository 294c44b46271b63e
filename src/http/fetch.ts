import { toHeaders } from '../core/redactor.ts';
import type { EmailMarketingError } from '../errors.ts';
import type { Call } from './call.ts';
import { unusableResponse } from './failure.ts';

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

/** A response that was read to its end. */
export interface HttpResponse {
  readonly status: number;
  readonly text: string;
  /** Returns the headers: a function, because most calls never read them. */
  readonly headers: () => Headers;
}

/**
 * Sends the request of an attempt, and reads the response to its end, without following redirects. The body comes beside
 * the request, because Firefox has no `Request.body`. Leaves the time limits to its caller, who aborts `request.signal`;
 * rejects at once when the call's own signal aborts.
 */
export type Send = (request: Request, body: string | undefined, call: Call) => Promise<HttpResponse>;

/** What sends requests on a runtime: Node's dispatcher, or a `fetch`. */
export interface Transport {
  readonly send: Send;
  /** Turns what `send` rejected with into the error of the call, with this `cause` in place of the code alone. */
  readonly networkError: (call: Call, error: unknown, cause?: unknown) => EmailMarketingError;
}

/**
 * Returns `true` for a method that only reads. A runtime must not send any other request again by itself, as undici does
 * over HTTP/2 after a reset, and Deno after a connection closed. Even if a write is idempotent, a gateway can refuse the
 * second, which nobody has seen, with a 429: the call would not know that the first acted.
 */
export const isReadMethod = (method: string): boolean => method === 'GET' || method === 'HEAD';

/**
 * Sends by a `fetch`, called with a URL and options: one from a package knows nothing of the runtime's own `Request`.
 */
export const sendBy =
  (fetch: FetchFunction): Send =>
  ({ url, method, headers, signal }, body, call) => {
    const send = async (signal: AbortSignal): Promise<HttpResponse> => {
      const response = await fetch(url, {
        method,
        headers: Object.fromEntries(headers),
        signal,
        redirect: 'manual',
        ...bodyOf(method, body),
        ...('Bun' in globalThis && ['PUT', 'DELETE'].includes(method) && { keepalive: false }),
      });
      call.receiveHead();
      const text = await readBody(response, call);
      return { status: response.status, text, headers: () => copyHeaders(response) };
    };
    // The signal of the request aborts at the time limit only.
    return call.options.signal ? call.limited(send) : send(signal);
  };

/** Sends by the global `fetch`, looked up at each request, so that one replaced by a test or tracer is used. */
export const sendByGlobalFetch: Send = /* @__PURE__ */ sendBy((url, init) => globalThis.fetch(url, init));

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

/** Reads the body of a response as text. Throws if it is larger than the call allows. */
async function readBody(response: FetchResponse, call: Call): Promise<string> {
  const { body, status } = response;
  const { maxResponseBytes: maxBytes } = call.settings;
  const chunks = hasLengthWithin(response, maxBytes) ? undefined : chunksOf(body);
  if (chunks) {
    const buffer = new BodyBuffer(call);
    for await (const chunk of chunks) buffer.add(chunk, status);
    return new TextDecoder().decode(buffer.bytes());
  }
  const text = await response.text();
  // No character has more than three bytes a unit.
  if (3 * text?.length > maxBytes && new Blob([text]).size > maxBytes) throw bodyTooLarge(call, status);
  return text;
}

/** Returns `true` if HTTP ends a plain body at the length it states, which it does unless the body is chunked as well. */
function hasLengthWithin({ headers }: FetchResponse, maxBytes: number): boolean {
  const length = Number(headers.get('content-length'));
  const isPlain = !headers.get('content-encoding') && !headers.get('transfer-encoding');
  return isPlain && length > 0 && length <= maxBytes;
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

/** Joins the chunks of a body as they come, so that many small chunks take no more memory than one large chunk. */
export class BodyBuffer {
  readonly #call: Call;
  #buffer = new Uint8Array();
  #length = 0;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Adds a chunk of the response with this status. The chunk must not change later. Throws if the body is too large. */
  add(chunk: Uint8Array, status: number): void {
    const { maxResponseBytes: maxBytes } = this.#call.settings;
    const length = this.#length + chunk.length;
    if (length > maxBytes) throw bodyTooLarge(this.#call, status);
    // Most bodies come in one chunk, which needs no copy.
    if (this.#length === 0) this.#buffer = chunk as Uint8Array<ArrayBuffer>;
    else {
      if (length > this.#buffer.length) {
        const larger = new Uint8Array(Math.min(maxBytes, 2 * length));
        larger.set(this.bytes());
        this.#buffer = larger;
      }
      this.#buffer.set(chunk, this.#length);
    }
    this.#length = length;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#length);
  }
}

export function bodyTooLarge(call: Call, status: number): EmailMarketingError {
  const { maxResponseBytes } = call.settings;
  call.receiveStatus(status);
  return unusableResponse(
    call,
    'unknown',
    [{ path: '', expected: `at most ${maxResponseBytes} bytes (maxResponseBytes)`, received: 'more' }],
    'Raise the option maxResponseBytes, or ask for less at once.',
  );
}
