import { decodeBody } from './content-encoding.ts';
import { type AttemptContext, BodyTooLargeError, type HttpResponse, toHeaders } from './http-response.ts';

/** The part of undici's `Dispatcher` that is used. */
export interface Dispatcher {
  dispatch(options: object, handler: DispatchHandler): boolean;
}

/** What undici 7 and newer pass to a handler to control the request. */
interface Controller {
  abort(reason: unknown): void;
  readonly rawHeaders?: readonly Uint8Array[] | null;
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
  readonly #chunks: Uint8Array[] = [];
  #resolve!: (response: HttpResponse) => void;
  #reject!: (reason: unknown) => void;
  #status = 0;
  #headers: readonly string[] = [];
  #bytes = 0;
  #abort: ((reason: unknown) => void) | undefined;

  constructor(context: AttemptContext, signal: AbortSignal) {
    this.#context = context;
    this.#signal = signal;
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    signal.addEventListener('abort', () => this.#stop(signal.reason));
  }

  onRequestStart(controller: Controller): void {
    this.onConnect(reason => controller.abort(reason));
  }

  onResponseStart(controller: Controller, status: number, headers: Record<string, string | string[]>): void {
    if (controller.rawHeaders) this.onHeaders(status, controller.rawHeaders);
    else this.#start(status, pairsOf(headers));
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

  onHeaders(status: number, headers: readonly Uint8Array[]): boolean {
    this.#start(status, headers.map(latin1));
    return true;
  }

  onData(chunk: Uint8Array): boolean {
    this.#bytes += chunk.length;
    this.#chunks.push(chunk);
    if (this.#bytes > this.#context.maxBytes) this.#stop(new BodyTooLargeError(this.#status));
    return true;
  }

  onComplete(): void {
    const encodings = headerValues(this.#headers, 'content-encoding');
    const body = concat(this.#chunks, this.#bytes);
    if (encodings.length === 0) this.#resolve(this.#toResponse(body));
    else this.#decode(body, encodings.join(',')).then(this.#resolve, this.#reject);
  }

  onError(error: unknown): void {
    this.#reject(error);
  }

  #start(status: number, headers: readonly string[]): void {
    // 100 and 103 precede the response itself.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    this.#context.phase = 'body';
    if (Number(headerValues(headers, 'content-length')[0]) > this.#context.maxBytes)
      this.#stop(new BodyTooLargeError(status));
  }

  /** Rejects at once and closes the connection, now or as soon as there is one. */
  #stop(reason: unknown): void {
    this.#reject(reason);
    this.#abort?.(reason);
  }

  async #decode(body: Uint8Array, encodings: string): Promise<HttpResponse> {
    try {
      return this.#toResponse(await decodeBody(body, encodings, this.#context.maxBytes, this.#signal));
    } catch (error) {
      const { code } = error as { readonly code?: unknown };
      throw code === 'ERR_BUFFER_TOO_LARGE' ? new BodyTooLargeError(this.#status) : error;
    }
  }

  #toResponse(body: Uint8Array): HttpResponse {
    const pairs = this.#headers;
    return {
      status: this.#status,
      text: new TextDecoder().decode(body),
      // Made when it is asked for, as most calls never read it.
      get headers() {
        return toHeaders(eachPair(pairs));
      },
    };
  }
}

/** Decodes a `Buffer`, whose own `toString` takes the encoding. */
const latin1 = (bytes: { toString(encoding: string): string }): string => bytes.toString('latin1');

const pairsOf = (headers: Record<string, string | string[]>): readonly string[] =>
  Object.entries(headers).flatMap(([name, value]) => [value].flat().flatMap(each => [name, each]));

function* eachPair(pairs: readonly string[]): Generator<[string, string]> {
  for (let index = 0; index + 1 < pairs.length; index += 2)
    yield [pairs[index] ?? '', pairs[index + 1] ?? ''];
}

/** Returns the values of each line of a header. */
function headerValues(pairs: readonly string[], wanted: string): readonly string[] {
  const values: string[] = [];
  for (let index = 0; index < pairs.length; index += 2)
    if (pairs[index]?.toLowerCase() === wanted) values.push(pairs[index + 1] ?? '');
  return values;
}

function concat(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
  const [first = new Uint8Array()] = chunks;
  if (chunks.length <= 1) return first;
  const whole = new Uint8Array(bytes);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.length;
  }
  return whole;
}
