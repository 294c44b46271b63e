import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';

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

test('a port that is taken is an error', async () => {
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

test('a caller that goes away in the middle of its body does no harm', async () => {
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

test('a body without end is refused while it still comes', async () => {
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

test('close ends what is open', async () => {
  const sandbox = createSandbox();
  const server = await sandbox.listen();
  sandbox.stall('GET /sender');
  const call = fetch(`${server.url}/api/v1/rest/sender`, { headers: { 'X-Team-ApiKey': sandbox.apiKey } });
  while (sandbox.requests.length === 0) await new Promise(resolve => setTimeout(resolve, 5));
  await server.close();
  await expect(call).rejects.toThrow(TypeError);
});
