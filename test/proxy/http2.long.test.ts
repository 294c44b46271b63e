// The listener behind a server of `node:http2` with TLS, which serves HTTP/1.1 too.
import { once } from 'node:events';
import { connect, createSecureServer } from 'node:http2';
import { request } from 'node:https';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toNodeListener } from '../../src/proxy/index.ts';
import { type Certificate, makeCertificate } from '../runtimes/certificate.ts';
import { listen } from '../support/listen.ts';
import { openssl, skipsWithout } from '../support/programs.ts';
import { makePage } from './page.ts';

let certificate: Certificate | undefined;
beforeAll(() => {
  certificate = skipsWithout(openssl) ? undefined : makeCertificate();
});
afterAll(() => certificate?.remove());

const call = JSON.stringify({ operation: 'tags.create', input: { name: 'vip' } });
const headers = { 'content-type': 'application/json', 'x-call-id': 'a'.repeat(32) };

/** Sends a call over HTTP/2, and returns the status and the text of the response. */
async function byHttp2(origin: string, ca: Buffer): Promise<[unknown, string]> {
  const session = connect(origin, { ca });
  try {
    const stream = session.request({ ':method': 'POST', ':path': '/api', origin, ...headers });
    stream.end(call);
    const [{ ':status': status }] = await once(stream, 'response');
    return [status, (await stream.setEncoding('utf8').toArray()).join('')];
  } finally {
    session.destroy();
  }
}

/** Sends a call over HTTP/1.1, and returns the status and the text of the response. */
async function byHttp1(origin: string, ca: Buffer): Promise<[unknown, string]> {
  const outgoing = request(`${origin}/api`, { method: 'POST', ca, headers: { ...headers, origin } });
  outgoing.end(call);
  const [response] = await once(outgoing, 'response');
  return [response.statusCode, (await response.setEncoding('utf8').toArray()).join('')];
}

test.each([
  ['HTTP/2', byHttp2],
  ['HTTP/1.1', byHttp1],
])('one server with TLS performs a call of a page of its own origin over %s', async (_, send) => {
  if (!certificate) return;
  const { key, cert } = certificate;
  const listener = toNodeListener(makePage({ allow: ['tags.create'] }).handler);
  const server = createSecureServer({ key, cert, allowHTTP1: true }, listener);
  try {
    const [status, text] = await send(`https://localhost:${await listen(server, 'localhost')}`, cert);
    expect([status, text]).toEqual([200, expect.stringContaining('"name":"vip"')]);
  } finally {
    server.close();
  }
});
