import { type AttemptContext, BodyTooLargeError, type Transport, toHeaders } from './http-response.ts';
import { type ReadableResponse, readBody } from './read-body.ts';
import { onAbort } from './timers.ts';

/** Options of one request, as any `fetch` takes them. */
export interface FetchInit {
  /** HTTP method. */
  readonly method: string;
  /** Headers by lower-case name. */
  readonly headers: Record<string, string>;
  /**
   * Text of JSON. On Deno a `ReadableStream` of it in calls that are not idempotent, which the type leaves out: the
   * `fetch` of a package such as node-fetch knows no streams of the web.
   */
  readonly body?: string;
  /** Set with a stream as body, as the standard requires. */
  readonly duplex?: 'half';
  /** Aborts the request when its attempt times out or the caller aborts. */
  readonly signal: AbortSignal;
  /** Always `'manual'`: redirects are not followed. */
  readonly redirect: 'manual';
}

/** The part of a response that is used. */
export interface FetchResponse extends ReadableResponse {
  /** Headers of the response. */
  readonly headers: {
    /** Returns the value of a header, or `null`. */
    get(name: string): string | null;
    /** Calls a function with the value and name of each header. */
    forEach(callback: (value: string, name: string) => void): void;
  };
}

/** A `fetch`, as far as it is used: of the runtime, of undici, node-fetch, cross-fetch or a mock. */
export type FetchFunction = (url: string, init: FetchInit) => Promise<FetchResponse>;

/**
 * Sends through a `fetch`. It is called with a URL and options, as one from a package knows nothing of the runtime's
 * own `Request`.
 */
export const sendByFetch =
  (fetch: FetchFunction): Transport =>
  async (request, context) => {
    const { url, method, headers, signal } = request;
    const controller = new AbortController();
    const unlink = onAbort(signal, () => controller.abort(signal.reason));
    try {
      const response = await fetch(url, {
        method,
        headers: Object.fromEntries(headers),
        signal: controller.signal,
        redirect: 'manual',
        ...bodyOf(method, request.body ? await request.text() : undefined, context),
      });
      context.phase = 'body';
      const text = await readBody(response, context.maxBytes);
      return { status: response.status, text, headers: () => copyHeaders(response) };
    } catch (error) {
      // Some packages close the connection of a body that is left only when the signal aborts. After any other failure
      // an abort can make Node's `fetch` throw where nobody can catch it.
      if (error instanceof BodyTooLargeError) controller.abort();
      throw error;
    } finally {
      unlink();
    }
  };

/** Sends through the global `fetch`, looked up at each request, so that one replaced by a test or tracer is used. */
export const sendByGlobalFetch: Transport = sendByFetch((url, init) => {
  if (typeof globalThis.fetch === 'function') return globalThis.fetch(url, init);
  throw Object.assign(new Error('no global fetch'), { code: 'NO_GLOBAL_FETCH' });
});

/**
 * Deno's `fetch` sends a request again, unseen, when a reused connection closes without a response, unless its body is
 * a stream. Other runtimes do not, or accept no stream here.
 */
function bodyOf(
  method: string,
  text: string | undefined,
  { idempotent }: AttemptContext,
): Pick<FetchInit, 'body' | 'duplex'> {
  const canHaveBody = method !== 'GET' && method !== 'HEAD';
  if (!idempotent && canHaveBody && 'Deno' in globalThis)
    return { body: new Blob([text ?? '']).stream() as unknown as string, duplex: 'half' };
  return text === undefined ? {} : { body: text };
}

/** Returns valid headers of this runtime: a `fetch` can have a class of its own, and Node's passes on lines without a name. */
function copyHeaders({ headers }: FetchResponse): Headers {
  const pairs: [string, string][] = [];
  headers.forEach((value, name) => {
    pairs.push([name, value]);
  });
  return toHeaders(pairs);
}
