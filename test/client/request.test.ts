// `client.request`: what it sends, returns and rejects.
import { beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import type { EmailMarketingClient, EndpointRequest } from '../../src/index.ts';
import { legacyUrl, makeClient, respond, restUrl, useTestService } from '../support/test-service.ts';
import { errorOf, failureOf, useNoRetryDelay } from './support.ts';

useTestService();
useNoRetryDelay();

let client: EmailMarketingClient;
beforeAll(() => {
  client = makeClient();
});

describe('request', () => {
  test('sends method, path with encoded parameters, query and key to the REST interface', async () => {
    const seen = respond('GET /api/v1/rest/contact/:id/notes/:note', { body: { ok: 1 } });
    const result = await client.request({
      api: 'rest',
      method: 'GET',
      path: '/contact/{id}/notes/{note}',
      params: { id: 'a b:ü?#%2e', note: 7 },
      query: { 'a b': 'c&d+é', page: 2, all: true, small: 1e-7, none: undefined },
    });
    expect(result).toEqual({ ok: 1 });
    expect(seen).toMatchObject([
      {
        path: '/api/v1/rest/contact/a%20b%3A%C3%BC%3F%23%252e/notes/7',
        query: '?a%20b=c%26d%2B%C3%A9&page=2&all=true&small=0.0000001',
        body: '',
      },
    ]);
    expect(seen[0]?.headers.get('x-team-apikey')).toBe('rest-key');
    expect(seen[0]?.headers.get('content-type')).toBeNull();
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('sends the body of a %s as JSON', async method => {
    const seen = respond(`${method} /api/v1/rest/sender/:id`, { body: {} });
    const body = { name: 'Ada "x"', at: new Date(0), list: [1.5, null, true], absent: undefined };
    await client.request({ method, path: '/sender/{id}', params: { id: 'sender_1' }, body });
    expect(seen[0]?.body).toBe(
      '{"name":"Ada \\"x\\"","at":"1970-01-01T00:00:00.000Z","list":[1.5,null,true]}',
    );
    expect(seen[0]?.headers.get('content-type')).toBe('application/json');
  });

  test.each(['GET', 'HEAD'] as const)('a %s to which a filter responded did not act', async method => {
    respond(`${method} /api/v1/rest/sender`, { status: 403, body: '<html>' });
    expect(await failureOf(client.request({ method, path: '/sender' }))).toMatchObject({
      outcome: 'refused',
    });
  });

  test('sends a string as a JSON string', async () => {
    const seen = respond('POST /api/v1/rest/sender', { body: {} });
    for (const body of ['', 'plain', '7', 'null'])
      await client.request({ method: 'POST', path: '/sender', body });
    expect(seen.map(({ body }) => body)).toEqual(['""', '"plain"', '"7"', '"null"']);
  });

  test('sends key and team_id to the legacy interface, and the query with them', async () => {
    const seen = respond('POST /api/v1/contact/merge', { body: { status: '200' } });
    await client.request({
      api: 'legacy',
      method: 'POST',
      path: '/contact/merge',
      query: { email: 'a+b@x.test' },
      body: ['a'],
    });
    expect(seen[0]).toMatchObject({
      origin: legacyUrl,
      query: '?email=a%2Bb%40x.test&team_id=team-7',
      body: '["a"]',
    });
    expect(seen[0]?.headers.get('api_key')).toBe('legacy-key');
  });

  test('sends the headers of the call, and keeps a trailing slash', async () => {
    const seen = respond('GET /api/v1/rest/automation/', { body: [] });
    await client.request({ method: 'GET', path: '/automation/' }, { headers: { 'x-trace': '1' } });
    expect(seen[0]?.headers.get('x-trace')).toBe('1');
    expect(seen[0]?.path).toBe('/api/v1/rest/automation/');
  });
});

describe('the result of request', () => {
  test('is the JSON of the response, along with the response itself if `withResponse` is used', async () => {
    respond('GET /api/v1/rest/stats', { body: { sent: 4 }, status: 203, headers: { 'x-id': '1' } });
    const { data, response } = await client.request({ method: 'GET', path: '/stats' }).withResponse();
    expectTypeOf(data).toBeUnknown();
    expect([data, response.status, response.headers.get('x-id')]).toEqual([{ sent: 4 }, 203, '1']);
  });

  test('is an empty object if the response has no body', async () => {
    respond('DELETE /api/v1/rest/sender/:id', { body: '', status: 204 });
    respond('HEAD /api/v1/rest/sender/:id', { body: '' });
    respond('POST /api/v1/rest/sender/:id', { body: '', status: 202 });
    const sender = { path: '/sender/{id}', params: { id: 'sender_1' } };
    expect(await client.request({ ...sender, method: 'DELETE' })).toEqual({});
    expect(await client.request({ ...sender, method: 'HEAD' })).toEqual({});
    expect(await client.request({ ...sender, method: 'POST' })).toEqual({});
  });
});

test.each<[title: string, request: EndpointRequest, idempotent: boolean]>([
  ['a GET', { method: 'GET', path: '/sender' }, true],
  ['a GET that is not idempotent', { method: 'GET', path: '/sender', idempotent: false }, false],
  ['a POST', { method: 'POST', path: '/sender', body: {} }, false],
  ['an idempotent POST', { method: 'POST', path: '/sender', body: {}, idempotent: true }, true],
  ['a PUT', { method: 'PUT', path: '/sender', body: {} }, false],
  ['a PATCH', { method: 'PATCH', path: '/sender', body: {} }, false],
  ['a DELETE', { method: 'DELETE', path: '/sender' }, false],
])('%s is retried after an unknown outcome if it is idempotent', async (_, request, idempotent) => {
  const operation = `${request.method} /sender`;
  const seen = respond(`${request.method} /api/v1/rest/sender`, { status: 502, body: '' });
  const error = await errorOf(client.request(request, { maxRetries: 1 }));
  expect(error).toMatchObject({ operation, outcome: 'unknown', retryable: idempotent });
  expect(seen).toHaveLength(idempotent ? 2 : 1);
});

const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;
const get = { method: 'GET', path: '/contact' };
const post = { method: 'POST', path: '/contact' };
const throwing = (): never => {
  throw new Error('private');
};
const call = (request: unknown) => client.request(request as Parameters<typeof client.request>[0]);

const relative = 'a path such as /tag/{id}: values go into params and query';
const exact = 'a string, a boolean, or an exact number';
const segment = 'a non-empty string without / or \\';
const dots = 'anything except "." or ".."';
const json = 'JSON-serializable';
const path = '/contact/{id}';

const paths = [
  ...['sender', 'https://elsewhere.example/x', '//elsewhere.example/x', '/contact?limit=1', '/contact#a'],
  ...['/contact/../domain', '/contact/.', '/contact/%2e%2e/domain', '/contact\\..\\domain', '/contact/a b'],
  ...['/contact/{}', '/contact/{id'],
];

type Invalid = readonly [request: unknown, path: string, expected: string, received: string];

describe('an invalid request', () => {
  test.each<Invalid>([
    ...paths.map((text): Invalid => [{ ...get, path: text }, 'path', relative, JSON.stringify(text)]),
    [{ method: 'GET' }, 'path', relative, 'undefined'],
    [{ ...get, path: Symbol('/contact') }, 'path', relative, 'symbol'],
    [{ ...get, path }, 'params.id', exact, 'undefined'],
    [{ ...get, path: '/contact/{toString}' }, 'params.toString', exact, 'undefined'],
    [{ ...get, path, params: { id: '' } }, 'params.id', segment, '""'],
    [{ ...get, path, params: { id: '../sender' } }, 'params.id', segment, '"../sender"'],
    [{ ...get, path, params: { id: '..\\sender' } }, 'params.id', segment, '"..\\\\sender"'],
    [{ ...get, path, params: { id: '\ud800' } }, 'params.id', exact, '"\\ud800"'],
    [{ ...get, path, params: { id: 2 ** 53 } }, 'params.id', exact, '9007199254740992'],
    [{ ...get, path, params: { id: '..' } }, 'params', dots, 'object'],
    [{ ...get, path: '/c/{a}{b}/x', params: { a: '.', b: '.' } }, 'params', dots, 'object'],
    [{ ...get, query: { tags: ['a'] } }, 'query.tags', exact, 'array'],
    [{ ...get, query: { '\ud800': 'a' } }, 'query.\ud800', exact, '"\\ud800"'],
    [{ ...get, query: { limit: Number.NaN } }, 'query.limit', exact, 'NaN'],
    [
      { ...get, api: 'legacy', query: { team_id: 'other' } },
      'query.team_id',
      'left out: the client sets it',
      'string',
    ],
    [{ ...get, body: {} }, 'body', 'left out: GET has no body', 'object'],
    [{ ...get, method: 'HEAD', body: null }, 'body', 'left out: HEAD has no body', 'null'],
    [{ ...post, body: cyclic }, 'body', json, 'object'],
    [{ ...post, body: { amount: 2 ** 60 } }, 'body.amount', json, 'number'],
    [{ ...post, body: { toJSON: throwing } }, 'body', json, 'object'],
    [{ ...post, body: { a: [1, 2n] } }, 'body.a.1', json, 'bigint'],
    [{ ...post, body: { 'a b': Number.NaN } }, 'body.a b', json, 'NaN'],
    [{ ...post, body: { a: { b: new Map() } } }, 'body.a.b', json, 'map'],
    [{ ...post, body: () => 1 }, 'body', json, 'function'],
    [{ ...post, body: [undefined] }, 'body.0', json, 'undefined'],
    [{ ...post, body: { at: new Date(Number.NaN) } }, 'body.at', json, 'date'],
  ])('is rejected before it is sent: %o', async (request, place, expected, received) => {
    const issues = [expect.objectContaining({ path: place, expected, received })];
    const error = { name: 'InvalidRequestError', outcome: 'not-sent', operation: 'request', issues };
    expect(await failureOf(call(request))).toMatchObject(error);
  });

  test.each([undefined, []])('is rejected if it is not an object: %o', async request => {
    const issues = [{ path: 'method' }, { path: 'path', expected: relative }];
    expect(await failureOf(call(request))).toMatchObject({ name: 'InvalidRequestError', issues });
  });

  test('without a method is rejected: it would be a GET', async () => {
    const { message } = await errorOf(call({ path: '/sender' }));
    expect(message).toBe(
      'request: method must be one of GET, POST, PUT, PATCH, DELETE, HEAD (got undefined).',
    );
  });

  test('has all its mistakes named at once', async () => {
    const request = { ...post, api: 'v2', qury: {}, params: { id: 1 }, body: 2n };
    expect((await errorOf(call(request))).message).toBe(
      'request: Unknown option "qury". Did you mean query? ' +
        'api must be one of rest, legacy (got string). ' +
        'body must be JSON-serializable (got bigint).',
    );
  });
});

test('a key in a base URL or a path appears in no event and no error', async () => {
  respond('GET /rest-key/api/v1/rest/:other/:key', { body: { status: 'error' } });
  const events: unknown[] = [];
  const hooks = { onRequest: (event: object) => void events.push(event) };
  const call = makeClient({ hooks, baseUrl: `${restUrl}/rest-key` }).request({
    method: 'GET',
    path: '/legacy-key/{key}',
    params: { key: 'rest-key' },
  });
  const error = await failureOf(call);
  expect(events).toMatchObject([
    {
      operation: 'GET /[redacted]/{key}',
      origin: restUrl,
      path: '/[redacted]/api/v1/rest/[redacted]/[redacted]',
      template: '/[redacted]/api/v1/rest/[redacted]/{key}',
    },
  ]);
  expect(String(error) + JSON.stringify([error, events])).not.toMatch(/legacy-key|rest-key/);
});
