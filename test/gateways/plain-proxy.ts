// A proxy for plain HTTP in front of a backend. Of its responses, some are a 407 in place of the backend's, and some stop
// after their head: both come once the service has acted.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { listen } from '../support/listen.ts';

/** Each such request gets a 407, or a head alone, in place of the response. */
const every = { refused: 17, cut: 23 };

export class PlainProxy {
  readonly #port: number;
  #count = 0;
  readonly #server = createServer((incoming, outgoing) => this.#forward(incoming, outgoing));

  constructor(port: number) {
    this.#port = port;
  }

  async start(): Promise<void> {
    await listen(this.#server, '127.0.0.1', this.#port);
  }

  async stop(): Promise<void> {
    this.#server.close().closeAllConnections();
  }

  #forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { method, headers, url = '' } = incoming;
    const number = ++this.#count;
    const forwarded = request(url, { method, headers: { ...headers, 'x-protocol': 'HTTP/1.1' } });
    forwarded.on('response', response => {
      if (number % every.refused === 0) {
        response.resume();
        outgoing.writeHead(407, { 'proxy-authenticate': 'Basic' }).end();
      } else if (number % every.cut === 0) {
        response.resume();
        incoming.socket.end('HTTP/1.1 200 OK\r\n\r\n');
      } else {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
        response.on('error', () => incoming.socket.destroy());
      }
    });
    // What the backend cuts is cut for the client as well.
    forwarded.on('error', () => incoming.socket.destroy());
    outgoing.on('close', () => forwarded.destroy());
    incoming.pipe(forwarded);
  }
}
