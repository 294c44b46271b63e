/**
 * Transport of Node. It sends requests through the undici dispatcher that Node's `fetch` uses internally. This is the
 * only file that depends on undici.
 *
 * A call through the dispatcher takes half the processor time of one through `fetch`. It can also do what `fetch`
 * cannot:
 *
 * - It reports when the first byte of a request is written. A call that fails before that is `not-sent`.
 * - It sends a write only once. If undici or its `RetryAgent` asks for the body a second time, the request fails.
 * - It reports an empty success over HTTP/2 as cut off if its stream may have been reset. `fetch` reports a success.
 *
 * It is not used if the option `fetch` is given, if something has replaced `globalThis.fetch`, while undici's
 * `MockAgent` is active, or on Bun and Deno. `fetch.ts` is used then.
 *
 * If a new Node or undici moves the dispatcher, `findDispatcher` finds none, and every call uses `fetch`, which works
 * but costs more. Then add the new place to `placeOfDispatcher`. If undici renames the functions that a dispatcher
 * calls, every call fails. Then add the new names to `withNewNames`. `test/client/node-transport.test.ts` finds both;
 * `npm run test:all -- nodes` runs it on each supported Node.
 */
import {
  fetchTransport,
  globalFetch,
  type HttpResponse,
  readMethods,
  type Transport,
  type TransportOptions,
  toHeaders,
  transportBy,
} from './fetch.ts';
import { codeOf, NetworkError } from './network-error.ts';
import { nodeErrorOf } from './node-error.ts';

/**
 * Sends through the built-in `fetch` of Bun and Deno, or of Node without a dispatcher. Reads also use a replaced
 * `fetch`.
 */
const byFetch = fetchTransport(globalFetch, (thrown, url, wasSent) =>
  isFetchReplaced() && !codeOf(thrown)
    ? new NetworkError({ cause: thrown })
    : nodeErrorOf(thrown, url, wasSent),
);

/** Sends through a tool's or test's replacement of Node's `fetch`. A write may have been sent before it fails. */
const byReplacedFetch = transportBy(globalFetch);

interface Dispatcher {
  dispatch(options: object, handler: object): boolean;
  /** `true` for undici's active `MockAgent`, which works only with `fetch`, because it compares bodies as text. */
  readonly isMockActive?: boolean;
}

let nodesFetch: unknown;

/** Global symbol of the dispatcher of Node's `fetch`. undici 8 (Node 26) uses another symbol than before. */
const placeOfDispatcher = Symbol.for(
  `undici.globalDispatcher.${Number.parseInt(globalThis.process?.versions.undici ?? '', 10) >= 8 ? 2 : 1}`,
);

/** Returns the dispatcher of Node's `fetch`; `undefined` if a test or tracer has replaced `fetch`. */
function findDispatcher(): Dispatcher | undefined {
  const { fetch } = globalThis;
  if (typeof fetch !== 'function') return undefined;
  // Node keeps no other reference to its `fetch`, so only its source text identifies it.
  if (fetch !== nodesFetch) {
    const text = Function.prototype.toString.call(fetch);
    if (!text.includes("require('internal/deps/undici/undici')")) return undefined;
    nodesFetch = fetch;
  }
  const dispatcher = (globalThis as { readonly [key: symbol]: Dispatcher | undefined })[placeOfDispatcher];
  return dispatcher?.isMockActive ? undefined : dispatcher;
}

/** Returns `true` if `fetch` is not the built-in one of Node, Bun or Deno. Call {@link findDispatcher} first. */
const isFetchReplaced = () =>
  globalThis.fetch !== nodesFetch && !('Bun' in globalThis) && !('Deno' in globalThis);

/** Sends through the dispatcher of Node's `fetch`, or through `fetch` if it was replaced or has none. */
const nodeTransport: Transport = async (request, body, options) => {
  const { url, method, headers } = request;
  const isWrite = !readMethods.has(method);
  const dispatcher = findDispatcher();
  if (!dispatcher) {
    const send = isWrite && isFetchReplaced() ? byReplacedFetch : byFetch;
    return send(request, body, options);
  }
  const { origin } = new URL(url);
  // A write counts as sent when undici reads its body, in the same step in which it writes the first byte. A request
  // without a body counts as sent when undici has a connection for it.
  let wasSent = false;
  const onSend = () => {
    if (!wasSent) options.onSend();
    wasSent = true;
  };
  const bytes = Buffer.from(body ?? '');
  const dispatched = {
    origin,
    path: url.slice(origin.length),
    method,
    headers: {
      'accept-encoding': 'gzip',
      ...Object.fromEntries(headers),
      ...(isWrite && { 'content-length': String(bytes.length) }),
    },
    body: isWrite ? singleUseBody(bytes, onSend) : (body ?? null),
    // A dispatcher that follows redirects would send the key to another host.
    maxRedirections: 0,
    // ky enforces the time limits.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  try {
    const undecoded = await new Promise<Received>((resolve, reject) => {
      const receiver = receiverOf({ ...options, onSend }, !body, resolve, reject);
      dispatcher.dispatch(dispatched, withNewNames(receiver));
    });
    return readReceived(method, undecoded, options.maxBytes);
  } catch (error) {
    // A dispatcher with retries can fail to connect after it has sent the request once.
    throw nodeErrorOf(error, url, wasSent);
  }
};

export { nodeTransport as transport };

/**
 * Returns the body of a write, which can be read only once. undici 8 silently resends a string after an HTTP/2 reset,
 * even if the service has acted on it. undici's `RetryAgent` resends any body that can be read twice.
 */
function singleUseBody(bytes: Buffer, onRead: () => void): Iterable<Buffer> {
  let wasRead = false;
  return {
    *[Symbol.iterator]() {
      if (wasRead) throw new Error('sent before');
      wasRead = true;
      onRead();
      yield bytes;
    },
  };
}

/**
 * Bytes of a response. Chunks are copied into one buffer, because a body in chunks of one byte would take a hundred
 * times its size as objects. A body in one chunk, as most are, is not copied.
 */
class ReceivedBytes {
  length = 0;
  #buffer: Buffer = Buffer.alloc(0);

  /** Adds a chunk. The first one is kept without copying, so it must not be changed later. */
  add(chunk: Buffer): void {
    const length = this.length + chunk.length;
    if (this.length === 0) this.#buffer = chunk;
    // Doubles the buffer, so that each byte is copied at most twice on average.
    else if (length > this.#buffer.length) this.#buffer = Buffer.concat([this.all(), chunk], 2 * length);
    else this.#buffer.set(chunk, this.length);
    this.length = length;
  }

  all(): Buffer {
    return this.#buffer.subarray(0, this.length);
  }
}

/** Headers of a response by lower-case name; several values of one name are an array. */
type ReceivedHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Name or value of a header, as a string or `Buffer`. */
type HeaderText = { toString(encoding: 'latin1'): string };

/** Object that undici 7 and newer pass to a handler to control the request. */
interface Controller {
  abort(reason: unknown): void;
}

/** Response before decoding. */
interface Received {
  readonly status: number;
  readonly headers: ReceivedHeaders;
  /** Encoded body; `undefined` if it is too large. */
  readonly bytes: Uint8Array | undefined;
}

/** Returns the functions that the dispatcher calls while it receives a response. */
function receiverOf(
  { signal, maxBytes, onSend, onHead }: TransportOptions,
  isSentOnConnect: boolean,
  resolve: (received: Received) => void,
  reject: (error: unknown) => void,
) {
  const body = new ReceivedBytes();
  let status = 0;
  let headers: ReceivedHeaders = {};
  let close = (_: unknown) => {};
  // Closes the connection, now or as soon as it is open. The listener is removed at the end: the signal can live longer
  // than the request, and would keep its body in memory.
  const abort = () => close(signal.reason);
  const unlink = () => signal.removeEventListener('abort', abort);
  signal.addEventListener('abort', abort);
  // undici calls this once it is connected, including TLS and any proxy. The `RetryAgent` of undici 6 calls it earlier.
  const onConnect = (closeConnection: typeof close) => {
    close = closeConnection;
    if (signal.aborted) close(signal.reason);
    else if (isSentOnConnect) onSend();
  };
  const onHeaders = (code: number, record: () => ReceivedHeaders) => {
    onSend();
    // 100 and 103 precede the actual response.
    if (code < 200) return true;
    status = code;
    headers = record();
    onHead();
    return true;
  };
  const onData = (chunk: Buffer) => {
    if (body.length + chunk.length <= maxBytes) body.add(chunk);
    else {
      resolve({ status, headers, bytes: undefined });
      close(new Error('too large'));
    }
    return true;
  };
  const onComplete = () => {
    unlink();
    resolve({ status, headers, bytes: body.all() });
  };
  const onError = (error: unknown) => {
    unlink();
    reject(error);
  };
  return { onConnect, onHeaders, onData, onComplete, onError };
}

/** Decodes a response. Throws if its body does not match its `content-encoding`. */
function readReceived(method: string, { status, headers, bytes }: Received, maxBytes: number): HttpResponse {
  const isCut = bytes?.length === 0 && method !== 'HEAD' && canBeCut(status, headers);
  const body = isCut ? unreadBody('cut off') : decode(bytes, headers, maxBytes);
  return { status, ...body, headers: lazyRecordHeaders(headers) };
}

const unreadBody = (unread: HttpResponse['unread']) => ({ text: '', unread });

/**
 * Returns `true` if an empty body may have been cut off, because no header states its length. HTTP/2 marks the end of a
 * stream, but undici 8 reports a stream that was reset after its head as if it had ended.
 */
const canBeCut = (status: number, headers: ReceivedHeaders): boolean =>
  status < 300 && status !== 204 && !('content-length' in headers) && !('transfer-encoding' in headers);

/**
 * Returns a handler for undici 6 (Node 22) that also has the new function names of undici 7 (Node 24) and 8 (Node 26).
 */
const withNewNames = (handler: ReturnType<typeof receiverOf>) => ({
  ...handler,
  onHeaders: (code: number, lines: readonly HeaderText[]) =>
    handler.onHeaders(code, () => recordOf(lines.map(text => text.toString('latin1')))),
  onRequestStart: (controller: Controller) => handler.onConnect(reason => controller.abort(reason)),
  onResponseStart: (_: Controller, code: number, headers: ReceivedHeaders) =>
    handler.onHeaders(code, () => headers),
  onResponseData: (_: Controller, chunk: Buffer) => handler.onData(chunk),
  onResponseEnd: handler.onComplete,
  onResponseError: (_: Controller, error: unknown) => handler.onError(error),
});

function recordOf(texts: readonly string[]): ReceivedHeaders {
  const record = new Map<string, string[]>();
  for (let index = 0; index + 1 < texts.length; index += 2) {
    const name = (texts[index] ?? '').toLowerCase();
    record.set(name, [...(record.get(name) ?? []), texts[index + 1] ?? '']);
  }
  return Object.fromEntries(record);
}

const lazyRecordHeaders = (record: ReceivedHeaders) => () =>
  toHeaders(
    Object.entries(record).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    ),
  );

/** Members of `node:zlib` that are used. */
interface Zlib {
  unzipSync(bytes: Uint8Array, options: { readonly maxOutputLength: number }): Uint8Array;
}

/** Decodes a body by its `content-encoding`. Throws if they do not match. */
function decode(
  bytes: Uint8Array | undefined,
  headers: ReceivedHeaders,
  maxBytes: number,
): Pick<HttpResponse, 'text' | 'unread'> {
  if (!bytes) return unreadBody('too large');
  const encoding = [headers['content-encoding'] ?? 'identity'].flat().join().trim().toLowerCase();
  if (encoding === 'identity' || bytes.length === 0) return { text: new TextDecoder().decode(bytes) };
  if (encoding !== 'gzip') return unreadBody(`encoded as ${encoding}`);
  const { unzipSync } = process.getBuiltinModule('node:zlib') as Zlib;
  try {
    const decoded = unzipSync(bytes, { maxOutputLength: maxBytes });
    return { text: new TextDecoder().decode(decoded) };
  } catch (error) {
    if (Object(error).code === 'ERR_BUFFER_TOO_LARGE') return unreadBody('too large');
    throw error;
  }
}
