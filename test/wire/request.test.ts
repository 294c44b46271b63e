import { describe, expect, expectTypeOf, test } from 'vitest';
import { InvalidRequestError, type Issue } from '../../src/index.ts';
import { failure, makeClient, respond, useTestService } from './test-service.ts';

useTestService();

const client = makeClient();

describe('request', () => {
  test('the method, the path with its parameters encoded, the query and the key of the REST interface', async () => {
    const seen = respond('GET /api/v1/rest/contact/:id/notes/:note', { body: { ok: 1 } });
    const result = await client.request({
      api: 'rest',
      method: 'GET',
      path: '/contact/{id}/notes/{note}',
      params: { id: 'a b/ü?#%2e', note: 7 },
      query: { 'a b': 'c&d+é', page: 2, all: true, small: 1e-7, none: undefined },
    });
    expect(result).toEqual({ ok: 1 });
    const [request] = seen;
    expect(request?.path).toBe('/api/v1/rest/contact/a%20b%2F%C3%BC%3F%23%252e/notes/7');
    expect(request?.query).toBe('?a%20b=c%26d%2B%C3%A9&page=2&all=true&small=0.0000001');
    expect(request?.headers.get('x-team-apikey')).toBe('rest-key');
    expect(request?.headers.get('content-type')).toBeNull();
    expect(request?.body).toBe('');
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('the body of a %s as JSON', async method => {
    const seen = respond(`${method} /api/v1/rest/sender/:id`, { body: {} });
    const body = { name: 'Ada "x"', at: new Date(0), list: [1.5, null, true], absent: undefined };
    await client.request({ method, path: '/sender/{id}', params: { id: 'sender_1' }, body });
    expect(seen[0]?.body).toBe(
      '{"name":"Ada \\"x\\"","at":"1970-01-01T00:00:00.000Z","list":[1.5,null,true]}',
    );
    expect(seen[0]?.headers.get('content-type')).toBe('application/json');
  });

  test('no body and no content type where none is given', async () => {
    const seen = respond('POST /api/v1/rest/domain/:id/verify', { body: {} });
    await client.request({ method: 'POST', path: '/domain/{id}/verify', params: { id: 'domain_1' } });
    expect([seen[0]?.body, seen[0]?.headers.get('content-type')]).toEqual(['', null]);
  });

  test('sends the key and team_id of the legacy interface, also beside a query', async () => {
    const seen = respond('POST /api/v1/contact/merge', { body: { status: '200' } });
    await client.request({
      api: 'legacy',
      method: 'POST',
      path: '/contact/merge',
      query: { email: 'a+b@x.test' },
      body: ['a'],
    });
    expect(seen[0]).toMatchObject({
      origin: 'https://legacy.example.test',
      query: '?email=a%2Bb%40x.test&team_id=team-7',
      body: '["a"]',
    });
    expect(seen[0]?.headers.get('api_key')).toBe('legacy-key');
  });

  test('the headers of the call, and keeps a trailing slash', async () => {
    const seen = respond('GET /api/v1/rest/automation/', { body: [] });
    await client.request({ method: 'GET', path: '/automation/' }, { headers: { 'x-trace': '1' } });
    expect(seen[0]?.headers.get('x-trace')).toBe('1');
    expect(seen[0]?.path).toBe('/api/v1/rest/automation/');
  });
});

describe('the result of request', () => {
  test('is the JSON of the response, with the response itself by withResponse', async () => {
    respond('GET /api/v1/rest/stats', { body: { sent: 4 }, status: 203, headers: { 'x-id': '1' } });
    const { data, response } = await client.request({ method: 'GET', path: '/stats' }).withResponse();
    expectTypeOf(data).toBeUnknown();
    expect([data, response.status, response.headers.get('x-id')]).toEqual([{ sent: 4 }, 203, '1']);
  });

  test('the values as the service sent them, and an integer that a number would round as text', async () => {
    respond('GET /api/v1/rest/usage', { body: '{"rows": 9007199254740993, "used": [1, 0.5, 1e21, "7"]}' });
    const usage = await client.request({ method: 'GET', path: '/usage' });
    expect(usage).toEqual({ rows: '9007199254740993', used: [1, 0.5, 1e21, '7'] });
  });

  test('an empty object where a response has no body', async () => {
    respond('DELETE /api/v1/rest/sender/:id', { body: '', status: 204 });
    respond('HEAD /api/v1/rest/sender/:id', { body: '' });
    const sender = { path: '/sender/{id}', params: { id: 'sender_1' } };
    expect(await client.request({ ...sender, method: 'DELETE' })).toEqual({});
    expect(await client.request({ ...sender, method: 'HEAD' })).toEqual({});
  });

  test('the typed error of a response that says that it failed, under 200 too', async () => {
    respond('GET /api/v1/rest/stats', { body: { status: 'error', message: 'resource not found' } });
    expect(await failure(client.request({ method: 'GET', path: '/stats' }))).toMatchObject({
      name: 'NotFoundError',
      operation: 'GET /stats',
      outcome: 'refused',
    });
  });

  test('an error that says so where the body is empty or no JSON', async () => {
    respond('GET /api/v1/rest/stats', { body: '' });
    expect(await failure(client.request({ method: 'GET', path: '/stats' }))).toMatchObject({
      name: 'InvalidResponseError',
      outcome: 'done',
      issues: [{ path: '', expected: 'JSON', received: 'nothing' }],
    });
  });
});

/** Returns the issues with which a request is refused before anything is sent. */
async function issuesOf(request: unknown): Promise<readonly Issue[]> {
  const error = await failure(client.request(request as Parameters<typeof client.request>[0]));
  if (!InvalidRequestError.isInstance(error)) throw new Error('not refused', { cause: error });
  expect(error.outcome).toBe('not-sent');
  return error.issues;
}

const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;
const longName = 'k'.repeat(30_000);
const get = { method: 'GET', path: '/contact' };
const post = { method: 'POST', path: '/contact' };

describe('an invalid request', () => {
  test.each<[string, unknown, string]>([
    ['no request', undefined, ''],
    ['an array', [], ''],
    ['an unknown interface', { ...get, api: 'v2' }, 'api'],
    ['a missing method', { path: '/contact' }, 'method'],
    ['an unknown method', { ...get, method: 'TRACE' }, 'method'],
    ['a method in lower case', { ...get, method: 'get' }, 'method'],
    ['a method that every object has', { ...get, method: 'toString' }, 'method'],
    ['a missing path', { method: 'GET' }, 'path'],
    ['a whole URL', { ...get, path: 'https://elsewhere.example/x' }, 'path'],
    ['another host', { ...get, path: '//elsewhere.example/x' }, 'path'],
    ['a path without a slash', { ...get, path: 'contact' }, 'path'],
    ['a query in the path', { ...get, path: '/contact?limit=1' }, 'path'],
    ['a fragment', { ...get, path: '/contact#a' }, 'path'],
    ['the path of the interface', { ...get, path: '/api/v1/rest/contact' }, 'path'],
    ['dots', { ...get, path: '/contact/../domain' }, 'path'],
    ['a dot at the end', { ...get, path: '/contact/.' }, 'path'],
    ['encoded dots', { ...get, path: '/contact/%2e%2e/domain' }, 'path'],
    ['a backslash', { ...get, path: '/contact\\..\\domain' }, 'path'],
    ['a line break', { ...get, path: '/contact/a\nb' }, 'path'],
    ['white space', { ...get, path: '/contact/a b' }, 'path'],
    ['an empty segment', { ...get, path: '/contact//a' }, 'path'],
    ['a parameter without a name', { ...get, path: '/contact/{}' }, 'path'],
    ['a brace that is not closed', { ...get, path: '/contact/{id' }, 'path'],
    ['a path of 501 characters', { ...get, path: `/${'a'.repeat(500)}` }, 'path'],
    ['a missing parameter', { ...get, path: '/contact/{id}' }, 'params.id'],
    ['a parameter that every object has', { ...get, path: '/contact/{toString}' }, 'params.toString'],
    ['an empty parameter', { ...get, path: '/contact/{id}', params: { id: '' } }, 'params.id'],
    ['an inexact parameter', { ...get, path: '/contact/{id}', params: { id: 2 ** 53 } }, 'params.id'],
    ['a boolean parameter', { ...get, path: '/contact/{id}', params: { id: true } }, 'params.id'],
    ['half a character', { ...get, path: '/contact/{id}', params: { id: '\ud800' } }, 'params.id'],
    ['dots as a parameter', { ...get, path: '/contact/{id}', params: { id: '..' } }, 'params'],
    ['dots of two parameters', { ...get, path: '/c/{a}{b}/x', params: { a: '.', b: '.' } }, 'params'],
    ['a parameter that is not used', { ...get, params: { id: 'a' } }, 'params.id'],
    ['a long name', { ...get, params: { [longName]: 'a' } }, `params.${longName.slice(0, 193)}…`],
    ['a long name in the query', { ...get, query: { [longName]: [] } }, `query.${longName.slice(0, 194)}…`],
    ['parameters as text', { ...get, params: 'id' }, 'params'],
    ['a query as text', { ...get, query: 'limit=1' }, 'query'],
    ['a list in the query', { ...get, query: { tags: ['a'] } }, 'query.tags'],
    ['null in the query', { ...get, query: { limit: null } }, 'query.limit'],
    ['no number in the query', { ...get, query: { limit: Number.NaN } }, 'query.limit'],
    ['an inexact number in the query', { ...get, query: { limit: 1e21 } }, 'query.limit'],
    ['a query name that is empty', { ...get, query: { '': 'a' } }, 'query.'],
    ['team_id in a legacy query', { ...get, api: 'legacy', query: { team_id: 'a' } }, 'query.team_id'],
    ['a body of a GET', { ...get, body: {} }, 'body'],
    ['a body of a HEAD', { method: 'HEAD', path: '/contact', body: null }, 'body'],
    ['a cycle', { ...post, body: cyclic }, 'body'],
    ['a bigint', { ...post, body: { a: [1, 2n] } }, 'body.a[1]'],
    ['not a number', { ...post, body: { 'a b': Number.NaN } }, 'body.a b'],
    ['infinity', { ...post, body: [Number.POSITIVE_INFINITY] }, 'body[0]'],
    ['a Map', { ...post, body: { a: { b: new Map() } } }, 'body.a.b'],
    ['a function', { ...post, body: () => 1 }, 'body'],
    ['undefined in an array', { ...post, body: [undefined] }, 'body[0]'],
    ['an impossible date', { ...post, body: { at: new Date(Number.NaN) } }, 'body.at'],
    ['idempotent as text', { ...get, idempotent: 'yes' }, 'idempotent'],
    ['a schema that is none', { ...get, schema: { parse: () => 1 } }, 'schema'],
    ['a schema of another standard', { ...get, schema: { '~standard': {} } }, 'schema'],
  ])('is refused before sending: %s', async (_, request, path) => {
    expect((await issuesOf(request)).map(issue => issue.path)).toEqual([path]);
  });

  test.each<[string, unknown]>([
    [
      'a toJSON that throws',
      {
        ...post,
        body: {
          toJSON() {
            throw new Error('private');
          },
        },
      },
    ],
    [
      'a member that throws',
      {
        ...post,
        get body() {
          throw new Error('private');
        },
      },
    ],
    [
      'a proxy that throws',
      new Proxy(post, {
        ownKeys() {
          throw new Error('private');
        },
      }),
    ],
  ])('is refused without repeating what it threw: %s', async (_, request) => {
    expect(JSON.stringify(await issuesOf(request))).not.toContain('private');
  });

  test('is refused for an unknown option, with the nearest name', async () => {
    const issues = await issuesOf({ ...get, qurey: {} });
    expect(issues).toMatchObject([
      { path: 'qurey', message: 'unknown option "qurey"; did you mean "query"?' },
    ]);
  });

  test('is refused with at most 100 mistakes', async () => {
    const query = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`q${index}`, null]));
    expect(await issuesOf({ ...get, query })).toHaveLength(100);
  });

  test('is refused for an unknown option of the call', async () => {
    const options = { timout: 5 } as object;
    expect(await failure(client.request({ method: 'GET', path: '/contact' }, options))).toMatchObject({
      name: 'InvalidRequestError',
      operation: 'GET /contact',
    });
  });

  test('is refused for the legacy interface without a team id', async () => {
    const call = makeClient({ teamId: undefined }).request({
      api: 'legacy',
      method: 'GET',
      path: '/contact',
    });
    expect(await failure(call)).toMatchObject({ name: 'ConfigurationError', option: 'teamId' });
  });
});

test('a key in a path is in no event and no error', async () => {
  respond('GET /api/v1/rest/:other/:key', { body: { status: 'error' } });
  const events: unknown[] = [];
  const hooks = { onRequest: (event: object) => void events.push(event) };
  const call = makeClient({ hooks }).request({
    method: 'GET',
    path: '/legacy-key/{key}',
    params: { key: 'rest-key' },
  });
  const error = await failure(call);
  expect(events).toMatchObject([
    {
      operation: 'GET /[redacted]/{key}',
      origin: 'https://rest.example.test',
      path: '/api/v1/rest/[redacted]/[redacted]',
      template: '/api/v1/rest/[redacted]/{key}',
    },
  ]);
  expect(String(error) + JSON.stringify([error, events])).not.toMatch(/legacy-key|rest-key/);
});
