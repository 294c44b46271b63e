import { expect, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';
import { legacy, rest, send } from './http.ts';

test('the request log keeps each request and its response', async () => {
  const sandbox = createSandbox();
  await legacy(sandbox, 'POST /contact/track?email=a%2Bb%40x.test', { addTags: ['x'] });
  await send(sandbox, 'POST', '/nowhere', {}, 'text');
  const [track, nowhere] = sandbox.requests;
  expect(track).toMatchObject({
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
  expect(String(track?.durationMs)).toMatch(/^\d+(\.\d)?$/);
  expect(nowhere).toMatchObject({ number: 2, path: '/nowhere', body: 'text', status: 404 });
  expect([nowhere?.endpoint, nowhere?.operation]).toEqual([undefined, undefined]);
});

test('the request log is searched by operation, endpoint and pattern', async () => {
  const sandbox = createSandbox();
  for (const name of ['a', 'b']) await rest(sandbox, 'POST /tag', { name });
  await legacy(sandbox, 'POST /contact/track?email=a%40x.test', { addTags: ['x', 'y'] });
  await rest(sandbox, 'GET /contact?limit=5&limit=30&search=ada');
  const { requests } = sandbox;
  expect([requests.count(), requests.count('POST /tag'), requests.count('tags.create')]).toEqual([4, 2, 2]);
  expect(requests.to('POST /tag').map(({ body }) => body)).toEqual([{ name: 'a' }, { name: 'b' }]);
  expect(requests.to('tags.create')).toEqual(requests.to('POST /tag'));
  expect(requests.to('DELETE /tag/{identifier}')).toEqual([]);
  expect(requests.last('legacy.track')?.endpoint).toBe('POST /contact/track');
  expect(requests.last('POST /tag')?.body).toEqual({ name: 'b' });
  expect(requests.last()?.endpoint).toBe('GET /contact');
  // The first value of a repeated parameter counts.
  const page = { endpoint: 'GET /contact', query: { limit: '5' }, status: 200 } as const;
  for (const [pattern, length] of [
    [page, 1],
    [{ operation: 'tags.create', status: 200 }, 2],
    [{ body: { name: 'c' } }, 0],
    // Arrays are compared as a whole.
    [{ body: { addTags: ['x', 'y'] } }, 1],
    [{ body: { addTags: ['x'] } }, 0],
    [{ body: { addTags: { 0: 'x' } } }, 0],
  ] as const)
    expect(requests.matching(pattern), JSON.stringify(pattern)).toHaveLength(length);
});

test.each<[pattern: unknown, message: string | RegExp]>([
  [{ qury: {} }, 'Unknown member of a request "qury". Did you mean query?'],
  [{ query: 'limit=5' }, 'matching: query must be an object of strings (got "limit=5").'],
  [() => true, 'matching: options must be an object (got function).'],
])('the pattern %o, which matches no request, throws', (pattern, message) => {
  expect(() => createSandbox().requests.matching(pattern as object)).toThrow(message);
});

test('maxLoggedRequests limits the log, which removes its oldest tenth at a time', async () => {
  const sandbox = createSandbox({ maxLoggedRequests: 100 });
  for (let call = 0; call < 101; call++) await rest(sandbox, 'GET /sender');
  const numbers = Array.from({ length: 90 }, (_, at) => at + 12);
  expect(sandbox.requests.map(({ number }) => number)).toEqual(numbers);
});

test('the log keeps at most 100 million characters of requests and responses, the newest ones', async () => {
  const sandbox = createSandbox();
  const call = async (body: string, path = '', init?: RequestInit) => {
    sandbox.fail('*', { body, times: 1 });
    await sandbox.fetch(`https://sandbox.test/${path}`, init);
    return sandbox.requests.map(({ number }) => number);
  };
  expect(await call('r'.repeat(99_999_000))).toEqual([1]);
  expect(await call('')).toEqual([1, 2]);
  // Addresses, headers and bodies count too.
  const request = { method: 'POST', headers: { x: 'h'.repeat(300) }, body: 'b'.repeat(300) };
  expect(await call('', 'p'.repeat(400), request)).toEqual([2, 3]);
  expect(await call('r'.repeat(100_000_001))).toEqual([4]);
});
