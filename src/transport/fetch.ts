import { codeOf, NetworkError } from './network-error.ts';

/** Options of one request, as any `fetch` takes them. */
export interface FetchInit {
  /** HTTP method. */
  readonly method: string;
  /** Headers by lower-case name. */
  readonly headers: Record<string, string>;
  /**
   * JSON text, as a stream or buffer on runtimes that would silently send a string twice; absent in a GET. Read it with
   * `await new Response(init.body).text()`.
   */
  readonly body?: string | ArrayBuffer | (ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>);
  /** Set if the body is a stream, as the standard requires. */
  readonly duplex?: 'half';
  /** `true` for small requests of the browser client, so that they complete even if the visitor navigates away. */
  readonly keepalive?: boolean;
  /** Aborts the request when its attempt times out or the caller aborts. */
  readonly signal: AbortSignal;
  /** Always `'manual'`: redirects are not followed. */
  readonly redirect: 'manual';
}

/** Members of a response that are used. Responses of packages such as node-fetch have them too. */
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
 * A `fetch` of the runtime, undici, cross-fetch or a mock. For node-fetch, whose type rejects buffers as bodies, pass
 * `(url, init) => nodeFetch(url, init as RequestInit)` with the `RequestInit` that it exports.
 */
export type FetchFunction = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** A response that was read to its end. */
export interface HttpResponse {
  readonly status: number;
  /** Body; empty if it was not read completely. */
  readonly text: string;
  /** Why the body was not read: too large, cut off, or in an unsupported encoding. */
  readonly unread?: 'too large' | 'cut off' | `encoded as ${string}` | undefined;
  /** Returns the headers. A function, because most calls never read them. */
  readonly headers: () => Headers;
}

/** Limits of a request, and functions that report its progress. */
export interface TransportOptions {
  /** Ends the request. Time limits use it too. */
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  /** Called once, before the first byte of the request is written. */
  readonly onSend: () => void;
  /** Called when the head of the response has arrived. */
  readonly onHead: () => void;
}

/**
 * Sends a request and reads the response to its end, without following redirects. The body is a separate argument,
 * because Firefox has no `Request.body`. Rejects with a {@link NetworkError}, or with the reason of the signal.
 */
export type Transport = (
  request: Request,
  body: string | undefined,
  options: TransportOptions,
) => Promise<HttpResponse>;

/**
 * Methods that only read. Other requests must not be resent silently by the runtime, as undici does after an HTTP/2
 * reset and Deno after a closed connection: a 429 for the second would hide that the first may have taken effect.
 */
export const readMethods: ReadonlySet<string> = /* @__PURE__ */ new Set(['GET', 'HEAD']);

/** Sends through a user's `fetch`. It gets a URL, because other implementations reject the runtime's `Request`. */
export const transportBy = (fetch: FetchFunction): Transport =>
  fetchTransport(fetch, (cause, _, wasSent) => new NetworkError({ code: codeOf(cause), wasSent, cause }));

/** Calls the global `fetch`, looked up at each request, so that a replacement by a test or tracer is used. */
export const globalFetch: FetchFunction = (url, init) => globalThis.fetch(url, init);

/** Sends through the global `fetch` of a browser or edge worker, which reports no details of network failures. */
const globalTransport: Transport = /* @__PURE__ */ fetchTransport(globalFetch, () => new NetworkError({}));

export { globalTransport as transport };

/** Creates a transport that uses a `fetch`. `errorOf` converts what it throws to a `NetworkError`. */
export function fetchTransport(
  fetch: FetchFunction,
  errorOf: (thrown: unknown, url: string, wasSent: boolean | undefined) => NetworkError,
): Transport {
  return async ({ url, method, headers }, body, { signal, maxBytes, onSend, onHead }) => {
    // Bun reads a stream after it has written the head. Other runtimes read it before they connect, or accept no
    // stream: there, only an error code can prove that nothing was sent.
    const isStream = 'Bun' in globalThis && !readMethods.has(method);
    const isObserved = isStream && Boolean(body);
    let wasSent = isObserved ? false : undefined;
    const onRead = () => {
      if (wasSent === false) onSend();
      wasSent = true;
    };
    if (!isObserved) onSend();
    try {
      const response = await fetch(url, {
        method,
        headers: Object.fromEntries(headers),
        signal,
        redirect: 'manual',
        ...(isStream ? streamedBody(headers, body, onRead) : bodyOf(method, body)),
      });
      onRead();
      onHead();
      const text = await readBodyText(response, maxBytes);
      const read = text === undefined ? ({ text: '', unread: 'too large' } as const) : { text };
      return { status: response.status, ...read, headers: lazyHeaders(response.headers) };
    } catch (error) {
      throw errorOf(error, url, wasSent);
    }
  };
}

/**
 * Returns a body that reports when it is read, and a header with its length. If a reused connection closes, Bun
 * silently resends a PUT or DELETE, unless its body is a stream.
 */
function streamedBody(
  headers: Headers,
  text: string | undefined,
  onRead: () => void,
): Pick<FetchInit, 'headers' | 'body' | 'duplex'> {
  const bytes = new TextEncoder().encode(text);
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    onRead();
    if (bytes.length > 0) controller.enqueue(bytes);
    controller.close();
  };
  return {
    headers: { ...Object.fromEntries(headers), 'content-length': String(bytes.length) },
    body: new ReadableStream({ pull }, { highWaterMark: 0 }),
    duplex: 'half',
  };
}

/**
 * Returns a body that the runtime does not silently resend. Deno resends when a reused connection closes, unless the
 * body is a stream; other runtimes accept no stream here. undici resends after an HTTP/2 reset if there is no body.
 */
function bodyOf(method: string, body: string | undefined): Pick<FetchInit, 'body' | 'duplex'> {
  if (readMethods.has(method)) return body === undefined ? {} : { body };
  if ('Deno' in globalThis) return { body: new Blob([body ?? '']).stream(), duplex: 'half' };
  return { body: body ?? new ArrayBuffer(0) };
}

/** Converts headers, when they are read, to the runtime's class: a user's `fetch` can have its own. */
export const lazyHeaders = (headers: FetchResponse['headers']) => () => {
  const pairs: [string, string][] = [];
  headers.forEach((value, name) => {
    pairs.push([name, value]);
  });
  return toHeaders(pairs);
};

/** Creates the headers of a response, without invalid ones, which HTTP parsers accept. */
export function toHeaders(pairs: readonly [name: string, value: string][]): Headers {
  const headers = new Headers();
  for (const [name, value] of pairs)
    try {
      headers.append(name, value);
    } catch {}
  return headers;
}

/** Reads the body of a response. Returns `undefined` if it is larger than `maxBytes`. */
async function readBodyText(response: FetchResponse, maxBytes: number): Promise<string | undefined> {
  const { body } = response;
  if (!('getReader' in Object(body))) {
    const text = await response.text();
    return new Blob([text]).size > maxBytes ? undefined : text;
  }
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      length += chunk.value.length;
      if (length > maxBytes) return undefined;
      text += decoder.decode(chunk.value, { stream: true });
    }
  } finally {
    // Closes the connection of a body that is too large.
    reader.cancel().catch(() => {});
  }
  return text + decoder.decode();
}
