import { acceptedEncodings } from './content-encoding.ts';
import { type Dispatcher, DispatchHandler } from './dispatch-handler.ts';
import { sendByGlobalFetch } from './fetch-transport.ts';
import type { Transport } from './http-response.ts';

/** Where Node keeps what its `fetch` sends through: undici 8 (Node 26) under the first name, older ones the second. */
const dispatcherKeys = [
  Symbol.for('undici.globalDispatcher.2'),
  Symbol.for('undici.globalDispatcher.1'),
] as const;

/** Global `fetch` that was examined last, and the result. */
let lastFetch: unknown;
let lastFetchIsNodes = false;

/** Set for good once a dispatcher rejects the handler, as one of another version might. */
let handlerRejected = false;

/** Returns what Node's own `fetch` sends through, unless a test or tracer has put another `fetch` in its place. */
function findDispatcher(): Dispatcher | undefined {
  const { fetch } = globalThis;
  if (fetch !== lastFetch) {
    lastFetch = fetch;
    // Node sets its `fetch` once, before any code of the user runs, and exposes no reference: only the text tells.
    lastFetchIsNodes =
      typeof fetch === 'function' &&
      Function.prototype.toString.call(fetch).includes("require('internal/deps/undici/undici')");
  }
  if (handlerRejected || !lastFetchIsNodes) return undefined;
  // Node loads its HTTP client, and sets its dispatcher, when one of its classes is first used.
  void globalThis.Headers;
  const places = globalThis as { readonly [key: symbol]: Dispatcher | undefined };
  return places[dispatcherKeys[0]] ?? places[dispatcherKeys[1]];
}

/** Returns `true` if a dispatcher rejected the request or its handler before it sent anything. */
const isRejectedHandler = (error: unknown) =>
  (error as { readonly code?: unknown } | undefined)?.code === 'UND_ERR_INVALID_ARG';

/**
 * Sends through the dispatcher of Node's own `fetch`, at less than half its cost: over the same connections, proxies
 * and certificates, without the streams and copies of `fetch`. Falls back to `fetch` where there is no dispatcher,
 * where the global `fetch` was replaced, and for good once a dispatcher rejects the handler.
 */
export const sendByDefault: Transport = async (request, context) => {
  const dispatcher = findDispatcher();
  if (!dispatcher) return sendByGlobalFetch(request, context);
  const { url, method, headers, signal } = request;
  const body = request.body ? await request.text() : null;
  const handler = new DispatchHandler(context, signal);
  const { origin } = new URL(url);
  const options = {
    origin,
    path: url.slice(origin.length),
    method,
    headers: { 'accept-encoding': acceptedEncodings, ...Object.fromEntries(headers) },
    body,
    // ky keeps the time limits.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  const stop = () => handler.stop(signal.reason);
  signal.addEventListener('abort', stop);
  try {
    dispatcher.dispatch(options, handler);
    return await handler.response;
  } catch (error) {
    // A dispatcher that throws leaves a response that nobody awaits, and that an abort rejects.
    handler.response.catch(() => {});
    if (!isRejectedHandler(error)) throw error;
    handlerRejected = true;
    return sendByGlobalFetch(new Request(url, { method, headers, signal, body }), context);
  } finally {
    // Node keeps the signal of a `Request` until the next major garbage collection: it must not keep the body too.
    signal.removeEventListener('abort', stop);
  }
};
