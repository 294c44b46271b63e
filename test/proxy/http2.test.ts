import { connect, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { toNodeListener } from '../../src/proxy/index.ts';
import { makePage } from './page.ts';

const call = JSON.stringify({ operation: 'tags.create', input: { name: 'vip' } });

/** Sends requests over one HTTP/2 connection; status and text of each response. */
async function exchange(requests: { headers: Record<string, string>; body: string | undefined }[]) {
  const server = createServer(toNodeListener(makePage({ allow: ['tags.create'], bodyTimeout: 200 }).handler));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  try {
    const responses: string[] = [];
    for (const { headers, body } of requests) {
      const stream = session.request({ ':method': 'POST', ':path': '/api', ...headers }).setEncoding('utf8');
      let text = '';
      stream.on('response', sent => (text = `${sent[':status']} ${text}`)).on('data', data => (text += data));
      stream.on('error', () => {});
      if (body === undefined) stream.write('{');
      else stream.end(body);
      await new Promise(resolve => stream.once('close', resolve));
      responses.push(text);
    }
    return responses;
  } finally {
    session.destroy();
    server.close();
  }
}

const json = { 'content-type': 'application/json' };

test('performs a call over HTTP/2, of a page of the same host', async () => {
  const [own] = await exchange([
    { headers: { ...json, ':authority': 'app.test', origin: 'https://app.test' }, body: call },
  ]);
  expect(own).toMatch(/^200 .*"name":"vip"/);
  const [other] = await exchange([
    { headers: { ...json, ':authority': 'app.test', origin: 'https://evil.test' }, body: call },
  ]);
  expect(other).toMatch(/^403 /);
});

test('keeps an HTTP/2 connection whose last body was refused', async () => {
  const refused = { headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(1_500_000) };
  const [first, second] = await exchange([refused, { headers: json, body: call }]);
  expect(first).toMatch(/^415 /);
  expect(second).toMatch(/^200 /);
});

test('resets an HTTP/2 stream whose body does not arrive in time, and keeps the connection', async () => {
  const slow = { headers: { ...json, 'content-length': '500' }, body: undefined };
  const [first, second] = await exchange([slow, { headers: json, body: call }]);
  expect(first).toMatch(/^408 /);
  expect(second).toMatch(/^200 /);
});
