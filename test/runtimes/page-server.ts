// Serves a web page under a strict content security policy.
import { createServer, type RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Sandbox } from '../../src/testing/index.ts';
import { listen } from '../support/listen.ts';

/** No other origins, nothing inline, and no code from strings. */
const strict =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; frame-src 'self'";

/** Content of the server: files by path, and a handler. */
export interface Site {
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** Responds to every other path. */
  readonly handler: (request: Request) => Promise<Response>;
  /** Listeners of Node by path, which see the connection. */
  readonly listeners?: Readonly<Record<string, RequestListener>>;
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  json: 'application/json',
  svg: 'image/svg+xml',
};

/** Returns the type of a file by its name. */
export const contentType = (path: string): string =>
  types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream';

/** Serves files and a handler under a strict content security policy, on a free port. */
export async function servePage({ files, handler, listeners = {} }: Site) {
  const server = createServer(async (incoming, outgoing) => {
    const path = incoming.url === '/' ? '/index.html' : (incoming.url ?? '/');
    if (listeners[path]) return listeners[path](incoming, outgoing);
    const file = files[path];
    if (file !== undefined) {
      const headers = { 'content-type': contentType(path), 'content-security-policy': strict };
      return void outgoing.writeHead(200, headers).end(file);
    }
    const { method = 'GET' } = incoming;
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: await buffer(incoming) };
    const headers = new Headers(incoming.headers as Record<string, string>);
    const closed = new AbortController();
    outgoing.on('close', () => closed.abort());
    const request = new Request(`http://${headers.get('host')}${path}`, {
      method,
      headers,
      signal: closed.signal,
      ...body,
    });
    const response = await handler(request).catch(() => new Response(null, { status: 502 }));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  });
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns a handler that passes requests to a sandbox. */
export const toSandbox = (sandbox: Sandbox) => (request: Request) => sandbox.fetch(request);
