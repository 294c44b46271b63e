import { expect, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';

type Json = Record<string, unknown>;

async function control(url: string, request: string, body?: unknown, headers: Record<string, string> = {}) {
  const [method = '', path = ''] = request.split(' ');
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body: text }) });
  return { status: answer.status, body: (await answer.json()) as Json & Json[] };
}

test('another process switches faults on and off', async () => {
  const sandbox = createSandbox();
  await using server = await sandbox.listen();
  const order = { operation: 'GET /sender', kind: 'fail', status: 502, times: 5 };
  const { body: added } = await control(server.url, 'POST /_sandbox/faults', order);
  expect(added).toMatchObject({ ...order, hits: 0, number: 1 });
  const call = () =>
    fetch(`${server.url}/api/v1/rest/sender`, { headers: { 'X-Team-ApiKey': sandbox.apiKey } });
  expect((await call()).status).toBe(502);
  expect((await control(server.url, 'GET /_sandbox/faults')).body).toMatchObject([{ hits: 1 }]);
  expect((await control(server.url, 'DELETE /_sandbox/faults/1')).body).toBe(true);
  expect((await call()).status).toBe(200);
  await control(server.url, 'POST /_sandbox/faults', order);
  await control(server.url, 'DELETE /_sandbox/faults');
  expect(sandbox.faults()).toEqual([]);
});

test.each([
  '{',
  'null',
  {},
  { operation: 'GET /nope', kind: 'fail' },
  { operation: '*', kind: 'explode' },
  { operation: '*', kind: '__proto__' },
  { operation: '*', kind: 'fail', status: 'x' },
  { operation: '*', kind: 'latency' },
])('the impossible fault %j is refused', async body => {
  const sandbox = createSandbox();
  await using server = await sandbox.listen();
  const answer = await control(server.url, 'POST /_sandbox/faults', body);
  expect(answer).toMatchObject({ status: 400, body: { status: 'error', message: expect.any(String) } });
  expect(sandbox.faults()).toEqual([]);
});

test('another process reads the journal, without keys, and resets', async () => {
  const sandbox = createSandbox();
  await using server = await sandbox.listen();
  await fetch(`${server.url}/api/v1/rest/sender`, { headers: { 'X-Team-ApiKey': 'a-secret-key' } });
  await fetch(`${server.url}/api/v1/rest/list`, { headers: { 'X-Team-ApiKey': 'a-secret-key' } });
  const { body } = await control(server.url, 'GET /_sandbox/requests?operation=GET%20%2Fsender');
  expect(body).toMatchObject([
    { endpoint: 'GET /sender', status: 401, headers: { 'x-team-apikey': '[redacted]' } },
  ]);
  expect(JSON.stringify((await control(server.url, 'GET /_sandbox/view')).body)).not.toContain(
    'a-secret-key',
  );
  expect((await control(server.url, 'POST /_sandbox/reset')).status).toBe(200);
  expect(sandbox.requests).toHaveLength(0);
});

test('a page of another site can switch nothing', async () => {
  const sandbox = createSandbox();
  await using server = await sandbox.listen();
  const order = { operation: '*', kind: 'fail' };
  const answer = await control(server.url, 'POST /_sandbox/faults', order, { origin: 'https://evil.test' });
  expect(answer.status).toBe(404);
  expect(sandbox.faults()).toEqual([]);
});

test('the site and its controls are not in the journal', async () => {
  const sandbox = createSandbox();
  await using server = await sandbox.listen();
  const home = await fetch(server.url);
  expect(home.headers.get('content-type')).toMatch(/^text\/html/);
  expect(await home.text()).toContain('<title>Email marketing sandbox</title>');
  await control(server.url, 'GET /_sandbox/view');
  expect(sandbox.requests).toHaveLength(0);
  expect((await control(server.url, 'GET /_sandbox/unknown')).status).toBe(404);
});
