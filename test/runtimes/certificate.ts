// Makes the certificate of a server on loopback.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openssl, pathOf } from '../support/programs.ts';

/** A self-signed certificate of `localhost` and 127.0.0.1. */
export type Certificate = ReturnType<typeof makeCertificate>;

export function makeCertificate() {
  const folder = mkdtempSync(join(tmpdir(), 'email-marketing-client-certificate-'));
  const [key, file] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  execFileSync(
    pathOf(openssl),
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
      // Deno does not accept the certificate of an authority for a server.
      ...[
        '-addext',
        'basicConstraints=critical,CA:FALSE',
        '-addext',
        'subjectAltName=DNS:localhost,IP:127.0.0.1',
      ],
      ...['-keyout', key, '-out', file],
    ],
    { stdio: 'ignore' },
  );
  return {
    key: readFileSync(key),
    cert: readFileSync(file),
    /** Variables by which runtimes trust it. */
    env: { NODE_EXTRA_CA_CERTS: file, DENO_CERT: file },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
