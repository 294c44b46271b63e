import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect, test } from 'vitest';
import { createSandbox, type ListenOptions } from '../../src/testing/index.ts';

async function statusFor(
  host: string,
  path: string,
  options: ListenOptions = {},
): Promise<number | undefined> {
  await using server = await createSandbox().listen(0, options);
  const sent = request({ port: server.port, path, headers: { host } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

test.each(['localhost', 'LOCALHOST:4010', '127.0.0.1', '127.8.9.10:80', '[::1]:4010'])(
  'the loopback name %s is accepted',
  async host => {
    expect(await statusFor(host, '/_sandbox/requests')).toBe(200);
  },
);

test.each([
  'evil.test',
  'evil.test:4010',
  'a.localhost',
  '127.0.0.1.evil.test',
  'a:b@c',
  '10.0.0.1',
  'localhost@evil',
])('the host "%s" can read neither the request log nor the web page nor the service', async host => {
  for (const path of ['/_sandbox/requests', '/', '/api/v1/rest/list'])
    expect(await statusFor(host, path)).toBe(403);
});

test('allowedHosts names further hosts', async () => {
  const options = { allowedHosts: ['Sandbox.local'] };
  expect(await statusFor('sandbox.local:4010', '/', options)).toBe(200);
  expect(await statusFor('other.local', '/', options)).toBe(403);
});

test('a server on every interface accepts any IP address, which cannot be rebound, and no other name', async () => {
  const options = { host: '0.0.0.0' };
  expect(await statusFor('192.168.1.5:4010', '/', options)).toBe(200);
  expect(await statusFor('evil.test', '/', options)).toBe(403);
});
