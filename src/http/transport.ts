import { withTimeout } from '../core/timers.ts';
import type { TimeoutPhase } from '../errors.ts';
import { bodyTooLarge } from './failure.ts';
import type { EncodedRequest, HeaderRecord } from './operation.ts';

/**
 * Headers that authenticate an attempt, or a function that returns them, called for each attempt with whether the last
 * one was refused because of them.
 */
export type Authentication = HeaderRecord | ((refused: boolean) => HeaderRecord | Promise<HeaderRecord>);

/** Request of one attempt. */
interface AttemptRequest extends EncodedRequest {
  readonly method: string;
  readonly headers: HeaderRecord;
}

/** Header of a request with a body, which transports add. */
export const jsonType: HeaderRecord = { 'content-type': 'application/json' };

/** Limits of one attempt, and how far it has come. */
export interface AttemptContext {
  /** Time limit over head and body together, in milliseconds; `Infinity` for none. */
  readonly timeoutMs: number;
  /** Returns the time left for the whole call, in milliseconds; `Infinity` for no limit. */
  timeLeftMs(): number;
  /** Aborts the attempt. Can outlive many calls: nothing of the attempt may stay with it. */
  readonly signal: AbortSignal | undefined;
  /** Largest body that is read, in bytes, before and after it is decoded. */
  readonly maxBytes: number;
  /** `true` if the outcome of an earlier attempt of the call is unknown. */
  readonly mayHaveActed: boolean;
  /** `true` if the last attempt of the call ended with a 401. */
  readonly keyRefused: boolean;
  /** Phase that a time limit would interrupt. The transport sets `body` when the head of the response has come. */
  phase: TimeoutPhase;
  /**
   * `false` while nothing can have reached the service: before the attempt begins and, by the dispatcher, while it connects
   * or waits for a connection.
   */
  maySend: boolean;
  /** Begins the phase `head`. The transport calls it once, right before it sends. */
  begin(): void;
}

/** Runs a part of an attempt within its limits, even if the task ignores its signal. */
export const withLimits = <T>(
  attempt: AttemptContext,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> => withTimeout(Math.min(attempt.timeoutMs, attempt.timeLeftMs()), attempt.signal, task);

/** A response that was read to its end. */
export interface HttpResponse {
  readonly status: number;
  readonly text: string;
  /** Returns the headers: a function, because most calls never read them. */
  readonly headers: () => Headers;
  /**
   * What vouches for the end of a body whose end no header states: a mock, a `fetch`, which reports a body that breaks off,
   * or HTTP/2. Absent if the body ends where its connection does.
   */
  readonly endKnownBy?: 'mock' | 'fetch' | 'HTTP/2' | undefined;
}

/**
 * Sends a request and reads the response to its end, within the limits, without following redirects. Rejects with a
 * `TimeLimitExceeded`, a `FailedAttempt`, the signal's reason, or the error of the runtime.
 */
export type Transport = (request: AttemptRequest, attempt: AttemptContext) => Promise<HttpResponse>;

/**
 * Sends a request like {@link Transport}, but leaves the time limits to its caller, who aborts `request.signal`. Rejects at
 * once when `attempt.signal` aborts. The body comes beside the request, because Firefox has no `Request.body`. They are
 * `sendByDefault`, of Node and of other runtimes, and `sendByFetch`.
 */
export type RequestSender = (
  request: Request,
  body: string | undefined,
  attempt: AttemptContext,
) => Promise<HttpResponse>;

/**
 * Returns `true` for a method that only reads. A runtime must not send any other request again by itself, as undici does
 * over HTTP/2 after a reset, and Deno after a connection closed. Even if a write is idempotent, a gateway can refuse the
 * second, which nobody has seen, with a 429: the call would not know that the first acted.
 */
export const isReadMethod = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Joins the chunks of a body as they come, so that many small chunks take no more memory than one large chunk. */
export class BodyBuffer {
  readonly #maxBytes: number;
  #buffer = new Uint8Array();
  #length = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Adds a chunk of the response with this status. The chunk must not change later. Throws if the body is too large. */
  add(chunk: Uint8Array, status: number): void {
    const length = this.#length + chunk.length;
    if (length > this.#maxBytes) throw bodyTooLarge(status, this.#maxBytes);
    // Most bodies come in one chunk, which needs no copy.
    if (this.#length === 0) this.#buffer = chunk as Uint8Array<ArrayBuffer>;
    else {
      if (length > this.#buffer.length) {
        const larger = new Uint8Array(Math.min(this.#maxBytes, 2 * length));
        larger.set(this.bytes());
        this.#buffer = larger;
      }
      this.#buffer.set(chunk, this.#length);
    }
    this.#length = length;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#length);
  }
}
