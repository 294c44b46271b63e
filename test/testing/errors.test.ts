// Authentication, paths and errors: rules 1.2, 1.3 and 3.1 to 3.6 of docs/service-rules.md.
import { expect, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';
import { outcome, rest, send } from './http.ts';

const id = 'ABCDEFGHIJKLMNOPQRSTUV';
const unauthorized = { status: 401, message: 'team id or API key not valid' };
const notFound = { status: 'error', message: 'resource not found' };

test.each([
  ['/rest/tag', {}],
  ['/rest/tag', { 'X-Team-ApiKey': 'wrong' }],
  ['/rest/tag', { api_key: 'rest-key' }],
  ['/contact/identify?team_id=team', { api_key: 'rest-key' }],
  ['/contact/identify?team_id=team', { 'X-Team-ApiKey': 'legacy-key' }],
  ['/contact/identify', { api_key: 'legacy-key' }],
  ['/contact/track?team_id=other&email=a%40x.test', { api_key: 'legacy-key' }],
])('POST %s with headers %j gets 401', async (path, headers) => {
  const sandbox = createSandbox({ apiKey: 'rest-key', legacyApiKey: 'legacy-key', teamId: 'team' });
  const body = { email: 'a@x.test' };
  const answer = await send(sandbox, 'POST', `/api/v1${path}`, headers as Record<string, string>, body);
  expect(outcome(answer)).toEqual([401, unauthorized]);
});

test('by default, one key is valid for both interfaces', () => {
  const keys = { apiKey: 'sandbox-key', legacyApiKey: 'sandbox-key', teamId: 'sandbox-team' };
  expect(createSandbox()).toMatchObject(keys);
  expect(createSandbox({ apiKey: 'own' }).legacyApiKey).toBe('own');
});

test('errorStatus changes the HTTP status of an error, but not its body', async () => {
  const sandbox = createSandbox({ ambiguities: { errorStatus: { unauthorized: 200 } } });
  expect(outcome(await send(sandbox, 'GET', '/api/v1/rest/sender', {}))).toEqual([200, unauthorized]);
  expect((await rest(sandbox, 'POST /tag', '{')).status).toBe(400);
});

test.each([204, 205, 304])('a response with the status %d has no body', async status => {
  const sandbox = createSandbox({ ambiguities: { errorStatus: { unauthorized: status } } });
  sandbox.on('GET /none', () => ({ status, body: {} }));
  const call = (path: string, apiKey: string) =>
    sandbox.fetch(`https://sandbox.test/api/v1/rest${path}`, { headers: { 'X-Team-ApiKey': apiKey } });
  for (const response of [await call('/none', 'sandbox-key'), await call('/sender', 'wrong')]) {
    expect([response.status, await response.text()]).toEqual([status, '']);
    expect(response.headers.get('content-type')).toBeNull();
  }
});

test('`fetch` rejects for an invalid URL or an aborted signal, and logs nothing', async () => {
  const sandbox = createSandbox();
  await expect(sandbox.fetch('no address')).rejects.toThrow(TypeError);
  const signal = AbortSignal.abort(new Error('aborted'));
  await expect(sandbox.fetch('https://sandbox.test/api/v1/rest/tag', { signal })).rejects.toThrow('aborted');
  expect(sandbox.requests).toHaveLength(0);
});

test.each(['/', '/api/v1/rest/list/', '/api/v1/rest/post%2Ftag', '/x/api/v1/rest/list'])(
  'the unknown path %s gets 404',
  async path => {
    const sandbox = createSandbox();
    const headers = { 'X-Team-ApiKey': sandbox.apiKey };
    expect(outcome(await send(sandbox, 'GET', path, headers))).toEqual([404, notFound]);
  },
);

test.each([
  ['PATCH', '/list', 'POST, GET'],
  ['OPTIONS', `/list/${id}`, 'DELETE'],
])('%s %s gets 405, and `Allow` lists the methods', async (method, path, allow) => {
  const answer = await rest(createSandbox(), `${method} ${path}`);
  expect(outcome(answer)).toEqual([405, { status: 'error', message: 'method not allowed' }]);
  expect(answer.headers.get('allow')).toBe(allow);
});

test.each(['__proto__', '..%2F..%2Fcontact', '%ff', `tag_${id}%0A`, `list_${id}`, `tag_tag_${id}`])(
  'the identifier %s gets 404',
  async identifier => {
    const sandbox = createSandbox({ seed: { tags: [{ id: `tag_${id}`, name: 'kept' }] } });
    expect(outcome(await rest(sandbox, `DELETE /tag/${identifier}`))).toEqual([404, notFound]);
    expect(sandbox.state.tags.size).toBe(1);
  },
);
