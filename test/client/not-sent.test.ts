// Failures before anything is sent, such as those of a proxy from the environment.
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { Agent } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CallOptions, EmailMarketingClient } from '../../src/index.ts';
import { eventually } from '../support/eventually.ts';
import { connect, errorOf, useDispatcher, useNoRetryDelay } from './support.ts';

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
      'no connection to api.example.test:443 by way of 127.0.0.1:9 (ECONNREFUSED)',
    ),
  });
});

const record = (client: EmailMarketingClient, options: CallOptions = {}) =>
  client.events.record({ name: 'seen', identifier: 'ada@x.test' }, options).safe();

describe('a host that never connects', () => {
  const neverConnects = { connect: () => {} };

  test('means that nothing was sent when `timeout` ends an attempt, and every call is retried', async () => {
    const { server, client } = await connect({ timeout: 30 });
    useDispatcher(new Agent(neverConnects));
    const { host } = new URL(server.url);
    expect(await record(client)).toMatchObject({
      error: {
        name: 'TimeoutError',
        outcome: 'not-sent',
        attempts: [{}, {}, {}],
        message: expect.stringContaining(`no connection to ${host} was made within 30 ms (timeout)`),
      },
    });
  });

  test('means that nothing was sent when `totalTimeout` or an abort ends the call', async () => {
    const { client } = await connect();
    useDispatcher(new Agent(neverConnects));
    expect(await record(client, { totalTimeout: 30 })).toMatchObject({
      error: { name: 'TimeoutError', limit: 'totalTimeout', outcome: 'not-sent', attempts: [{}] },
    });
    const signal = AbortSignal.timeout(30);
    expect(await record(client, { signal })).toMatchObject({
      error: { name: 'CallAbortedError', outcome: 'not-sent', attempts: [{}] },
    });
  });

  test('leaves the outcome of an attempt that may have acted', async () => {
    const { server, client } = await connect({ timeout: 1_000 });
    server.next(({ socket }) => {
      useDispatcher(new Agent(neverConnects));
      socket.resetAndDestroy();
    });
    const call = client.legacy.track({ email: 'a@x.test', addTags: ['a'] }, { timeout: 50, maxRetries: 1 });
    expect(await errorOf(call)).toMatchObject({ name: 'TimeoutError', outcome: 'unknown' });
  });
});

test('a call that waits for the only connection was not sent, and is not sent later', async () => {
  const { server, client } = await connect({ maxRetries: 0 });
  useDispatcher(new Agent({ connections: 1 }));
  const responses: (() => void)[] = [];
  server.next(({ response, normal }) => void responses.push(() => response.end(normal)));
  const first = record(client);
  await eventually(() => expect(responses).toHaveLength(1));
  const controller = new AbortController();
  const aborted = record(client, { signal: controller.signal });
  expect(await record(client, { timeout: 50 })).toMatchObject({ error: { outcome: 'not-sent' } });
  controller.abort();
  expect(await aborted).toMatchObject({ error: { name: 'CallAbortedError', outcome: 'not-sent' } });
  responses[0]?.();
  expect(await first).toMatchObject({ ok: true });
  expect(await record(client)).toMatchObject({ ok: true });
  expect(server.received).toHaveLength(2);
});

test.each(['close', 'destroy'] as const)('a call after the %s of the dispatcher was not sent', async end => {
  const { client } = await connect();
  await useDispatcher(new Agent())[end]();
  expect(await record(client)).toMatchObject({
    error: { name: 'ConnectionError', outcome: 'not-sent', attempts: [{}, {}, {}] },
  });
});

test('a call that is in flight when the dispatcher is destroyed may have acted', async () => {
  const { server, client } = await connect();
  const agent = useDispatcher(new Agent());
  server.next(() => void agent.destroy());
  expect(await record(client)).toMatchObject({ error: { outcome: 'unknown', attempts: [{}] } });
});
