// Checks that a write is unknown, and acts once, if its TLS connection breaks after the service has acted.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { openssl, skipsWithout } from '../support/programs.ts';
import { type Certificate, makeCertificate } from './certificate.ts';
import type { RuntimeProgram } from './runtimes.ts';

const execute = promisify(execFile);

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>(done => server.listen(0, 'localhost', done));
  return (server.address() as AddressInfo).port;
};

/** What a tunnel sends in place of the response: plain text, and a record of TLS that nobody has encrypted. */
const breaks: Readonly<Record<string, Buffer>> = {
  'plain text': Buffer.from('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n'),
  'a record that cannot be decrypted': Buffer.from([0x17, 3, 3, 0, 32, ...Buffer.alloc(32, 7)]),
};

/** A service that counts the events that it records, behind a tunnel that breaks every second response. */
async function brokenService(certificate: Certificate, bytes: Buffer) {
  let acted = 0;
  const clients = new Map<number | undefined, Socket>();
  const service = createHttpsServer(certificate, (request, response) => {
    request.resume().on('end', () => {
      acted += 1;
      // The first connection serves one request before.
      if (acted === 1) response.end('{"status":"success","message":"recorded"}');
      else clients.get(request.socket.remotePort)?.end(bytes);
    });
  });
  const port = await listening(service);
  const tunnel = createServer(client => {
    const upstream = connect(port, 'localhost', () => {
      clients.set(upstream.localPort, client);
      client.pipe(upstream);
      upstream.on('data', chunk => client.writable && client.write(chunk));
    });
    for (const socket of [client, upstream]) socket.on('error', () => upstream.destroy());
    client.on('close', () => upstream.destroy());
  });
  const url = `https://localhost:${await listening(tunnel)}`;
  const close = () => {
    tunnel.close();
    service.close().closeAllConnections();
  };
  return { url, acted: () => acted, close };
}

/** Checks on a runtime that no write acts twice, or is called one that was not sent. */
export async function checkBrokenTls(
  name: string,
  { command, args }: RuntimeProgram,
  folder: string,
): Promise<void> {
  if (skipsWithout(openssl)) return;
  const certificate = makeCertificate();
  try {
    for (const [title, bytes] of Object.entries(breaks)) {
      const service = await brokenService(certificate, bytes);
      const program = [...args, 'broken-tls-program.mjs', service.url];
      const env = { ...process.env, ...certificate.env };
      const { stdout } = await execute(command(), program, { cwd: folder, env });
      service.close();
      assert.deepEqual(JSON.parse(stdout), ['success', 'unknown', 'unknown'], `${name}: ${title}`);
      assert.equal(service.acted(), 3, `${name}: ${title}`);
    }
    console.log(`${name}: a write whose connection of TLS breaks is unknown, and acts once`);
  } finally {
    certificate.remove();
  }
}
