import { expect, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';
import { Recorder } from '../../src/testing/request-log.ts';
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

test('maxLogBytes limits the log, which keeps at least the last request', async () => {
  const sandbox = createSandbox({ maxLogBytes: 100_000 });
  for (let call = 0; call < 50; call++) await rest(sandbox, 'POST /tag', { name: 'x'.repeat(20_000) });
  expect(sandbox.requests.length).toBeLessThanOrEqual(5);
  await rest(sandbox, 'POST /tag', { name: 'x'.repeat(500_000) });
  expect(sandbox.requests).toHaveLength(1);
  for (let call = 0; call < 20; call++) await rest(sandbox, 'GET /sender');
  expect(sandbox.requests.length).toBeGreaterThan(15);
});

test('a full log removes many requests at a time, so that a request costs the same as before', async () => {
  const sandbox = createSandbox({ maxLogBytes: 1_000_000 });
  let [length, removals] = [0, 0];
  for (let call = 0; call < 1000; call++) {
    await rest(sandbox, 'GET /sender');
    if (sandbox.requests.length <= length) removals += 1;
    length = sandbox.requests.length;
  }
  expect(length).toBeGreaterThan(200);
  expect(removals).toBeGreaterThan(0);
  expect(removals).toBeLessThan(1000 / 20);
  expect(sandbox.requests.last()?.number).toBe(1000);
});

test('a log that was emptied by its length has room again', async () => {
  const sandbox = createSandbox({ maxLogBytes: 100_000 });
  const call = async () => {
    for (let count = 0; count < 15; count++) await rest(sandbox, 'GET /sender');
  };
  await call();
  sandbox.requests.length = 0;
  await call();
  expect(sandbox.requests).toHaveLength(15);
});

test('maxLogBytes counts responses', async () => {
  const sandbox = createSandbox({ maxLogBytes: 100_000, seed: { contacts: 100 } });
  for (let call = 0; call < 10; call++) await rest(sandbox, 'GET /contact?limit=100');
  const bytes = sandbox.requests.last()?.response?.text.length ?? 0;
  expect(bytes).toBeGreaterThan(30_000);
  expect(sandbox.requests.length).toBeLessThanOrEqual(100_000 / bytes);
  sandbox.reset();
  for (let call = 0; call < 5; call++) await rest(sandbox, 'GET /sender');
  expect(sandbox.requests).toHaveLength(5);
});

test('a listener is called when a request has ended, until it is removed', () => {
  const recorder = new Recorder(2 ** 20, () => []);
  const seen: (number | undefined)[] = [];
  const stop = recorder.listen(({ status }) => seen.push(status));
  const ended = { number: 1, time: '', method: 'GET', path: '/', query: {}, headers: {}, status: 200 };
  recorder.close(ended);
  stop();
  recorder.close(ended);
  expect(seen).toEqual([200]);
});

test('the log keeps bodies as text, because parsed JSON takes ten times the memory', async () => {
  const sandbox = createSandbox({ maxLogBytes: 2 ** 30 });
  const body = `{"data":[${'{},'.repeat(25_000)}{}]}`;
  const before = memoryInUse();
  for (let call = 0; call < 20; call++) await rest(sandbox, 'POST /nowhere', body);
  expect(memoryInUse() - before).toBeLessThan(20 * body.length * 4);
  expect(sandbox.requests.last()).toMatchObject({ body: JSON.parse(body) });
});
