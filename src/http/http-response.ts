import type { TimeoutPhase } from '../errors.ts';

/** A response that was read to its end. */
export interface HttpResponse {
  readonly status: number;
  readonly text: string;
  /** Returns the headers: a function, because most calls never read them. */
  readonly headers: () => Headers;
}

/** Limits of one attempt, and how far it has come. */
export interface AttemptContext {
  /** Time limit over head and body together, in milliseconds; `Infinity` for none. */
  readonly timeoutMs: number;
  /** Signal of the caller. */
  readonly signal: AbortSignal | undefined;
  /** Largest body that is read, in bytes, also of each layer of content encoding. */
  readonly maxBytes: number;
  /** `true` if the service may receive the request twice. */
  readonly idempotent: boolean;
  /** Phase that a time limit would interrupt, written as the attempt goes. */
  phase: TimeoutPhase;
}

/** The part of a `Request` that is sent. */
interface TransportRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly signal: AbortSignal;
  /** Anything but `null` if there is a body, which `text` returns. */
  readonly body: unknown;
  text(): Promise<string>;
}

/** Sends a request and reads the response to its end, without following redirects. */
export type Transport = (request: TransportRequest, context: AttemptContext) => Promise<HttpResponse>;

/** The body is larger than `maxBytes`. */
export class BodyTooLargeError extends Error {
  /** Status of the response. */
  readonly status: number;

  constructor(status: number) {
    super('the body is too large');
    this.status = status;
  }
}

/** Creates headers of names and values in turn, and leaves out what no header may hold. */
export function toHeaders(pairs: Iterable<readonly [string, string]>): Headers {
  const headers = new Headers();
  for (const [name, value] of pairs)
    try {
      headers.append(name, value);
    } catch {
      // A line without a name, for example, which parsers let through.
    }
  return headers;
}
