import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createSandbox, type ListenOptions } from '../../src/testing/index.ts';

/** Sends bytes as they are, and gives what comes back until the other side closes. */
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

test('binds to loopback, on a port of the system', async () => {
  await using server = await createSandbox().listen();
  expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
  expect(server.port).toBeGreaterThan(0);
});

test('rejects if the port is in use', async () => {
  await using server = await createSandbox().listen();
  await expect(createSandbox().listen(server.port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test.each([
  ['no HTTP at all', 'hello\r\n\r\n', 400],
  ['a header with a line break tricked in', 'GET / HTTP/1.1\r\nHost: localhost\r\nX: a\rb\r\n\r\n', 400],
  [
    'an absolute address',
    'GET http://evil.test/api/v1/rest/list HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    200,
  ],
  [
    'two slashes at first',
    'GET //evil.test/api/v1/rest/list HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    404,
  ],
  ['steps up', 'GET /api/v1/rest/../../../etc HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 404],
  ['an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 404],
  [
    'two lengths',
    'POST /api/v1/rest/tag HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
    400,
  ],
  [
    'a key in two headers',
    'GET /api/v1/rest/list HTTP/1.1\r\nHost: localhost\r\nX-Team-ApiKey: sandbox-key\r\nX-Team-ApiKey: x\r\nConnection: close\r\n\r\n',
    401,
  ],
  [
    'a key with foreign bytes',
    'GET /api/v1/rest/list HTTP/1.1\r\nHost: localhost\r\nX-Team-ApiKey: \xff\xfe\r\nConnection: close\r\n\r\n',
    401,
  ],
])('%s gets a response, and the server stays up', async (_, bytes, status) => {
  const sandbox = createSandbox();
  await using server = await sandbox.listen();
  const answer = await raw(server.port, bytes);
  expect(Number(answer.split(' ')[1])).toBe(status);
  if (status >= 400)
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ message: expect.any(String) });
  expect(
    (await fetch(`${server.url}/api/v1/rest/list`, { headers: { 'X-Team-ApiKey': sandbox.apiKey } })).status,
  ).toBe(200);
});

test('survives a caller that disconnects in the middle of its body', async () => {
  const sandbox = createSandbox();
  await using server = await sandbox.listen();
  const head =
    'POST /api/v1/rest/tag HTTP/1.1\r\nHost: localhost\r\nX-Team-ApiKey: sandbox-key\r\nContent-Length: 100\r\n\r\n{"na';
  await new Promise<void>(resolve => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(head, () => socket.destroy()));
    socket.on('close', () => resolve());
  });
  expect(
    (await fetch(`${server.url}/api/v1/rest/list`, { headers: { 'X-Team-ApiKey': sandbox.apiKey } })).status,
  ).toBe(200);
  expect(sandbox.state.tags.size).toBe(0);
});

test('rejects an endless body while it is still being sent', async () => {
  await using server = await createSandbox({ maxBodyBytes: 1000 }).listen();
  const socket = connect(server.port, '127.0.0.1');
  socket.write(
    'POST /api/v1/rest/tag HTTP/1.1\r\nHost: localhost\r\nX-Team-ApiKey: sandbox-key\r\nContent-Length: 1000000000\r\n\r\n',
  );
  socket.write('x'.repeat(5000));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
  socket.destroy();
});

test('close closes open connections', async () => {
  const sandbox = createSandbox();
  const server = await sandbox.listen();
  sandbox.stall('GET /sender');
  const call = fetch(`${server.url}/api/v1/rest/sender`, { headers: { 'X-Team-ApiKey': sandbox.apiKey } });
  while (sandbox.requests.length === 0) await new Promise(resolve => setTimeout(resolve, 5));
  await server.close();
  await expect(call).rejects.toThrow(TypeError);
});

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

const page = 'http://localhost:5173';

test('a web page of an allowed origin may call the service, and no other', async () => {
  await using server = await createSandbox({ corsOrigins: [page] }).listen();
  const call = (origin: string) =>
    fetch(`${server.url}/api/v1/rest/sender`, { headers: { origin, 'X-Team-ApiKey': 'sandbox-key' } });
  expect((await call(page)).headers.get('access-control-allow-origin')).toBe(page);
  expect((await call('http://localhost:9999')).headers.get('access-control-allow-origin')).toBe(null);
});

test('a preflight request allows the requested headers, and is not in the request log', async () => {
  const sandbox = createSandbox({ corsOrigins: [page] });
  await using server = await sandbox.listen();
  const response = await fetch(`${server.url}/api/v1/rest/tag`, {
    method: 'OPTIONS',
    headers: {
      origin: page,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-team-apikey',
    },
  });
  expect(response.status).toBe(204);
  expect(response.headers.get('access-control-allow-headers')).toBe('x-team-apikey');
  expect(sandbox.requests).toHaveLength(0);
});

test('without corsOrigins no web page of another origin may call', async () => {
  await using server = await createSandbox().listen();
  const response = await fetch(`${server.url}/api/v1/rest/sender`, { headers: { origin: page } });
  expect(response.headers.get('access-control-allow-origin')).toBe(null);
});

test('no web page of another origin may use the controls, even an allowed one', async () => {
  const sandbox = createSandbox({ corsOrigins: [page], seed: { contacts: 1 } });
  await using server = await sandbox.listen();
  for (const path of ['view', 'live', 'records/contacts', 'requests'])
    expect((await fetch(`${server.url}/_sandbox/${path}`, { headers: { origin: page } })).status).toBe(404);
});
