import { onAbort } from '../core/timers.ts';
import { type Dispatcher, DispatchHandler } from './dispatch-handler.ts';
import { FailedAttempt } from './failure.ts';
import { sendByGlobalFetch } from './fetch.ts';
import { type AttemptContext, isReadMethod, type RequestSender } from './transport.ts';

export { sendingFailure } from './network-error.ts';

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
  const places = globalThis as { readonly [key: symbol]: Dispatcher | undefined };
  const dispatcher = places[placeOfDispatcher];
  return dispatcher && rejecting.has(dispatcher) ? undefined : dispatcher;
}

/** Body of a write, which can be read once: undici's `RetryAgent` would send it again, unseen. */
class SingleUseBody {
  wasSent = false;
  readonly bytes: Buffer;
  readonly #attempt: AttemptContext;

  constructor(text: string | undefined, attempt: AttemptContext) {
    this.bytes = Buffer.from(text ?? '');
    this.#attempt = attempt;
  }

  *[Symbol.iterator](): Generator<Buffer> {
    if (this.wasSent) throw new Error('sent before');
    this.wasSent = true;
    // An interceptor can keep from the handler that sending has begun.
    this.#attempt.maySend = true;
    yield this.bytes;
  }
}

/** Returns the error as `fetch` has it. A dispatcher that retries can fail to connect after the request was sent once. */
const toFetchError = (cause: unknown, wasSent?: boolean): unknown =>
  cause instanceof FailedAttempt
    ? cause
    : Object.assign(new TypeError('fetch failed', { cause }), { wasSent });

/**
 * Sends through the dispatcher of Node's own `fetch`, at less than half its cost: over the same connections, proxies
 * and certificates, without the streams and copies of `fetch`. Falls back to `fetch` if there is no dispatcher, while
 * the global `fetch` is replaced, and once its dispatcher rejected the handler before it sent anything.
 */
export const sendByDefault: RequestSender = async (request, body, attempt) => {
  const dispatcher = findDispatcher();
  if (!dispatcher) return sendByGlobalFetch(request, body, attempt);
  const { url, method, headers } = request;
  const handler = new DispatchHandler(attempt, dispatcher.isMockActive);
  const { origin } = new URL(url);
  // undici 8 sends a text again, unseen, when its HTTP/2 stream was reset: HAProxy resets those that the service acted on.
  const singleUse =
    isReadMethod(method) || dispatcher.isMockActive ? undefined : new SingleUseBody(body, attempt);
  const length = singleUse && { 'content-length': String(singleUse.bytes.length) };
  const options = {
    origin,
    path: url.slice(origin.length),
    method,
    headers: { 'accept-encoding': 'gzip, br', ...Object.fromEntries(headers), ...length },
    body: singleUse ?? body ?? null,
    // A dispatcher can follow redirects, and would take the key along. `fetch` asks for none in the same way.
    maxRedirections: 0,
    // ky keeps the time limits.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  // The caller's signal, and that of the request, by which ky ends it when its time is over.
  const unlink = [attempt.signal, request.signal].map(signal =>
    onAbort(signal, () => handler.stop(signal?.reason)),
  );
  try {
    dispatcher.dispatch(options, handler);
    return await handler.response;
  } catch (error) {
    // A dispatcher that throws leaves a response that nobody awaits, and that an abort rejects.
    handler.response.catch(() => {});
    // undici has the same code for a 407 of a proxy, after the request was sent.
    const isRejected = (error as { code?: unknown } | null)?.code === 'UND_ERR_INVALID_ARG';
    if (!isRejected || handler.hasStarted) throw toFetchError(error, singleUse?.wasSent);
    rejecting.add(dispatcher);
    attempt.maySend = true;
    return sendByGlobalFetch(request, body, attempt);
  } finally {
    // The caller's signal can outlive many calls, and Node keeps that of a `Request` until the next major garbage
    // collection: neither must keep the body too.
    for (const remove of unlink) remove();
  }
};
