import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect, test } from 'vitest';
import { createSandbox, type SandboxServer } from '../../src/testing/index.ts';
import { eventually } from '../support/eventually.ts';

/** Sends a request with any head. Resolves to the status. */
async function statusOf({ port }: SandboxServer, path: string, headers = {}, method = 'GET') {
  const key = { 'x-team-apikey': 'sandbox-key' };
  const sent = request({ port, path, method, headers: { ...key, ...headers } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

test('an absolute URL, a request for `*` and a key that is not ASCII get a response', async () => {
  await using server = await createSandbox().listen();
  expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
  expect(await statusOf(server, 'http://evil.test/api/v1/rest/sender')).toBe(200);
  expect(await statusOf(server, '*', {}, 'OPTIONS')).toBe(404);
  expect(await statusOf(server, '/api/v1/rest/sender', { 'x-team-apikey': '\xff\xfe' })).toBe(401);
});

test('close ends open connections', async () => {
  const sandbox = createSandbox();
  const server = await sandbox.listen();
  sandbox.stall('GET /sender');
  const call = fetch(`${server.url}/api/v1/rest/sender`, { headers: { 'X-Team-ApiKey': sandbox.apiKey } });
  await eventually(() => expect(sandbox.requests).toHaveLength(1));
  await server.close();
  await expect(call).rejects.toThrow(TypeError);
});

test.each([
  ['LOCALHOST:4010', 200],
  ['127.8.9.10:80', 200],
  ['[::1]', 200],
  ['sandbox:4010', 200],
  ['Sandbox.local', 200],
  ['host.docker.internal', 200],
  ['app.localhost', 200],
  ['sandbox.test', 200],
  ['evil.example:4010', 403],
  ['localhost.example', 403],
  ['127.0.0.1.evil.example', 403],
  ['localhost@evil', 403],
])('requests to the host %s get %d', async (host, status) => {
  await using server = await createSandbox().listen();
  for (const path of ['/_sandbox/requests', '/', '/api/v1/rest/sender'])
    expect(await statusOf(server, path, { host })).toBe(status);
});

test('a web page of another origin cannot use the controls', async () => {
  const sandbox = createSandbox({ seed: { contacts: 1 } });
  await using server = await sandbox.listen();
  sandbox.fail('tags.create');
  const before = sandbox.snapshot();
  const body = '{"operation":"*","kind":"fail"}';
  const reads = ['view', 'records/contacts', 'requests', 'faults/1', 'snapshot'].map(path => `GET ${path}`);
  for (const path of [...reads, 'POST reset', 'POST faults', 'PUT snapshot', 'DELETE faults']) {
    const [method = '', name] = path.split(' ');
    const init = { method, headers: { origin: 'http://localhost:5173' }, ...(method !== 'GET' && { body }) };
    expect((await fetch(`${server.url}/_sandbox/${name}`, init)).status, path).toBe(404);
  }
  expect([sandbox.snapshot(), sandbox.faults().length]).toEqual([before, 1]);
});
