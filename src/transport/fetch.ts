import { codeOf, NetworkError } from './network-error.ts';

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
  readonly body?: string | ArrayBuffer | (ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>);
  /** Set with a stream as body, as the standard requires. */
  readonly duplex?: 'half';
  /** `true` for small requests of the browser client, which outlive their page. */
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
  /** Body; empty if it was not read. */
  readonly text: string;
  /** Why the body was not read: it is `too large`, it was `cut off`, or its encoding was not asked for. */
  readonly unread?: 'too large' | 'cut off' | `encoded as ${string}` | undefined;
  /** Returns the headers: a function, because most calls never read them. It keeps nothing else of the response. */
  readonly headers: () => Headers;
}

/** Limits of a request, and functions that report its progress. */
export interface TransportOptions {
  /** Ends the request. The caller keeps time limits by it. */
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  /** Is called once, before the first byte of the request is written: until then, nothing was sent. */
  readonly onSend: () => void;
  /** Is called when the head of the response has come. */
  readonly onHead: () => void;
}

/**
 * Sends a request, and reads the response to its end, without following redirects. The body comes beside the request,
 * because Firefox has no `Request.body`. Rejects with a {@link NetworkError}, or with the reason of the signal.
 */
export type Transport = (
  request: Request,
  body: string | undefined,
  options: TransportOptions,
) => Promise<HttpResponse>;

/**
 * Methods that only read. No runtime may send another again by itself, as undici does over HTTP/2 after a reset, and Deno
 * after a connection closed: a gateway can refuse the second, which nobody has seen, with a 429.
 */
export const readMethods: ReadonlySet<string> = /* @__PURE__ */ new Set(['GET', 'HEAD']);

/** Sends by a `fetch` of the user, which gets a URL: a package knows no `Request` of the runtime. */
export const transportBy = (fetch: FetchFunction): Transport =>
  fetchTransport(fetch, (cause, _, wasSent) => new NetworkError({ code: codeOf(cause), wasSent, cause }));

/** The global `fetch`, looked up at each request, so that one replaced by a test or tracer is used. */
export const globalFetch: FetchFunction = (url, init) => globalThis.fetch(url, init);

/** Sends by the global `fetch` of a browser or an edge worker, which tells nothing of the network. */
const globalTransport: Transport = /* @__PURE__ */ fetchTransport(globalFetch, () => new NetworkError({}));

export { globalTransport as transport };

/** Returns a transport that uses a `fetch`. `errorOf` makes a `NetworkError` of what that throws. */
export function fetchTransport(
  fetch: FetchFunction,
  errorOf: (thrown: unknown, url: string, wasSent: boolean | undefined) => NetworkError,
): Transport {
  return async ({ url, method, headers }, body, { signal, maxBytes, onSend, onHead }) => {
    // Bun reads a stream once it has written the head, which is all of a request without a body. Others read it before they
    // connect, or take no stream: then only the code of an error can say that nothing was sent.
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
 * Returns a body that reports when it is read, with the header that states its length. Bun sends a stream once, and any
 * other body of a PUT or DELETE again, unseen, if a reused connection closes.
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
 * Returns a body that the runtime does not send again, unseen, if it must not. Deno's `fetch` does so when a reused
 * connection closes without a response, unless the body is a stream; other runtimes accept no stream here. undici's does
 * so over HTTP/2 when the stream is reset, if there is no body at all.
 */
function bodyOf(method: string, body: string | undefined): Pick<FetchInit, 'body' | 'duplex'> {
  if (readMethods.has(method)) return body === undefined ? {} : { body };
  if ('Deno' in globalThis) return { body: new Blob([body ?? '']).stream(), duplex: 'half' };
  return { body: body ?? new ArrayBuffer(0) };
}

/** Returns headers of this runtime, when they are read: a `fetch` can have a class of its own. */
export const lazyHeaders = (headers: FetchResponse['headers']) => () => {
  const pairs: [string, string][] = [];
  headers.forEach((value, name) => {
    pairs.push([name, value]);
  });
  return toHeaders(pairs);
};

/** Returns the headers of a response, without invalid ones, which HTTP parsers let through. */
export function toHeaders(pairs: readonly [name: string, value: string][]): Headers {
  const headers = new Headers();
  for (const [name, value] of pairs)
    try {
      headers.append(name, value);
    } catch {}
  return headers;
}

/** Reads the body of a response, as a stream if it is one. Returns `undefined` if it is larger than `maxBytes`. */
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
