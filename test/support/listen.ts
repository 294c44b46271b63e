// Ports of this machine, for servers of tests.
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Lets a server listen on loopback, on a free port unless one is given. Returns the port. */
export async function listen(server: Server, host = '127.0.0.1', port = 0): Promise<number> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}

/** Returns a port of this machine that nothing uses. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  const port = await listen(probe);
  probe.close();
  await once(probe, 'close');
  return port;
}
