// Serves a web page to Chromium under a strict content security policy.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Sandbox } from '../../src/testing/index.ts';

/** No other origins, nothing inline, and no code from strings. */
const strict = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'";

/** Content of the server: files by path, and a handler. */
export interface Site {
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** Responds to every other path. */
  readonly handler: (request: Request) => Promise<Response>;
}

const types: Readonly<Record<string, string>> = { html: 'text/html', js: 'text/javascript', css: 'text/css' };

/** Serves files and a handler under a strict content security policy, on a free port. */
export async function servePage({ files, handler }: Site) {
  const server = createServer(async (incoming, outgoing) => {
    const path = incoming.url === '/' ? '/index.html' : (incoming.url ?? '/');
    const file = files[path];
    if (file !== undefined) {
      const type = types[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
      outgoing.writeHead(200, { 'content-type': type, 'content-security-policy': strict }).end(file);
      return;
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { method = 'GET' } = incoming;
    const body = method === 'GET' || method === 'DELETE' ? {} : { body: Buffer.concat(chunks) };
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
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns a handler that passes requests to a sandbox. */
export const toSandbox = (sandbox: Sandbox) => (request: Request) => sandbox.fetch(request);
