import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createSandbox, type SandboxServer } from '../../src/testing/index.ts';

/** Sends bytes as they are. Resolves to what comes back until the server closes the connection. */
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

test('the server binds to loopback, on a port that the system chooses', async () => {
  await using server = await createSandbox().listen();
  expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
  expect(server.port).toBeGreaterThan(0);
});

/** Whether the server still responds. */
const isUp = async ({ url }: SandboxServer) =>
  (await fetch(`${url}/api/v1/rest/list`, { headers: { 'X-Team-ApiKey': 'sandbox-key' } })).ok;

/** The head of a request, as bytes. */
const head = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'Host: localhost', ...headers, '\r\n'].join('\r\n');
const close = 'Connection: close';

test.each([
  ['an absolute URL', head('GET http://evil.test/api/v1/rest/list', close), 200],
  ['a request for `*`', head('OPTIONS *', close), 404],
  ['a key that is not ASCII', head('GET /api/v1/rest/list', 'X-Team-ApiKey: \xff\xfe', close), 401],
])('%s gets a response, and the server stays up', async (_, bytes, status) => {
  await using server = await createSandbox().listen();
  const answer = await raw(server.port, bytes);
  expect(Number(answer.split(' ')[1])).toBe(status);
  if (status >= 400)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ message: expect.any(String) });
  expect(await isUp(server)).toBe(true);
});

test('close ends open connections', async () => {
  const sandbox = createSandbox();
  const server = await sandbox.listen();
  sandbox.stall('GET /sender');
  const call = fetch(`${server.url}/api/v1/rest/sender`, { headers: { 'X-Team-ApiKey': sandbox.apiKey } });
  while (sandbox.requests.length === 0) await new Promise(resolve => setTimeout(resolve, 5));
  await server.close();
  await expect(call).rejects.toThrow(TypeError);
});

async function statusFor(host: string, path: string) {
  await using server = await createSandbox().listen();
  const sent = request({ port: server.port, path, headers: { host } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

test.each([
  'LOCALHOST:4010',
  '127.8.9.10:80',
  '[::1]',
  '10.0.0.1',
  'sandbox:4010',
  'Sandbox.local',
  'host.docker.internal',
  'app.localhost',
  'sandbox.test',
])('the private name %s is accepted', async host => {
  expect(await statusFor(host, '/_sandbox/requests')).toBe(200);
});

test.each(['evil.example:4010', 'localhost.example', '127.0.0.1.evil.example', 'localhost@evil'])(
  'the host %s can read neither the request log nor the web page nor the service',
  async host => {
    for (const path of ['/_sandbox/requests', '/', '/api/v1/rest/list'])
      expect(await statusFor(host, path)).toBe(403);
  },
);

const page = 'http://localhost:5173';

test('a web page of another origin cannot use the controls', async () => {
  const sandbox = createSandbox({ seed: { contacts: 1 } });
  await using server = await sandbox.listen();
  sandbox.fail('tags.create');
  const before = sandbox.snapshot();
  const body = '{"ms":1000,"operation":"*","kind":"fail"}';
  const headers = { origin: page };
  for (const path of ['view', 'records/contacts', 'requests', 'faults/1', 'snapshot'])
    expect((await fetch(`${server.url}/_sandbox/${path}`, { headers })).status).toBe(404);
  for (const path of ['POST reset', 'POST faults', 'PUT snapshot', 'DELETE faults']) {
    const [method = '', name] = path.split(' ');
    expect((await fetch(`${server.url}/_sandbox/${name}`, { method, headers, body })).status, path).toBe(404);
  }
  expect([sandbox.snapshot(), sandbox.faults().length]).toEqual([before, 1]);
});
