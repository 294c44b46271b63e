import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';
import { eventually } from '../support/eventually.ts';

test('the server binds to loopback, on a port that the system chooses', async () => {
  await using server = await createSandbox().listen();
  expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
  expect(server.port).toBeGreaterThan(0);
});

/** Sends bytes. Resolves to what comes back until the server closes the connection. */
function raw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    socket.on('data', chunk => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer)).on('error', reject);
  });
}

test.each([
  ['GET http://evil.test/api/v1/rest/sender', 'X-Team-ApiKey: sandbox-key', 200],
  ['OPTIONS *', 'X-Team-ApiKey: sandbox-key', 404],
  ['GET /api/v1/rest/sender', 'X-Team-ApiKey: \xff\xfe', 401],
])('the odd request %s with the header %j gets %d', async (line, header, status) => {
  await using server = await createSandbox().listen();
  const head = [`${line} HTTP/1.1`, 'Host: localhost', header, 'Connection: close', '\r\n'].join('\r\n');
  expect(Number((await raw(server.port, head)).split(' ')[1])).toBe(status);
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
  ['10.0.0.1', 200],
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
  for (const path of ['/_sandbox/requests', '/', '/api/v1/rest/sender']) {
    const headers = { host, 'x-team-apikey': 'sandbox-key' };
    const sent = request({ port: server.port, path, headers }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(status);
  }
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
