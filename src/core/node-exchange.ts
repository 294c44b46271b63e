import { acceptedEncodings, undoEncoding } from './content-encoding.ts';
import type { Beneath, Exchange, Progress, TooLarge } from './exchange.ts';
import type { HttpAnswer, HttpRequest } from './http.ts';

/** What Node's `fetch` itself sends through: the pool of connections, with its proxies, certificates and mocks. */
interface Dispatcher {
  dispatch(request: object, reader: AnswerReader): boolean;
}

const dispatcherKey = Symbol.for('undici.globalDispatcher.1');

let lastFetch: unknown;
let untouched = false;

/** Whether `fetch` is the one that Node comes with: not another runtime's, nor patched by a mock or a tracer. */
function fetchIsNodesOwn(): boolean {
  const { fetch } = globalThis;
  if (fetch !== lastFetch) {
    lastFetch = fetch;
    untouched = Function.prototype.toString.call(fetch).includes("require('internal/deps/undici/undici')");
  }
  return untouched;
}

function findDispatcher(): Dispatcher | undefined {
  if (!fetchIsNodesOwn()) return undefined;
  const place = globalThis as { [dispatcherKey]?: Dispatcher };
  // Node loads its HTTP client, and sets its dispatcher, when one of its classes is first touched.
  return place[dispatcherKey] ?? (globalThis.Headers && place[dispatcherKey]);
}

/**
 * Sends through the dispatcher beneath Node's own `fetch`, at a fraction of its cost: the same connections, proxies and
 * certificates, without the streams and copies that `fetch` wraps around them. Sends through `byFetch` where there is
 * no such dispatcher, and where the global `fetch` is not Node's own.
 */
export const beneath: Beneath = (byFetch, tooLarge): Exchange => {
  return async (request, maxBytes, signal, progress) => {
    const dispatcher = findDispatcher();
    if (!dispatcher) return byFetch(request, maxBytes, signal, progress);
    const reader = new AnswerReader(maxBytes, tooLarge, progress);
    signal.addEventListener('abort', () => reader.stop(signal.reason));
    dispatcher.dispatch(toDispatch(request), reader);
    return reader.answer;
  };
};

/** The request in the dispatcher's words. Time limits are kept above. */
function toDispatch({ method, url, headers, body }: HttpRequest): object {
  const pathStart = url.indexOf('/', 'https://'.length);
  return {
    origin: url.slice(0, pathStart),
    path: url.slice(pathStart),
    method,
    headers: { 'accept-encoding': acceptedEncodings, ...headers },
    body,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

/** Takes an answer from the dispatcher, which calls its methods as the answer comes in. */
class AnswerReader {
  /** The whole answer. */
  readonly answer: Promise<HttpAnswer>;
  readonly #maxBytes: number;
  readonly #tooLarge: TooLarge;
  readonly #progress: Progress;
  readonly #chunks: Uint8Array[] = [];
  #resolve!: (answer: HttpAnswer | Promise<HttpAnswer>) => void;
  #reject!: (reason: unknown) => void;
  #status = 0;
  #headers: readonly string[] = [];
  #bytes = 0;
  #abort: ((reason: unknown) => void) | undefined;
  #stopped: readonly unknown[] = [];

  constructor(maxBytes: number, tooLarge: TooLarge, progress: Progress) {
    this.#maxBytes = maxBytes;
    this.#tooLarge = tooLarge;
    this.#progress = progress;
    this.answer = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** Rejects at once, and gives the connection up, now or when there is one. */
  stop(reason: unknown): void {
    this.#stopped = [reason];
    this.#reject(reason);
    this.#abort?.(reason);
  }

  onConnect(abort: (reason: unknown) => void): void {
    this.#abort = abort;
    for (const reason of this.#stopped) abort(reason);
  }

  onHeaders(status: number, headers: readonly Uint8Array[]): boolean {
    // 100 and 103 come before the answer itself.
    if (status < 200) return true;
    this.#status = status;
    this.#headers = headers.map(latin1);
    this.#progress.phase = 'body';
    if (Number(header(this.#headers, 'content-length')) > this.#maxBytes) this.#refuse();
    return true;
  }

  onData(chunk: Uint8Array): boolean {
    this.#bytes += chunk.length;
    this.#chunks.push(chunk);
    if (this.#bytes > this.#maxBytes) this.#refuse();
    return true;
  }

  onComplete(): void {
    const codings = header(this.#headers, 'content-encoding');
    if (codings === undefined) this.#resolve(this.#answer(this.#body()));
    else this.#resolve(this.#decoded(codings));
  }

  onError(error: unknown): void {
    this.#reject(error);
  }

  #refuse(): void {
    this.stop(this.#tooLarge(this.#status, this.#maxBytes));
  }

  async #decoded(codings: string): Promise<HttpAnswer> {
    try {
      return this.#answer(await undoEncoding(this.#body(), codings, this.#maxBytes));
    } catch (error) {
      const { code } = error as { code?: unknown };
      throw code === 'ERR_BUFFER_TOO_LARGE' ? this.#tooLarge(this.#status, this.#maxBytes) : error;
    }
  }

  #body(): Uint8Array {
    const [first = new Uint8Array(), ...rest] = this.#chunks;
    if (rest.length === 0) return first;
    const whole = new Uint8Array(this.#bytes);
    let at = 0;
    for (const chunk of this.#chunks) {
      whole.set(chunk, at);
      at += chunk.length;
    }
    return whole;
  }

  #answer(body: Uint8Array): HttpAnswer {
    const parts = this.#headers;
    return {
      status: this.#status,
      text: utf8.decode(body),
      // Made when asked for: most calls never look.
      get headers() {
        const headers = new Headers();
        for (let at = 0; at + 1 < parts.length; at += 2) headers.append(parts[at] ?? '', parts[at + 1] ?? '');
        return headers;
      },
    };
  }
}

const utf8 = new TextDecoder();

/** A part of a head as text: a `Buffer` in fact, whose own `toString` takes the encoding. */
const latin1 = (bytes: { toString(encoding: string): string }): string => bytes.toString('latin1');

/** A header of a list of names and values in turn. */
function header(parts: readonly string[], name: string): string | undefined {
  for (let at = 0; at < parts.length; at += 2) if (parts[at]?.toLowerCase() === name) return parts[at + 1];
  return undefined;
}
