import { describe, expect, test } from 'vitest';
import { createSandbox, type Failure } from '../../src/testing/index.ts';
import { rest } from './http.ts';

const newTag = (sandbox: ReturnType<typeof createSandbox>, name: string, signal?: AbortSignal) =>
  sandbox.fetch('https://sandbox.test/api/v1/rest/tag', {
    method: 'POST',
    headers: { 'X-Team-ApiKey': sandbox.apiKey },
    body: JSON.stringify({ name }),
    ...(signal === undefined ? {} : { signal }),
  });

describe('fail', () => {
  test('responds to `times` requests with an error, and the service does not act', async () => {
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

  test.each(['120', 'Sat, 28 Nov 2026 18:00:00 GMT'])('asks to wait until %s', async retryAfter => {
    const sandbox = createSandbox();
    sandbox.fail('*', { retryAfter });
    expect((await rest(sandbox, 'GET /sender')).headers.get('retry-after')).toBe(retryAfter);
  });

  test('can perform the request first, so that the outcome is unknown to the caller', async () => {
    const sandbox = createSandbox();
    const headers = { 'content-type': 'text/html' };
    sandbox.fail('POST /tag', { status: 502, acted: true, body: '<html>', headers });
    const answer = await newTag(sandbox, 'a');
    expect([answer.status, await answer.text()]).toEqual([502, '<html>']);
    expect(answer.headers.get('content-type')).toBe('text/html');
    expect(sandbox.state.tags.named('a')).toBeDefined();
  });
});

describe('the requests of a fault', () => {
  const pages = async (sandbox: ReturnType<typeof createSandbox>) => {
    const statuses = [];
    for (const offset of [0, 10, 20, 30])
      statuses.push((await rest(sandbox, `GET /contact?offset=${offset}`)).status);
    return statuses;
  };

  test.each<[Failure, number[]]>([
    [{ after: 2, times: 1 }, [200, 200, 503, 200]],
    [{ when: { query: { offset: '10' } } }, [200, 503, 200, 200]],
    [{ when: ({ query }) => query.offset !== '0', after: 1 }, [200, 200, 503, 503]],
  ])('are chosen by %o', async (failure, statuses) => {
    const sandbox = createSandbox();
    const fault = sandbox.fail('contacts.list', failure);
    expect(await pages(sandbox)).toEqual(statuses);
    expect(fault.hits).toBe(statuses.filter(status => status === 503).length);
  });

  test('are chosen by their body', async () => {
    const sandbox = createSandbox();
    sandbox.drop('tags.create', { when: { body: { name: 'vip' } } });
    expect((await newTag(sandbox, 'new')).status).toBe(200);
    await expect(newTag(sandbox, 'vip')).rejects.toThrow(TypeError);
  });
});

describe('drop', () => {
  test('makes `fetch` reject as for a reset connection, before or after the service acts', async () => {
    const sandbox = createSandbox();
    sandbox.drop('POST /tag', { times: 1 });
    const reset = { name: 'TypeError', cause: { code: 'ECONNRESET' } };
    await expect(newTag(sandbox, 'a')).rejects.toMatchObject(reset);
    expect(sandbox.state.tags.size).toBe(0);
    sandbox.drop('POST /tag', { times: 1, acted: true });
    await expect(newTag(sandbox, 'b')).rejects.toThrow(TypeError);
    expect(sandbox.state.tags.size).toBe(1);
    expect(
      sandbox.requests.to('POST /tag').map(request => [request.status, request.appliedFaults]),
    ).toMatchObject([
      [undefined, [{ kind: 'drop' }]],
      [undefined, [{ kind: 'drop' }]],
    ]);
  });

  test('closes the socket over HTTP', async () => {
    const sandbox = createSandbox({ seed: { contacts: 10 } });
    await using server = await sandbox.listen();
    const call = () =>
      fetch(`${server.url}/api/v1/rest/contact`, { headers: { 'X-Team-ApiKey': sandbox.apiKey } });
    sandbox.drop('GET /contact', { times: 1 });
    await expect(call()).rejects.toThrow(TypeError);
    expect((await call()).status).toBe(200);
  });
});

test.each(['head', 'body'] as const)('a stall in the %s sends nothing more until an abort', async at => {
  const sandbox = createSandbox();
  sandbox.stall('POST /tag', { at });
  const controller = new AbortController();
  const reading = newTag(sandbox, 'a', controller.signal).then(answer => answer.text());
  await new Promise(resolve => setTimeout(resolve, 20));
  controller.abort(new Error('enough'));
  await expect(reading).rejects.toThrow('enough');
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
    // Of 101 bytes and two quotes.
    expect(length).toBe(52);
  }
});

test.each([
  [401, 401, 'team id or API key not valid'],
  [404, 'error', 'resource not found'],
  [503, 'error', 'request failed with status 503'],
])('a failure with %i has a message for its status', async (status, bodyStatus, message) => {
  const sandbox = createSandbox();
  sandbox.fail('*', { status });
  expect((await rest(sandbox, 'GET /sender')).body).toEqual({ status: bodyStatus, message });
});

test('only the first fault applies to a request, and the next one when it has ended', async () => {
  const sandbox = createSandbox();
  const fault = sandbox.fail('senders.list', { times: 2 });
  sandbox.latency('senders.list', { ms: 1, times: 1 });
  const kinds = () => sandbox.faults().map(({ kind }) => kind);
  await rest(sandbox, 'GET /sender');
  expect(kinds()).toEqual(['fail', 'latency']);
  await rest(sandbox, 'GET /sender');
  expect([kinds(), fault.hits]).toEqual([['latency'], 2]);
  await rest(sandbox, 'GET /sender');
  expect(kinds()).toEqual([]);
});

test('an unknown operation is a compile-time error, and a RangeError that names those that exist', () => {
  const { fail, drop, requests } = createSandbox();
  const named = /^unknown operation "tag.create"; valid: .*\btags\.create\b/;
  // @ts-expect-error There is no such operation.
  expect(() => fail('tag.create')).toThrow(named);
  // @ts-expect-error There is no such operation.
  expect(() => drop('tag.create')).toThrow(named);
  // @ts-expect-error There is no such operation.
  expect(() => requests.to('tag.create')).toThrow(named);
  // @ts-expect-error There is no such operation.
  expect(() => requests.count('tag.create')).toThrow(named);
  // @ts-expect-error There is no such operation.
  expect(() => requests.last('tag.create')).toThrow(named);
  // @ts-expect-error Only faults apply to all requests by this name.
  expect(() => requests.count('*')).toThrow('unknown operation "*"; valid: domains.create, ');
});
