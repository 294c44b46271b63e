import { onAbort } from '../core/timers.ts';
import { EmailMarketingError } from '../errors.ts';
import type { Call } from './call.ts';
import {
  BodyBuffer,
  bodyTooLarge,
  type HttpResponse,
  isReadMethod,
  type Send,
  sendByGlobalFetch,
} from './fetch.ts';

export { networkError } from './network-error.ts';

/** The part of undici's `Dispatcher` that is used. */
interface Dispatcher {
  dispatch(options: object, handler: DispatchHandler): boolean;
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
export const send: Send = async (request, body, call) => {
  const dispatcher = findDispatcher();
  if (!dispatcher) return sendByGlobalFetch(request, body, call);
  const { url, method, headers } = request;
  const handler = new DispatchHandler(call);
  const { origin } = new URL(url);
  // undici 8 sends a text again, unseen, when its HTTP/2 stream was reset: HAProxy resets those that the service acted on.
  const singleUse = isReadMethod(method) ? undefined : new SingleUseBody(body);
  const options = {
    origin,
    path: url.slice(origin.length),
    method,
    headers: {
      'accept-encoding': 'gzip, br',
      ...Object.fromEntries(headers),
      ...(singleUse && { 'content-length': String(singleUse.bytes.length) }),
    },
    body: singleUse ?? body ?? null,
    // A dispatcher can follow redirects, and would take the key along. `fetch` asks for none in the same way.
    maxRedirections: 0,
    // ky keeps the time limits.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  // The caller's signal, and that of the request, by which ky ends it when its time is over.
  const unlink = [call.options.signal, request.signal].map(signal =>
    onAbort(signal, () => handler.stop(signal?.reason)),
  );
  try {
    dispatcher.dispatch(options, handler);
    return await handler.response;
  } catch (error) {
    // A dispatcher that throws leaves a response that nobody awaits, and that an abort rejects.
    handler.response.catch(() => {});
    throw toFetchError(error, singleUse?.wasSent);
  } finally {
    // The caller's signal can outlive many calls, and Node keeps that of a `Request` until the next major garbage
    // collection: neither must keep the body too.
    for (const remove of unlink) remove();
  }
};

/** Body of a write, which can be read once: undici's `RetryAgent` would send it again, unseen. */
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

/** Returns the error as `fetch` has it. A dispatcher that retries can fail to connect after the request was sent once. */
const toFetchError = (cause: unknown, wasSent?: boolean): unknown =>
  cause instanceof EmailMarketingError
    ? cause
    : Object.assign(new TypeError('fetch failed', { cause }), { wasSent });

/** Name or value of a header: text, or a `Buffer` of it. */
type HeaderText = { toString(encoding: 'latin1'): string };

/** Object that undici 7 and newer pass to a handler to control the request. */
interface Controller {
  abort(reason: unknown): void;
}

/**
 * Reads the response of a dispatched request. undici 6 (Node 22) calls `onConnect` and its siblings, undici 7 (Node 24)
 * and 8 (Node 26) call `onRequestStart` and its siblings.
 */
class DispatchHandler {
  /** The response, once it was read to its end. */
  readonly response: Promise<HttpResponse>;
  readonly #call: Call;
  readonly #headers: [name: string, value: string][] = [];
  #resolve!: (response: HttpResponse) => void;
  #reject!: (reason: unknown) => void;
  #abort: ((reason: unknown) => void) | undefined;
  /** What `stop` was called with. */
  #stopped: { readonly reason: unknown } | undefined;
  #status = 0;
  readonly #body: BodyBuffer;

  constructor(call: Call) {
    this.#call = call;
    this.#body = new BodyBuffer(call);
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  onRequestStart(controller: Controller): void {
    this.onConnect(reason => controller.abort(reason));
  }

  onResponseStart(_controller: Controller, status: number, headers: Record<string, string | string[]>): void {
    const pairs = Object.entries(headers);
    this.onHeaders(
      status,
      pairs.flatMap(([name, values]) => [values].flat().flatMap(value => [name, value])),
    );
  }

  onResponseData(_controller: Controller, chunk: Uint8Array): void {
    this.onData(chunk);
  }

  onResponseEnd(): void {
    this.onComplete();
  }

  onResponseError(_controller: Controller, error: unknown): void {
    this.onError(error);
  }

  onConnect(abort: (reason: unknown) => void): void {
    this.#abort = abort;
    // A request that was stopped before is not sent.
    if (this.#stopped) abort(this.#stopped.reason);
  }

  onHeaders(status: number, raw: readonly HeaderText[]): boolean {
    // 100 and 103 precede the response itself.
    if (status < 200) return true;
    this.#status = status;
    this.#call.receiveHead();
    const texts = raw.map(text => text.toString('latin1'));
    for (let index = 0; index + 1 < texts.length; index += 2)
      this.#headers.push([texts[index] ?? '', texts[index + 1] ?? '']);
    return true;
  }

  onData(chunk: Uint8Array): boolean {
    try {
      this.#body.add(chunk, this.#status);
    } catch (error) {
      this.stop(error);
    }
    return true;
  }

  onComplete(): void {
    const maxBytes = this.#call.settings.maxResponseBytes;
    try {
      const body = decode(this.#body.bytes(), this.#headers, maxBytes);
      const text = new TextDecoder().decode(body);
      this.#resolve({ status: this.#status, text, headers: () => new Headers(this.#headers) });
    } catch (error) {
      const isTooLarge = Object(error).code === 'ERR_BUFFER_TOO_LARGE';
      this.#reject(isTooLarge ? bodyTooLarge(this.#call, this.#status) : error);
    }
  }

  onError(error: unknown): void {
    this.#reject(error);
  }

  /** Rejects at once and closes the connection, now or as soon as there is one. */
  stop(reason: unknown): void {
    this.#stopped = { reason };
    this.#reject(reason);
    this.#abort?.(reason);
  }
}

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
