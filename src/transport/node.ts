import { BodyTooLarge, type HttpResponse } from '../call/attempt.ts';
import { type Limits, readMethods, type Send, sendByGlobalFetch, toHeaders } from './fetch.ts';

export { networkFailure } from './network-error.ts';

/** The part of undici's `Dispatcher` that is used. */
interface Dispatcher {
  dispatch(options: object, handler: object): boolean;
  /** `true` for undici's `MockAgent`, which compares bodies as text, and which `fetch` knows. */
  readonly isMockActive?: boolean;
}

/** Node's own `fetch`, once it was recognized. */
let nodesFetch: unknown;

/**
 * Where Node's own `fetch` keeps its dispatcher, by the undici that it is made of: 8 (Node 26), or an older one. Both
 * places can be taken, and what a program has set is in the one that `fetch` uses.
 */
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

/**
 * Sends through the dispatcher of Node's own `fetch`, at less than half its cost: over the same connections, proxies
 * and certificates, without the streams and copies of `fetch`. Falls back to `fetch` if there is no dispatcher, and while
 * the global `fetch` is replaced.
 */
export const send: Send = (request, body, limits) => {
  const dispatcher = findDispatcher();
  if (!dispatcher) return sendByGlobalFetch(request, body, limits);
  const { url, method, headers } = request;
  const { origin } = new URL(url);
  const written = readMethods.has(method) ? undefined : new SingleUseBody(body);
  const options = {
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
  // As `fetch` has it. A dispatcher that retries can fail to connect after the request was sent once.
  const failed = (cause: unknown) =>
    Object.assign(new TypeError('fetch failed', { cause }), { wasSent: written?.wasSent });
  return new Promise((resolve, reject) => {
    const handler = withNewNames(readerOf(limits, resolve, reject, failed));
    try {
      dispatcher.dispatch(options, handler);
    } catch (error) {
      handler.onError(error);
    }
  });
};

/**
 * Body of a write, which can be read once. undici 8 sends a text again, unseen, when its HTTP/2 stream was reset: HAProxy
 * resets those that the service acted on. undici's `RetryAgent` sends any again that can be read twice.
 */
class SingleUseBody {
  wasSent = false;
  readonly bytes: Buffer;

  constructor(text = '') {
    this.bytes = Buffer.from(text);
  }

  *[Symbol.iterator](): Generator<Buffer> {
    if (this.wasSent) throw new Error('sent before');
    this.wasSent = true;
    yield this.bytes;
  }
}

/** Name or value of a header: text, or a `Buffer` of it. */
type HeaderText = { toString(encoding: 'latin1'): string };

/** Object that undici 7 and newer pass to a handler to control the request. */
interface Controller {
  abort(reason: unknown): void;
}

/** Returns a handler of undici that reads a response. */
function readerOf(
  { signal, maxBytes, onHead }: Limits,
  resolve: (response: HttpResponse) => void,
  reject: (reason: unknown) => void,
  failed: (cause: unknown) => unknown,
) {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const headers: [name: string, value: string][] = [];
  let status = 0;
  let close = (_: unknown) => {};
  /** Rejects at once and closes the connection, now or as soon as there is one. */
  const stop = (reason: unknown) => {
    reject(reason);
    close(reason);
  };
  const onAbort = () => stop(signal.reason);
  signal.addEventListener('abort', onAbort);
  // The signal can outlive the request, and must not keep the body with it.
  const unlink = () => signal.removeEventListener('abort', onAbort);
  const onConnect = (abort: typeof close) => {
    close = abort;
    if (signal.aborted) abort(signal.reason);
  };
  const onHeaders = (code: number, lines: readonly HeaderText[]) => {
    // 100 and 103 precede the response itself.
    if (code < 200) return true;
    status = code;
    onHead();
    const texts = lines.map(text => text.toString('latin1'));
    for (let index = 0; index + 1 < texts.length; index += 2)
      headers.push([texts[index] ?? '', texts[index + 1] ?? '']);
    return true;
  };
  const onData = (chunk: Uint8Array) => {
    length += chunk.length;
    if (length > maxBytes) stop(new BodyTooLarge(status));
    else chunks.push(chunk);
    return true;
  };
  const onComplete = () => {
    unlink();
    try {
      const [first = new Uint8Array()] = chunks;
      // Most bodies come in one chunk, which needs no copy.
      const bytes = decode(length === first.length ? first : Buffer.concat(chunks), headers, maxBytes);
      const text = new TextDecoder().decode(bytes);
      resolve({ status, text, headers: () => toHeaders(headers) });
    } catch (error) {
      reject(Object(error).code === 'ERR_BUFFER_TOO_LARGE' ? new BodyTooLarge(status) : failed(error));
    }
  };
  const onError = (error: unknown) => {
    unlink();
    reject(failed(error));
  };
  return { onConnect, onHeaders, onData, onComplete, onError };
}

/** Adds to a handler of undici 6 (Node 22) what undici 7 (Node 24) and 8 (Node 26) call in place of it. */
const withNewNames = (handler: ReturnType<typeof readerOf>) => ({
  ...handler,
  onRequestStart: (controller: Controller) => handler.onConnect(reason => controller.abort(reason)),
  onResponseStart: (_: Controller, code: number, headers: Record<string, string | string[]>) =>
    handler.onHeaders(
      code,
      Object.entries(headers).flatMap(([name, values]) => [values].flat().flatMap(value => [name, value])),
    ),
  onResponseData: (_: Controller, chunk: Uint8Array) => handler.onData(chunk),
  onResponseEnd: handler.onComplete,
  onResponseError: (_: Controller, error: unknown) => handler.onError(error),
});

type Decode = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;

/** Functions of `node:zlib` by encoding: those that `accept-encoding` asks for. */
const decoders: Readonly<Record<string, string>> = { gzip: 'unzipSync', br: 'brotliDecompressSync' };

/** Decodes a body by its `content-encoding`. Any other encoding is left as it is. Throws if it holds more than `maxBytes`. */
function decode(bytes: Uint8Array, headers: readonly [string, string][], maxBytes: number): Uint8Array {
  const lines = headers.filter(([name]) => name.toLowerCase() === 'content-encoding');
  const decoder = decoders[lines.map(([, value]) => value.trim().toLowerCase()).join()];
  if (!decoder || bytes.length === 0) return bytes;
  const zlib = process.getBuiltinModule('node:zlib') as unknown as Readonly<Record<string, Decode>>;
  return zlib[decoder]?.(bytes, { maxOutputLength: maxBytes }) ?? bytes;
}
