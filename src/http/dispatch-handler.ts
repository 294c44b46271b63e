import { toHeaders } from '../core/redactor.ts';
import { bodyTooLarge } from './failure.ts';
import { type AttemptContext, BodyBuffer, type HttpResponse } from './transport.ts';

/** The part of undici's `Dispatcher` that is used. */
export interface Dispatcher {
  dispatch(options: object, handler: DispatchHandler): boolean;
  /** `true` for undici's `MockAgent`, which compares bodies as text. */
  readonly isMockActive?: boolean;
}

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
  readonly #attempt: AttemptContext;
  readonly #body: BodyBuffer;
  #endKnownBy: HttpResponse['endKnownBy'];
  readonly #headers: [name: string, value: string][] = [];
  #resolve!: (response: HttpResponse) => void;
  #reject!: (reason: unknown) => void;
  #abort: ((reason: unknown) => void) | undefined;
  /** What `stop` was called with. */
  #stopped: { readonly reason: unknown } | undefined;
  #status = 0;

  /** `isMock`: the response is made by a test, and does not come from the network. */
  constructor(attempt: AttemptContext, isMock = false) {
    this.#attempt = attempt;
    // A mock can report a connection that breaks without having begun to send.
    attempt.maySend = isMock;
    this.#endKnownBy = isMock ? 'mock' : undefined;
    this.#body = new BodyBuffer(attempt.maxBytes);
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
    else this.#attempt.maySend = true;
  }

  onHeaders(status: number, raw: readonly HeaderText[]): boolean {
    // 100 and 103 precede the response itself.
    if (status < 200) return true;
    this.#status = status;
    this.#attempt.phase = 'body';
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
    const { maxBytes } = this.#attempt;
    try {
      const body = decode(this.#body.bytes(), this.#headers, maxBytes);
      const text = new TextDecoder().decode(body);
      const headers = () => toHeaders(this.#headers);
      this.#resolve({ status: this.#status, text, headers, endKnownBy: this.#endKnownBy });
    } catch (error) {
      const { code } = error as { readonly code?: unknown };
      this.#reject(code === 'ERR_BUFFER_TOO_LARGE' ? bodyTooLarge(this.#status, maxBytes) : error);
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
