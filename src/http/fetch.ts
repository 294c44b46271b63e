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
  /** Body as a web stream; anything else is read through `text`. */
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

/** Returns headers of this runtime: a `fetch` can have a class of its own. */
function copyHeaders({ headers }: FetchResponse): Headers {
  const pairs: [string, string][] = [];
  headers.forEach((value, name) => {
    pairs.push([name, value]);
  });
  return new Headers(pairs);
}

/** Reads the body of a response as text, as a stream if it is one. Throws if it is larger than the call allows. */
async function readBody(response: FetchResponse, call: Call): Promise<string> {
  const { body, status } = response;
  const { maxResponseBytes: maxBytes } = call.settings;
  if (!('getReader' in Object(body))) {
    const text = await response.text();
    // No character has more than three bytes a unit.
    if (3 * text.length > maxBytes && new Blob([text]).size > maxBytes) throw bodyTooLarge(call, status);
    return text;
  }
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const read = new BodyBuffer(call);
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read())
      read.add(chunk.value, status);
  } finally {
    // Closes the connection of a body that is too large.
    reader.cancel().catch(() => {});
  }
  return new TextDecoder().decode(read.bytes());
}

/** Collects the chunks of a body. */
export class BodyBuffer {
  readonly #call: Call;
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Adds a chunk of the response with this status. The chunk must not change later. Throws if the body is too large. */
  add(chunk: Uint8Array, status: number): void {
    this.#length += chunk.length;
    if (this.#length > this.#call.settings.maxResponseBytes) throw bodyTooLarge(this.#call, status);
    this.#chunks.push(chunk);
  }

  bytes(): Uint8Array {
    // Most bodies come in one chunk, which needs no copy.
    const [first] = this.#chunks;
    if (first?.length === this.#length) return first;
    const bytes = new Uint8Array(this.#length);
    let offset = 0;
    for (const chunk of this.#chunks) {
      bytes.set(chunk, offset);
      offset += chunk.length;
    }
    return bytes;
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
