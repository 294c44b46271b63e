// Sends bytes to a listener that no HTTP client would send.
import { createServer, type RequestListener, type ServerOptions } from 'node:http';
import { connect } from 'node:net';
import { listen } from '../support/listen.ts';

/** Serves a listener over HTTP while a function runs. */
export async function listening(
  listener: RequestListener,
  use: (port: number) => Promise<void>,
  options: ServerOptions = {},
) {
  const server = createServer(options, listener);
  try {
    await use(await listen(server));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Milliseconds in which another response would arrive. */
const silence = 100;

/** Sends bytes unchanged, and returns everything that arrives until a response is complete and nothing follows it. */
export const exchange = (port: number, bytes: string | Uint8Array) =>
  new Promise<string>((resolve, reject) => {
    const data = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
    const socket = connect(port, '127.0.0.1', () => socket.write(data));
    let received = '';
    const end = () => {
      resolve(received);
      socket.destroy();
    };
    socket.setEncoding('latin1').on('data', chunk => {
      received += chunk;
      if (/\r\n\r\n\{.*\}$/s.test(received)) setTimeout(end, silence);
    });
    socket.once('close', end);
    socket.once('error', error => (received ? end() : reject(error)));
  });
