// Serves a web page under a strict content security policy.
import { createServer, type RequestListener } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '../support/listen.ts';

/** No other origins, nothing inline, and no code from strings. */
const strict =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; frame-src 'self'";

/** Content of the server: files by path, and a handler. */
export interface Site {
  readonly files: Readonly<Record<string, string>>;
  /** Responds to every other path. */
  readonly handler: (request: Request) => Promise<Response>;
  /** Listeners of Node by path, which see the connection. */
  readonly listeners?: Readonly<Record<string, RequestListener>>;
}

/** Serves files and a handler under a strict content security policy, on a free port. */
export async function servePage({ files, handler, listeners = {} }: Site) {
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', headers, url = '/' } = incoming;
    const path = url === '/' ? '/index.html' : url;
    if (listeners[path]) return listeners[path](incoming, outgoing);
    if (path in files) {
      const type = path.endsWith('.js') ? 'text/javascript' : 'text/html';
      const ofFile = { 'content-type': type, 'content-security-policy': strict };
      return void outgoing.writeHead(200, ofFile).end(files[path]);
    }
    const body = method === 'POST' ? { body: await buffer(incoming) } : {};
    const init = { method, headers: headers as Record<string, string>, ...body };
    const response = await handler(new Request(`http://${headers.host}${path}`, init));
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
