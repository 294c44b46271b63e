import { invalidOption } from '../http/check-options.ts';
import type { ProxyHandler } from './handler.ts';
import { type BodyChunks, type NodeRequest, toRequest } from './node-request.ts';
import { refusal } from './refusal.ts';
import { refusalReply, toResponse } from './reply.ts';

/** Members of Node's `ServerResponse`, or of a response of Express, that the listener uses. */
export interface NodeResponse {
  /** Sends the status and the headers. */
  writeHead(status: number, headers: Record<string, string | string[]>): unknown;
  /** Sends a part of the body. */
  write(chunk: Uint8Array): unknown;
  /** Ends the response. */
  end(): unknown;
  /** Closes the connection. */
  destroy(): unknown;
}

/** A request listener of `node:http`, or a handler of Express. Never rejects; resolves when the response is sent. */
export type NodeListener = (incoming: NodeRequest, outgoing: NodeResponse) => Promise<void>;

/**
 * Mounts a handler on `node:http` or Express: `createServer(toNodeListener(handler))`. The listener never rejects: it
 * responds 400 to a request that it cannot read, and 500 without details where `handler` throws.
 */
export function toNodeListener(handler: ProxyHandler): NodeListener {
  if (typeof handler !== 'function') throw invalidOption('handler', 'what createProxyHandler returned');
  return async (incoming, outgoing) => {
    try {
      const chunks = incoming[Symbol.asyncIterator]();
      const response = await respond(handler, incoming, chunks);
      await send(response, incoming, outgoing);
    } catch {
      // The connection is gone, or something else has already responded.
      close(outgoing);
    }
  };
}

async function respond(handler: ProxyHandler, incoming: NodeRequest, chunks: BodyChunks): Promise<Response> {
  let request: Request;
  try {
    request = toRequest(incoming, chunks);
  } catch {
    return refused(400, 'The request cannot be read.');
  }
  try {
    return await handler(request);
  } catch (error) {
    console.error('email-marketing-client: the proxy failed', error);
    return refused(500, 'The server failed.');
  }
}

const refused = (status: number, message: string) => toResponse(refusalReply(refusal(status, message)));

/** Sends the response. Closes the connection of a body that has not arrived in full: it could stay open for ever. */
async function send(response: Response, incoming: NodeRequest, outgoing: NodeResponse): Promise<void> {
  const body = new Uint8Array(await response.arrayBuffer());
  const unread = incoming.complete === false;
  const isHttp1 = (incoming.httpVersionMajor ?? 1) === 1;
  outgoing.writeHead(response.status, {
    ...headersOf(response),
    ...(unread && isHttp1 && { connection: 'close' }),
    ...(body.length > 0 && { 'content-length': String(body.length) }),
  });
  if (body.length > 0 && incoming.method !== 'HEAD') outgoing.write(body);
  outgoing.end();
  if (!unread || isHttp1) return;
  // In HTTP/2, the connection carries other requests: only the stream is reset, after the end of the response has left.
  await new Promise(resolve => setTimeout(resolve));
  outgoing.destroy();
}

function headersOf(response: Response): Record<string, string | string[]> {
  const cookies = response.headers.getSetCookie();
  return { ...Object.fromEntries(response.headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) };
}

function close(outgoing: NodeResponse): void {
  try {
    outgoing.destroy();
  } catch {
    // Nothing is left to close.
  }
}
