// Checks that a write is unknown, and acts once, if its TLS connection breaks after the service has acted.
import assert from 'node:assert/strict';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer, type Socket } from 'node:net';
import { listen } from '../support/listen.ts';
import { openssl, skipsWithout } from '../support/programs.ts';
import { type Certificate, makeCertificate } from './certificate.ts';
import { printedBy, type RuntimeProgram } from './runtimes.ts';

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
  const port = await listen(service, 'localhost');
  const tunnel = createServer(client => {
    const upstream = connect(port, 'localhost', () => {
      clients.set(upstream.localPort, client);
      client.pipe(upstream);
      upstream.on('data', chunk => client.writable && client.write(chunk));
    });
    for (const socket of [client, upstream]) socket.on('error', () => upstream.destroy());
    client.on('close', () => upstream.destroy());
  });
  const url = `https://localhost:${await listen(tunnel, 'localhost')}`;
  const close = () => {
    tunnel.close();
    service.close().closeAllConnections();
  };
  return { url, acted: () => acted, close };
}

/** Checks on a runtime that no write acts twice, or is called one that was not sent. */
export async function checkBrokenTls(name: string, program: RuntimeProgram, folder: string): Promise<void> {
  if (skipsWithout(openssl)) return;
  const certificate = makeCertificate();
  try {
    for (const [title, bytes] of Object.entries(breaks)) {
      const service = await brokenService(certificate, bytes);
      const args = ['broken-tls-program.mjs', service.url];
      const printed = await printedBy(program, folder, args, certificate.env);
      service.close();
      assert.deepEqual(printed, ['success', 'unknown', 'unknown'], `${name}: ${title}`);
      assert.equal(service.acted(), 3, `${name}: ${title}`);
    }
    console.log(`${name}: a write whose connection of TLS breaks is unknown, and acts once`);
  } finally {
    certificate.remove();
  }
}
