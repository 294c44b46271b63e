import { decodeBody } from './content-encoding.ts';
import { type AttemptContext, BodyTooLargeError, type HttpResponse, toHeaders } from './http-response.ts';
import { BodyBuffer } from './transport/body-buffer.ts';

/** The part of undici's `Dispatcher` that is used. */
export interface Dispatcher {
  dispatch(options: object, handler: DispatchHandler): boolean;
}

/** Name or value of a header: text, or a `Buffer` of it. */
type HeaderText = { toString(encoding: 'latin1'): string };

/** Object that undici 7 and newer pass to a handler to control the request. */
interface Controller {
  abort(reason: unknown): void;
  /** Names and values in turn. */
  readonly rawHeaders?: readonly HeaderText[] | null;
}

/**
 * Reads the response of a dispatched request. undici 6 (Node 22) calls `onConnect` and its siblings, undici 7 (Node 24)
 * and 8 (Node 26) call `onRequestStart` and its siblings.
 */
export class DispatchHandler {
  /** The response, once it was read to its end. */
  readonly response: Promise<HttpResponse>;
  readonly #context: AttemptContext;
  readonly #signal: AbortSignal;
  readonly #body: BodyBuffer;
  #resolve!: (response: HttpResponse) => void;
  #reject!: (reason: unknown) => void;
  readonly #headers: (readonly [name: string, value: string])[] = [];
  #encodings = '';
  #status = 0;
  #abort: ((reason: unknown) => void) | undefined;

  constructor(context: AttemptContext, signal: AbortSignal) {
    this.#context = context;
    this.#body = new BodyBuffer(context.maxBytes);
    this.#signal = signal;
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  onRequestStart(controller: Controller): void {
    this.onConnect(reason => controller.abort(reason));
  }

  onResponseStart(controller: Controller, status: number, headers: Record<string, string | string[]>): void {
    // Over HTTP/2 undici 8 passes the object of headers under this name too.
    const { rawHeaders } = controller;
    this.onHeaders(status, Array.isArray(rawHeaders) ? rawHeaders : namesAndValues(headers));
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
    if (this.#signal.aborted) abort(this.#signal.reason);
  }

  onHeaders(status: number, raw: readonly HeaderText[]): boolean {
    // 100 and 103 precede the response itself.
    if (status < 200) return true;
    this.#status = status;
    this.#context.phase = 'body';
    for (let index = 0; index + 1 < raw.length; index += 2) {
      const name = (raw[index] ?? '').toString('latin1');
      const value = (raw[index + 1] ?? '').toString('latin1');
      this.#headers.push([name, value]);
      const key = name.toLowerCase();
      if (key === 'content-encoding') this.#encodings += this.#encodings ? `,${value}` : value;
      if (key === 'content-length' && Number(value) > this.#context.maxBytes)
        this.stop(new BodyTooLargeError(status));
    }
    return true;
  }

  onData(chunk: Uint8Array): boolean {
    if (!this.#body.add(chunk)) this.stop(new BodyTooLargeError(this.#status));
    return true;
  }

  onComplete(): void {
    const body = this.#body.bytes();
    if (this.#encodings) this.#decode(body).then(this.#resolve, this.#reject);
    else this.#resolve(this.#toResponse(body));
  }

  onError(error: unknown): void {
    this.#reject(error);
  }

  /** Rejects at once and closes the connection, now or as soon as there is one. */
  stop(reason: unknown): void {
    this.#reject(reason);
    this.#abort?.(reason);
  }

  async #decode(body: Uint8Array): Promise<HttpResponse> {
    try {
      const { maxBytes } = this.#context;
      return this.#toResponse(await decodeBody(body, this.#encodings, maxBytes, this.#signal));
    } catch (error) {
      const { code } = error as { readonly code?: unknown };
      throw code === 'ERR_BUFFER_TOO_LARGE' ? new BodyTooLargeError(this.#status) : error;
    }
  }

  #toResponse(body: Uint8Array): HttpResponse {
    const pairs = this.#headers;
    return { status: this.#status, text: new TextDecoder().decode(body), headers: () => toHeaders(pairs) };
  }
}

/** Returns the headers that undici 7 and newer parsed as names and values in turn. */
const namesAndValues = (headers: Record<string, string | string[]>): readonly string[] =>
  Object.entries(headers).flatMap(([name, values]) => [values].flat().flatMap(value => [name, value]));
