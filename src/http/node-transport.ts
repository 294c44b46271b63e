import { toHeaders } from '../core/redactor.ts';
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
  /** `true` for undici's `MockAgent`, which compares bodies as text. */
  readonly isMockActive?: boolean;
}

/** Node's own `fetch`, once it was recognized. */
let nodesFetch: unknown;

/** Dispatchers that rejected the handler, as one of another version might. */
const rejecting = new WeakSet<Dispatcher>();

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
  return dispatcher && rejecting.has(dispatcher) ? undefined : dispatcher;
}

/**
 * Sends through the dispatcher of Node's own `fetch`, at less than half its cost: over the same connections, proxies
 * and certificates, without the streams and copies of `fetch`. Falls back to `fetch` if there is no dispatcher, while
 * the global `fetch` is replaced, and once its dispatcher rejected the handler before it sent anything.
 */
export const send: Send = async (request, body, call) => {
  const dispatcher = findDispatcher();
  if (!dispatcher) return sendByGlobalFetch(request, body, call);
  const { url, method, headers } = request;
  const isMock = dispatcher.isMockActive === true;
  const handler = new DispatchHandler(call, isMock);
  const { origin } = new URL(url);
  // undici 8 sends a text again, unseen, when its HTTP/2 stream was reset: HAProxy resets those that the service acted on.
  const singleUse = isReadMethod(method) || isMock ? undefined : new SingleUseBody(body, call);
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
  // A mock can report a connection that breaks without having begun to send.
  if (!isMock) call.waitForConnection();
  try {
    dispatcher.dispatch(options, handler);
    return await handler.response;
  } catch (error) {
    // A dispatcher that throws leaves a response that nobody awaits, and that an abort rejects.
    handler.response.catch(() => {});
    // undici has the same code for a 407 of a proxy, after the request was sent.
    const isRejected = Object(error).code === 'UND_ERR_INVALID_ARG';
    if (!isRejected || handler.hasStarted) throw toFetchError(error, singleUse?.wasSent);
    rejecting.add(dispatcher);
    call.startSending();
    return sendByGlobalFetch(request, body, call);
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

  readonly #call: Call;

  constructor(text: string | undefined, call: Call) {
    this.bytes = Buffer.from(text ?? '');
    this.#call = call;
  }

  *[Symbol.iterator](): Generator<Buffer> {
    if (this.wasSent) throw new Error('sent before');
    this.wasSent = true;
    // An interceptor can keep from the handler that sending has begun.
    this.#call.startSending();
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
  /** Names and values in turn; over HTTP/2 an object. */
  readonly rawHeaders?: readonly HeaderText[] | object | null;
}

/**
 * Reads the response of a dispatched request. undici 6 (Node 22) calls `onConnect` and its siblings, undici 7 (Node 24)
 * and 8 (Node 26) call `onRequestStart` and its siblings.
 */
export class DispatchHandler {
  /** The response, once it was read to its end. */
  readonly response: Promise<HttpResponse>;
  /** `true` once the dispatcher has begun to send the request. */
  hasStarted = false;
  readonly #call: Call;
  #endKnownBy: HttpResponse['endKnownBy'];
  readonly #headers: [name: string, value: string][] = [];
  #resolve!: (response: HttpResponse) => void;
  #reject!: (reason: unknown) => void;
  #abort: ((reason: unknown) => void) | undefined;
  /** What `stop` was called with. */
  #stopped: { readonly reason: unknown } | undefined;
  #status = 0;
  readonly #body: BodyBuffer;

  /** `isMock`: the response is made by a test, and does not come from the network. */
  constructor(call: Call, isMock: boolean) {
    this.#call = call;
    this.#endKnownBy = isMock ? 'mock' : undefined;
    this.#body = new BodyBuffer(call);
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  onRequestStart(controller: Controller): void {
    this.onConnect(reason => controller.abort(reason));
  }

  onResponseStart(controller: Controller, status: number, headers: Record<string, string | string[]>): void {
    const { rawHeaders } = controller;
    const isList = Array.isArray(rawHeaders);
    if (rawHeaders && !isList) this.#endKnownBy ??= 'HTTP/2';
    this.onHeaders(status, isList ? rawHeaders : namesAndValues(headers));
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
    this.hasStarted = true;
    this.#abort = abort;
    // A request that was stopped before is not sent.
    if (this.#stopped) abort(this.#stopped.reason);
    else this.#call.startSending();
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
      const headers = () => toHeaders(this.#headers);
      this.#resolve({ status: this.#status, text, headers, endKnownBy: this.#endKnownBy });
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

/** Returns the headers that undici 7 and newer parsed as names and values in turn. */
const namesAndValues = (headers: Record<string, string | string[]>): readonly string[] =>
  Object.entries(headers).flatMap(([name, values]) => [values].flat().flatMap(value => [name, value]));

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
