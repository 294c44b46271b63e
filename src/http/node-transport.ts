import { acceptedEncodings } from './content-encoding.ts';
import { type Dispatcher, DispatchHandler } from './dispatch-handler.ts';
import { sendByGlobalFetch } from './fetch-transport.ts';
import type { Transport } from './http-response.ts';

/** Where Node keeps what its `fetch` sends through: undici 8 (Node 26) under the first name, older ones the second. */
const dispatcherKeys = [
  Symbol.for('undici.globalDispatcher.2'),
  Symbol.for('undici.globalDispatcher.1'),
] as const;

let lastFetch: unknown;
let lastFetchIsNodes = false;

/**
 * Says whether the global `fetch` is the one that Node comes with, and not one that a test or tracer put in its place.
 * Only its source text tells them apart: Node sets it once, before any code of the user runs, and exposes no reference.
 */
function fetchIsNodes(): boolean {
  const { fetch } = globalThis;
  if (fetch !== lastFetch) {
    lastFetch = fetch;
    lastFetchIsNodes = Function.prototype.toString
      .call(fetch)
      .includes("require('internal/deps/undici/undici')");
  }
  return lastFetchIsNodes;
}

/** Set for good once a dispatcher rejects the handler, as one of another version might. */
let handlerRejected = false;

function findDispatcher(): Dispatcher | undefined {
  if (handlerRejected || !fetchIsNodes()) return undefined;
  // Node loads its HTTP client, and sets its dispatcher, when one of its classes is first used.
  void globalThis.Headers;
  const places = globalThis as { readonly [key: symbol]: Dispatcher | undefined };
  return places[dispatcherKeys[0]] ?? places[dispatcherKeys[1]];
}

/** Says that a dispatcher rejected the request or its handler before it sent anything. */
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
  try {
    dispatcher.dispatch(dispatchOptions(url, method, headers, body), handler);
    return await handler.response;
  } catch (error) {
    // A dispatcher that throws leaves a response that nobody awaits, and that an abort rejects.
    handler.response.catch(() => {});
    if (!isRejectedHandler(error)) throw error;
    handlerRejected = true;
    return sendByGlobalFetch(new Request(url, { method, headers, signal, body }), context);
  }
};

/** Time limits are kept by ky, so the dispatcher's own are off. */
function dispatchOptions(url: string, method: string, headers: Headers, body: string | null): object {
  const { origin } = new URL(url);
  return {
    origin,
    path: url.slice(origin.length),
    method,
    headers: { 'accept-encoding': acceptedEncodings, ...Object.fromEntries(headers) },
    body,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}
