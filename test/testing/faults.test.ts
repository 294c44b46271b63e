import { expect, test } from 'vitest';
import { createSandbox, type Failure, type Sandbox } from '../../src/testing/index.ts';
import { rest } from './http.ts';

const newTag = (sandbox: Sandbox, name: string) =>
  sandbox.fetch('https://sandbox.test/api/v1/rest/tag', {
    method: 'POST',
    headers: { 'X-Team-ApiKey': sandbox.apiKey },
    body: JSON.stringify({ name }),
  });

test('`fail` responds to `times` requests with an error, and the service does not act', async () => {
  const sandbox = createSandbox();
  const fault = sandbox.fail('POST /tag', { status: 503, retryAfter: 2, times: 2 });
  for (const _ of [1, 2]) {
    const answer = await rest(sandbox, 'POST /tag', { name: 'a' });
    expect(answer).toMatchObject({ status: 503, body: { status: 'error' } });
    expect(answer.headers.get('retry-after')).toBe('2');
  }
  expect(sandbox.state.tags.size).toBe(0);
  expect((await rest(sandbox, 'POST /tag', { name: 'a' })).status).toBe(200);
  expect(fault.hits).toBe(2);
});

test('`fail` with `acted` performs the request first, and sends the given body and headers', async () => {
  const sandbox = createSandbox();
  const retryAfter = 'Sat, 28 Nov 2026 18:00:00 GMT';
  const headers = { 'content-type': 'text/html' };
  sandbox.fail('POST /tag', { status: 502, acted: true, body: '<html>', headers, retryAfter });
  const answer = await newTag(sandbox, 'a');
  expect([answer.status, await answer.text()]).toEqual([502, '<html>']);
  expect(answer.headers.get('content-type')).toBe('text/html');
  expect(answer.headers.get('retry-after')).toBe(retryAfter);
  expect(sandbox.state.tags.named('a')).toBeDefined();
});

test.each([
  [{ status: 401 }, { status: 401, message: 'team id or API key not valid' }, 'application/json'],
  [{ status: 404 }, { status: 'error', message: 'resource not found' }, 'application/json'],
  [{}, { status: 'error', message: 'request failed with status 503' }, 'application/json'],
  [{ body: ['a'] }, ['a'], 'application/json'],
  [{ body: '"a"' }, 'a', 'text/plain'],
])('`fail` with %o sends the body %o', async (failure, body, type) => {
  const sandbox = createSandbox();
  sandbox.fail('*', failure);
  const answer = await rest(sandbox, 'GET /sender');
  expect([answer.body, answer.headers.get('content-type')]).toEqual([body, `${type}; charset=utf-8`]);
});

test.each<[Failure, number[]]>([
  [{ after: 2, times: 1 }, [200, 200, 503, 200]],
  [{ when: { query: { offset: '10' } } }, [200, 503, 200, 200]],
  [{ when: ({ query }) => query.offset !== '0', after: 1 }, [200, 200, 503, 503]],
])('requests are chosen by %o', async (failure, statuses) => {
  const sandbox = createSandbox();
  const fault = sandbox.fail('contacts.list', failure);
  const found: number[] = [];
  for (const offset of [0, 10, 20, 30])
    found.push((await rest(sandbox, `GET /contact?offset=${offset}`)).status);
  expect(found).toEqual(statuses);
  expect(fault.hits).toBe(statuses.filter(status => status === 503).length);
});

test('`drop` makes `fetch` reject as for a reset connection, before or after the service acts', async () => {
  const sandbox = createSandbox();
  const reset = { name: 'TypeError', cause: { code: 'ECONNRESET' } };
  sandbox.drop('POST /tag', { times: 1 });
  await expect(newTag(sandbox, 'a')).rejects.toMatchObject(reset);
  expect(sandbox.state.tags.size).toBe(0);
  sandbox.drop('POST /tag', { when: { body: { name: 'b' } }, acted: true });
  expect((await newTag(sandbox, 'a')).status).toBe(200);
  await expect(newTag(sandbox, 'b')).rejects.toMatchObject(reset);
  expect(sandbox.state.tags.size).toBe(2);
  const [first] = sandbox.requests;
  expect([first?.status, first?.appliedFaults]).toMatchObject([undefined, [{ kind: 'drop' }]]);
  await using server = await sandbox.listen();
  sandbox.drop('*', { times: 1 });
  const url = `${server.url}/api/v1/rest/tag`;
  await expect(fetch(url)).rejects.toThrow(TypeError);
  const { status, headers } = await fetch(url);
  expect([status, headers.get('content-length')]).toEqual([405, '49']);
});

test('a body that is cut ends after its first half, to the byte, with `fetch` as over HTTP', async () => {
  const body = `${'é'.repeat(50)}.`;
  const sandbox = createSandbox();
  sandbox.on('GET /text', () => ({ body }));
  await using server = await sandbox.listen();
  sandbox.drop('*', { at: 'body' });
  const headers = { 'X-Team-ApiKey': sandbox.apiKey };
  for (const call of [sandbox.fetch, fetch]) {
    const reader = (await call(`${server.url}/api/v1/rest/text`, { headers })).body?.getReader();
    let length = 0;
    await expect(async () => {
      for (;;) length += (await reader?.read())?.value?.length ?? expect.fail();
    }).rejects.toThrow(TypeError);
    // Half of 101 bytes and two quotes.
    expect(length).toBe(52);
  }
});

test('only the first fault applies to a request, and the next one when it has ended', async () => {
  const sandbox = createSandbox();
  const fault = sandbox.fail('senders.list', { times: 2 });
  sandbox.latency('senders.list', { ms: 1, times: 1 });
  const kinds = () => sandbox.faults().map(({ kind }) => kind);
  for (const left of [['fail', 'latency'], ['latency'], []]) {
    await rest(sandbox, 'GET /sender');
    expect(kinds()).toEqual(left);
  }
  expect(fault.hits).toBe(2);
});

test('an unknown operation is a compile-time error, and a RangeError', () => {
  const { fail, requests } = createSandbox();
  const named = new RangeError('Unknown operation "tag.create". Did you mean tags.create?');
  // @ts-expect-error There is no such operation.
  expect(() => fail('tag.create')).toThrow(named);
  // @ts-expect-error There is no such operation.
  expect(() => requests.last('tag.create')).toThrow(named);
  // @ts-expect-error Only faults apply to all requests by this name.
  expect(() => requests.count('*')).toThrow('Unknown operation "*". Known names: domains.create, ');
});
