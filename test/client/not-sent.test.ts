// Failures before anything is sent: of a proxy from the environment; and what only sounds like one.
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { status } from '../support/faults.ts';
import { connect, errorOf, useNoRetryDelay } from './support.ts';

useNoRetryDelay();

/** Starts a proxy that refuses each CONNECT, and records the requested hosts. */
async function startProxy(): Promise<{ url: string; asked: unknown[] }> {
  const asked: unknown[] = [];
  const proxy = createServer().on('connect', ({ url }, socket) => {
    asked.push(url);
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
  });
  await new Promise<void>(listening => proxy.listen(0, '127.0.0.1', listening));
  onTestFinished(() => void proxy.close());
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked };
}

const program = `
  import { EmailMarketingClient } from ${JSON.stringify(new URL('../../src/index.ts', import.meta.url).href)};
  const client = new EmailMarketingClient({ baseUrl: 'https://api.example.test', apiKey: 'key', maxRetries: 0 });
  const { error } = await client.tags.create({ name: 'vip' }).safe();
  console.log(JSON.stringify(error));
`;

/** Runs the program with a proxy in the environment, and returns its error. */
async function errorThrough(proxy: string): Promise<object> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--no-warnings', '--experimental-strip-types', '--input-type=module', '-e', program],
    { env: { ...process.env, NODE_USE_ENV_PROXY: '1', HTTPS_PROXY: proxy } },
  );
  return JSON.parse(stdout);
}

test('a proxy from the environment that refuses CONNECT means that nothing was sent', async () => {
  const { url, asked } = await startProxy();
  expect(await errorThrough(url)).toMatchObject({ name: 'ConnectionError', outcome: 'not-sent' });
  expect(asked).toEqual(['api.example.test:443']);
});

test('the error names a proxy from the environment that does not run, without its password', async () => {
  expect(await errorThrough('http://user:pass@127.0.0.1:9')).toMatchObject({
    name: 'ConnectionError',
    outcome: 'not-sent',
    message: expect.stringContaining(
      'no connection to api.example.test:443 through the proxy at 127.0.0.1:9 (ECONNREFUSED)',
    ),
  });
});

test('a write that acted and failed is sent once, even if `fetch` throws the code of the body', async () => {
  const throwsCode: typeof fetch = async (url, init) => {
    const response = await fetch(url, init);
    const { message, code } = (await response.json()) as { message: string; code: string };
    throw Object.assign(new Error(message), { code });
  };
  const { server, client } = await connect({ fetch: throwsCode });
  server.otherwise(status(500, {}, '{"message":"connect ECONNREFUSED","code":"ECONNREFUSED"}'));
  expect(await errorOf(client.tags.create({ name: 'vip' }))).toMatchObject({ outcome: 'unknown' });
  expect(server.received).toHaveLength(1);
});

test.each([undefined, Number.NaN])(
  'a write is not `refused` by a response of `fetch` whose status is %s',
  async code => {
    const withoutStatus = async () => ({
      status: code as number,
      headers: new Headers(),
      text: async () => 'done',
    });
    const { client } = await connect({ fetch: withoutStatus });
    expect(await errorOf(client.tags.create({ name: 'vip' }))).toMatchObject({ outcome: 'unknown' });
  },
);
