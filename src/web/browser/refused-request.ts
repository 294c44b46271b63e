/** Longest time in which a browser refuses a request, in milliseconds: no call acts in so short a time. */
const refusalMs = 2;

/** A request that the browser has not sent. */
export class RefusedRequest extends Error {}

/**
 * Sends a request by the `fetch` of a browser, and once more without `keepalive` if the browser refused that, which is no
 * second request. Rejects with a {@link RefusedRequest} if none was sent.
 */
export async function sendFromPage<T>(
  send: (keepalive: boolean) => Promise<T>,
  keepalive: boolean,
): Promise<T> {
  try {
    return await sendUnlessRefused(() => send(keepalive));
  } catch (error) {
    if (keepalive && error instanceof RefusedRequest) return sendUnlessRefused(() => send(false));
    throw error;
  }
}

/** Returns `true` if nothing can be sent, and no service worker can keep a request for later. */
const isOffline = () => navigator.onLine === false && !navigator.serviceWorker?.controller;

/**
 * Rejects with a {@link RefusedRequest} if the browser was offline all the time, or if it failed at once, as browsers do if
 * other requests have used up the budget for `keepalive`. It tells both by the clock and by whether another task came
 * before: a page that was busy meanwhile hears of both a refusal and a closed connection late. Then, and in any case of
 * doubt, the request counts as sent.
 */
async function sendUnlessRefused<T>(send: () => Promise<T>): Promise<T> {
  const wasOffline = isOffline();
  const startedAt = performance.now();
  const sent = send();
  let isNextTask = false;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    isNextTask = true;
    port1.close();
  };
  port2.postMessage(undefined);
  try {
    return await sent;
  } catch (error) {
    const failedAtOnce = !isNextTask && performance.now() - startedAt < refusalMs;
    throw failedAtOnce || (wasOffline && isOffline()) ? new RefusedRequest() : error;
  }
}
