import { expect, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';
import { memoryInUse } from '../support/memory.ts';
import { legacy, rest, send } from './http.ts';

test('the request log keeps each request and its response', async () => {
  const sandbox = createSandbox();
  await legacy(sandbox, 'POST /contact/track?email=a%2Bb%40x.test', { addTags: ['x'] });
  expect(sandbox.requests).toHaveLength(1);
  expect(sandbox.requests[0]).toMatchObject({
    number: 1,
    endpoint: 'POST /contact/track',
    operation: 'legacy.track',
    method: 'POST',
    path: '/api/v1/contact/track',
    query: { email: 'a+b@x.test', team_id: 'sandbox-team' },
    headers: { api_key: 'sandbox-key' },
    body: { addTags: ['x'] },
    status: 404,
  });
  expect(String(sandbox.requests[0]?.durationMs)).toMatch(/^\d+(\.\d)?$/);
});

test('the request log is searched by operation, endpoint and pattern', async () => {
  const sandbox = createSandbox();
  for (const name of ['a', 'b']) await rest(sandbox, 'POST /tag', { name });
  await legacy(sandbox, 'POST /contact/identify', { email: 'a@x.test' });
  await rest(sandbox, 'GET /contact?limit=5&search=ada');
  expect(sandbox.requests.count('POST /tag')).toBe(2);
  expect(sandbox.requests.count('tags.create')).toBe(2);
  expect(sandbox.requests.count()).toBe(4);
  expect(sandbox.requests.to('POST /tag').map(({ body }) => body)).toEqual([{ name: 'a' }, { name: 'b' }]);
  expect(sandbox.requests.to('tags.create')).toEqual(sandbox.requests.to('POST /tag'));
  expect(sandbox.requests.last('legacy.identify')?.endpoint).toBe('POST /contact/identify');
  expect(sandbox.requests.last('POST /tag')?.body).toEqual({ name: 'b' });
  expect(sandbox.requests.last()?.endpoint).toBe('GET /contact');
  expect(
    sandbox.requests.matching({ endpoint: 'GET /contact', query: { limit: '5' }, status: 200 }),
  ).toHaveLength(1);
  expect(sandbox.requests.matching({ operation: 'tags.create', status: 200 })).toHaveLength(2);
  expect(sandbox.requests.matching({ body: { name: 'c' } })).toEqual([]);
  expect(sandbox.requests.to('DELETE /tag/{identifier}')).toEqual([]);
});

test.each<[pattern: unknown, message: string | RegExp]>([
  [{ qury: {} }, /^unknown member of a request "qury"; valid: .*\bquery, headers, body, status, /],
  [{ query: 'limit=5' }, 'matching: query must be an object of strings (got "limit=5")'],
  [{ body: 'vip' }, 'matching: body must be an object or array; to match text, use a function (got "vip")'],
  [() => true, 'matching: options must be an object (got function)'],
])('the pattern %o, which matches no request, throws', (pattern, message) => {
  expect(() => createSandbox().requests.matching(pattern as object)).toThrow(message);
});

test('a pattern compares arrays as a whole, and objects by the given members', async () => {
  const sandbox = createSandbox();
  await legacy(sandbox, 'POST /contact/track?email=a%40x.test', { addTags: ['x', 'y'] });
  const found = (addTags: unknown) => sandbox.requests.matching({ body: { addTags } }).length;
  expect([['x', 'y'], ['x'], { 0: 'x' }, 'x'].map(found)).toEqual([1, 0, 0, 0]);
});

test('of a query parameter that is repeated, the first counts, for the service, a handler and the log', async () => {
  const sandbox = createSandbox({ seed: { contacts: 5 } });
  sandbox.on('GET /echo', ({ query }) => ({ body: query }));
  expect((await rest(sandbox, 'GET /contact?limit=1&limit=3')).body).toHaveLength(1);
  expect((await rest(sandbox, 'GET /echo?limit=1&limit=3')).body).toEqual({ limit: '1' });
  expect(sandbox.requests.map(({ query }) => query)).toEqual([{ limit: '1' }, { limit: '1' }]);
});

test('a request to an unknown path is in the log, without an endpoint or operation', async () => {
  const sandbox = createSandbox();
  await send(sandbox, 'POST', '/nowhere', {}, 'text');
  expect(sandbox.requests.last()).toMatchObject({ path: '/nowhere', body: 'text', status: 404 });
  expect(sandbox.requests.last()?.endpoint).toBeUndefined();
  expect(sandbox.requests.last()?.operation).toBeUndefined();
});

test('maxLoggedRequests limits the log, which removes its oldest tenth at a time', async () => {
  const sandbox = createSandbox({ maxLoggedRequests: 100 });
  for (let call = 0; call < 101; call++) await rest(sandbox, 'GET /sender');
  expect(sandbox.requests.map(({ number }) => number)).toEqual(
    Array.from({ length: 90 }, (_, at) => at + 12),
  );
  sandbox.requests.length = 0;
  for (let call = 0; call < 100; call++) await rest(sandbox, 'GET /sender');
  expect(sandbox.requests).toHaveLength(100);
});

test('the log keeps at most 100 million characters of requests and responses, the newest ones', async () => {
  const sandbox = createSandbox();
  const url = (path: string) => `https://sandbox.test/${path}`;
  sandbox.fail('*', { body: 'r'.repeat(99_999_000), times: 1 });
  for (const path of ['first', 'second']) await sandbox.fetch(url(path));
  expect(sandbox.requests.map(({ number }) => number)).toEqual([1, 2]);
  // Addresses, headers and bodies count too.
  await sandbox.fetch(url('p'.repeat(400)), {
    method: 'POST',
    headers: { x: 'h'.repeat(300) },
    body: 'b'.repeat(300),
  });
  expect(sandbox.requests.map(({ number }) => number)).toEqual([2, 3]);
  sandbox.fail('*', { body: 'r'.repeat(100_000_001), times: 1 });
  await sandbox.fetch(url('largest'));
  expect(sandbox.requests.map(({ number }) => number)).toEqual([4]);
});

test('the log keeps bodies as text, because parsed JSON takes ten times the memory', async () => {
  const sandbox = createSandbox();
  const body = `{"data":[${'{},'.repeat(25_000)}{}]}`;
  const before = memoryInUse();
  for (let call = 0; call < 20; call++) await rest(sandbox, 'POST /nowhere', body);
  expect(memoryInUse() - before).toBeLessThan(20 * body.length * 4);
  expect(sandbox.requests.last()).toMatchObject({ body: JSON.parse(body) });
});
