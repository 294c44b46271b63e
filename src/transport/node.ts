/**
 * The transport of Node. It sends a request through the dispatcher of undici that Node's own `fetch` uses: the layer below
 * `fetch`. This is the only file that knows undici.
 *
 * Why not `fetch`: a call through the dispatcher takes half the processor time of one through `fetch`. It can also do what `fetch`
 * cannot:
 *
 * - It reports when the first byte of a request is written. A call that ends before that is `not-sent`.
 * - It sends a write once. If undici or its `RetryAgent` asks for the body a second time, the request fails.
 * - It reports an empty success over HTTP/2 whose stream may have been reset as cut off. `fetch` reports a success.
 *
 * It is not used if the option `fetch` is given, if something has replaced `globalThis.fetch`, while undici's `MockAgent` is
 * active, or on Bun and Deno. `fetch.ts` sends then.
 *
 * If a new Node or undici moves the dispatcher, `findDispatcher` finds none, and every call goes through `fetch`: calls work, but
 * cost more. Then add the new place to `placeOfDispatcher`. If undici renames the functions that a dispatcher calls, every call
 * fails. Then add the new names to `withNewNames`. `test/client/node-transport.test.ts` finds both; `npm run test:all -- nodes`
 * runs it on each supported Node.
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

/** Sends by the own `fetch` of Bun and Deno, or of Node while it has no dispatcher; reads also by what replaced it. */
const byFetch = fetchTransport(globalFetch, (thrown, url, wasSent) =>
  isFetchReplaced() && !codeOf(thrown)
    ? new NetworkError({ cause: thrown })
    : nodeErrorOf(thrown, url, wasSent),
);

/** Sends by what a tool or a test environment put in place of Node's `fetch`. It may have sent a write before it fails. */
const byReplacedFetch = transportBy(globalFetch);

interface Dispatcher {
  dispatch(options: object, handler: object): boolean;
  /** `true` for undici's `MockAgent`, which compares bodies as text, and which `fetch` knows. */
  readonly isMockActive?: boolean;
}

let nodesFetch: unknown;

/** Where Node's own `fetch` keeps its dispatcher: undici 8 (Node 26) in another place than before. Both can be taken. */
const placeOfDispatcher = Symbol.for(
  `undici.globalDispatcher.${Number.parseInt(globalThis.process?.versions.undici ?? '', 10) >= 8 ? 2 : 1}`,
);

/** Returns what Node's own `fetch` sends through, unless a test or tracer has put another `fetch` in its place. */
function findDispatcher(): Dispatcher | undefined {
  const { fetch } = globalThis;
  if (typeof fetch !== 'function') return undefined;
  // Node sets its `fetch` once, before any code of the user runs, and exposes no reference: only the text tells.
  if (fetch !== nodesFetch) {
    const text = Function.prototype.toString.call(fetch);
    if (!text.includes("require('internal/deps/undici/undici')")) return undefined;
    nodesFetch = fetch;
  }
  const dispatcher = (globalThis as { readonly [key: symbol]: Dispatcher | undefined })[placeOfDispatcher];
  return dispatcher?.isMockActive ? undefined : dispatcher;
}

/** Returns `true` after {@link findDispatcher} if `fetch` is not the own one of Node, Bun or Deno. */
const isFetchReplaced = () =>
  globalThis.fetch !== nodesFetch && !('Bun' in globalThis) && !('Deno' in globalThis);

/** Sends through the dispatcher of Node's own `fetch`; by `fetch` without one, or if it is replaced. */
const nodeTransport: Transport = async (request, body, options) => {
  const { url, method, headers } = request;
  const isWrite = !readMethods.has(method);
  const dispatcher = findDispatcher();
  if (!dispatcher) {
    const send = isWrite && isFetchReplaced() ? byReplacedFetch : byFetch;
    return send(request, body, options);
  }
  const { origin } = new URL(url);
  // A write is sent from when undici reads its body, which it does in the step in which it writes the first byte. A request
  // without a body, which undici does not read over HTTP/2, is sent from when undici has a connection for it.
  let wasSent = false;
  const onSend = () => {
    if (!wasSent) options.onSend();
    wasSent = true;
  };
  const written = isWrite ? new SingleUseBody(onSend, body) : undefined;
  const dispatched = {
    origin,
    path: url.slice(origin.length),
    method,
    headers: {
      'accept-encoding': 'gzip, br',
      ...Object.fromEntries(headers),
      ...(written && { 'content-length': String(written.bytes.length) }),
    },
    body: written ?? body ?? null,
    // A dispatcher can follow redirects, and would take the key along. `fetch` asks for none in the same way.
    maxRedirections: 0,
    // ky keeps the time limits.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  try {
    const received = await new Promise<Received>((resolve, reject) => {
      const receiver = receiverOf({ ...options, onSend }, !body, resolve, reject);
      dispatcher.dispatch(dispatched, withNewNames(receiver));
    });
    return readReceived(method, received, options.maxBytes);
  } catch (error) {
    // A dispatcher that retries can fail to connect after the request was sent once.
    throw nodeErrorOf(error, url, wasSent);
  }
};

export { nodeTransport as transport };

/**
 * Body of a write, which can be read once. undici 8 sends a text again, unseen, when its HTTP/2 stream was reset: HAProxy
 * resets those that the service acted on. undici's `RetryAgent` sends any again that can be read twice.
 */
class SingleUseBody {
  readonly bytes: Buffer;
  readonly #onSend: () => void;
  #wasRead = false;

  constructor(onSend: () => void, text = '') {
    this.bytes = Buffer.from(text);
    this.#onSend = onSend;
  }

  *[Symbol.iterator](): Generator<Buffer> {
    if (this.#wasRead) throw new Error('sent before');
    this.#wasRead = true;
    this.#onSend();
    yield this.bytes;
  }
}

/**
 * Bytes of a response. Chunks are copied together, because each is an object that can be larger than its bytes: a body in
 * chunks of one byte would take a hundred times its size. A body that comes in one chunk, as most do, is not copied.
 */
class ReceivedBytes {
  length = 0;
  #buffer: Buffer = Buffer.alloc(0);

  /** Adds a chunk. The first is kept as it is, and must not be written to afterwards. */
  add(chunk: Buffer): void {
    const length = this.length + chunk.length;
    if (this.length === 0) this.#buffer = chunk;
    // Doubles the buffer, so that a byte is copied twice at most, on average.
    else if (length > this.#buffer.length) this.#buffer = Buffer.concat([this.all(), chunk], 2 * length);
    else this.#buffer.set(chunk, this.length);
    this.length = length;
  }

  all(): Buffer {
    return this.#buffer.subarray(0, this.length);
  }
}

/** Headers of a response by their names in lower case; several values of a name are an array. */
type ReceivedHeaders = Readonly<Record<string, string | readonly string[]>>;

/** Name or value of a header: text, or a `Buffer` of it. */
type HeaderText = { toString(encoding: 'latin1'): string };

/** Object that undici 7 and newer pass to a handler to control the request. */
interface Controller {
  abort(reason: unknown): void;
}

/** A response as it came. */
interface Received {
  readonly status: number;
  readonly headers: ReceivedHeaders;
  /** Body as it is encoded; `undefined` if it is too large. */
  readonly bytes: Uint8Array | undefined;
}

/** Returns the functions that the dispatcher calls as a response comes. */
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
  // Closes the connection, now or as soon as there is one. The listener is removed at the end, because the signal can outlive the
  // request and would keep its body in memory.
  const abort = () => close(signal.reason);
  const unlink = () => signal.removeEventListener('abort', abort);
  signal.addEventListener('abort', abort);
  // undici calls this when it has a connection, with TLS and through any proxy; the `RetryAgent` of undici 6 does so before.
  const onConnect = (abort: typeof close) => {
    close = abort;
    if (signal.aborted) abort(signal.reason);
    else if (isSentOnConnect) onSend();
  };
  const onHeaders = (code: number, record: () => ReceivedHeaders) => {
    onSend();
    // 100 and 103 precede the response itself.
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

/** Reads a response. Throws if its body is not encoded as it says. */
function readReceived(method: string, { status, headers, bytes }: Received, maxBytes: number): HttpResponse {
  const isCut = bytes?.length === 0 && method !== 'HEAD' && canBeCut(status, headers);
  const body = isCut ? unreadBody('cut off') : decode(bytes, headers, maxBytes);
  return { status, ...body, headers: lazyRecordHeaders(headers) };
}

const unreadBody = (unread: HttpResponse['unread']) => ({ text: '', unread });

/**
 * Returns `true` if an empty body may have been cut off: no header says that it is empty. This holds over HTTP/2 too, where
 * the end of the stream says so by itself: undici 8 reports a stream that was reset after its head, with whatever code, in
 * exactly the way in which it reports one that has ended. Only a session that is destroyed is an error.
 */
const canBeCut = (status: number, headers: ReceivedHeaders): boolean =>
  status < 300 && status !== 204 && !('content-length' in headers) && !('transfer-encoding' in headers);

/** Makes a handler for undici 6 (Node 22), and for undici 7 (Node 24) and 8 (Node 26), which call functions of other names. */
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

type Decode = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;

/** Functions of `node:zlib` by encoding: those that `accept-encoding` asks for. */
const decoders: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ['gzip', 'unzipSync'],
  ['br', 'brotliDecompressSync'],
]);

/** Decodes a body by its `content-encoding`. Throws if it is not encoded so. */
function decode(
  bytes: Uint8Array | undefined,
  headers: ReceivedHeaders,
  maxBytes: number,
): Pick<HttpResponse, 'text' | 'unread'> {
  if (!bytes) return unreadBody('too large');
  const encoding = [headers['content-encoding'] ?? 'identity'].flat().join().trim().toLowerCase();
  const decoder = decoders.get(encoding);
  if (encoding === 'identity' || bytes.length === 0) return { text: new TextDecoder().decode(bytes) };
  if (!decoder) return unreadBody(`encoded as ${encoding}`);
  const zlib = process.getBuiltinModule('node:zlib') as unknown as Readonly<Record<string, Decode>>;
  try {
    const decoded = zlib[decoder]?.(bytes, { maxOutputLength: maxBytes });
    return { text: new TextDecoder().decode(decoded) };
  } catch (error) {
    if (Object(error).code === 'ERR_BUFFER_TOO_LARGE') return unreadBody('too large');
    throw error;
  }
}
