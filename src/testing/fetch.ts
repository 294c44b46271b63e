import { ConnectionDropped, type Reply } from './dispatcher.ts';
import type { ReadRequest } from './service/service.ts';

/** Reads a `Request` to its end; a body over the limit comes as `undefined`. */
export async function readRequest(request: Request, maxBodyBytes: number): Promise<ReadRequest> {
  const bytes = await request.arrayBuffer();
  const body = bytes.byteLength > maxBodyBytes ? undefined : new TextDecoder().decode(bytes);
  return { method: request.method, url: new URL(request.url), headers: request.headers, body };
}

/** A reply as a `Response`; one that breaks off half-way has a body that fails or never ends. */
export function toResponse({ status, headers, text, ending }: Reply, signal: AbortSignal): Response {
  if (ending === 'whole') return new Response(text === '' ? null : text, { status, headers });
  return new Response(brokenBody(text, ending, signal), { status, headers });
}

function brokenBody(text: string, ending: 'drop' | 'stall', signal: AbortSignal): ReadableStream {
  let sent = false;
  return new ReadableStream({
    start(controller) {
      signal.addEventListener('abort', () => controller.error(signal.reason), { once: true });
    },
    pull(controller) {
      if (!sent) controller.enqueue(new TextEncoder().encode(text.slice(0, Math.ceil(text.length / 2))));
      else if (ending === 'drop') controller.error(networkError());
      sent = true;
    },
  });
}

/** Returns the error with which the platform's `fetch` rejects when the connection is reset. */
function networkError(): TypeError {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  return new TypeError('fetch failed', { cause });
}

/** Rejects as `fetch` does: a dropped connection is a network error. */
export function rejectAsFetch(error: unknown): Promise<never> {
  return Promise.reject(error instanceof ConnectionDropped ? networkError() : error);
}
