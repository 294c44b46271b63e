import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import { z } from 'zod';
import type { AllowedEndpoint, ProxyCall, ProxyOptions } from '../../src/proxy/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { makePage } from './page.ts';

const contact = { method: 'GET', path: '/contact/{id}' } as const;
const sender = { method: 'DELETE', path: '/sender/{id}' } as const;
const params = { id: 'contact_1' };

/** Makes a page whose service has two endpoints that the library does not know. */
function makePageWith(allow: readonly AllowedEndpoint[], options: Partial<ProxyOptions> = {}) {
  const sandbox = createSandbox();
  sandbox.on('GET', '/contact/{id}', ({ params: { id }, query }) => ({ body: { id, query, secret: 1 } }));
  sandbox.on('DELETE', '/sender/{id}', ({ body }) => ({
    body: { status: 'success', message: 'deleted', body },
  }));
  sandbox.on('POST', '/contact/merge', ({ body }) => ({ body: { status: '200', merged: body } }), {
    api: 'legacy',
  });
  const key = { apiKey: sandbox.apiKey, teamId: sandbox.teamId };
  return makePage({ allow, ...options }, sandbox, key);
}

test('a page calls an endpoint that the server allows, with parameters, query and body', async () => {
  const { page, sandbox } = makePageWith([contact, { ...sender, output: result => result }]);
  expect(await page.request({ ...contact, params: { id: 'a/b' }, query: { full: true } })).toEqual({
    id: 'a/b',
    query: { full: 'true' },
    secret: 1,
  });
  const at = new Date(0);
  expect(await page.request({ ...sender, params, body: { at } })).toMatchObject({
    body: { at: '1970-01-01T00:00:00.000Z' },
  });
  expect(sandbox.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /api/v1/rest/contact/a%2Fb',
    'DELETE /api/v1/rest/sender/contact_1',
  ]);
});

test('the legacy interface gets its key and team id from the server', async () => {
  const merge = { api: 'legacy', method: 'POST', path: '/contact/merge' } as const;
  const { page } = makePageWith([{ ...merge, output: result => result }]);
  expect(await page.request({ ...merge, body: { a: 1 } })).toMatchObject({ merged: { a: 1 } });
});

test('the schema is applied in the page', async () => {
  const { page } = makePageWith([contact]);
  const schema = z.object({ id: z.string().transform(id => id.length) });
  const result = await page.request({ ...contact, params, schema });
  expectTypeOf(result).toEqualTypeOf<{ id: number }>();
  expect(result).toEqual({ id: 9 });
  const wrong = page.request({ ...contact, params, schema: z.object({ email: z.string() }) });
  expect(await wrong.safe()).toMatchObject({
    error: { name: 'InvalidResponseError', outcome: 'done', operation: 'GET /contact/{id}' },
  });
});

describe('a request', () => {
  test.each<[string, object]>([
    ['of another method', { ...contact, method: 'POST' }],
    ['of another path', { ...contact, path: '/contact/{id}/notes' }],
    ['of a path with the value in place of the parameter', { ...contact, path: '/contact/contact_1' }],
    ['of a path with another name of the parameter', { ...contact, path: '/contact/{key}' }],
    ['of another interface', { ...contact, api: 'legacy' }],
    ['of a path in another case', { ...contact, path: '/Contact/{id}' }],
    ['of a path that an object would make', { ...contact, path: { toString: 'x' } }],
  ])('%s than the server allows', async (_, input) => {
    const { send, sandbox } = makePageWith([contact]);
    const response = await send({ operation: 'request', input: { api: 'rest', params, ...input } });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ error: { name: 'PermissionError', outcome: 'not-sent' } });
    expect(sandbox.requests).toHaveLength(0);
  });

  test('is rejected where the server allows operations alone, or none', async () => {
    for (const allow of [[], ['contacts.list'] as const]) {
      const { page } = makePage({ allow });
      const result = await page.request({ method: 'GET', path: '/contact' }).safe();
      expect(result).toMatchObject({ ok: false, error: { name: 'PermissionError', outcome: 'not-sent' } });
    }
  });

  test('is rejected by the name of its method and path, which is no operation', async () => {
    const { send } = makePageWith([contact]);
    expect((await send({ operation: 'GET /contact/{id}', input: params })).status).toBe(403);
  });

  test.each<[string, object, string]>([
    ['a parameter that leads elsewhere', { params: { id: '..' } }, 'params'],
    ['a missing parameter', {}, 'params.id'],
    ['a body of a GET', { params, body: {} }, 'body'],
    ['a decision that is the server’s', { params, idempotent: true }, 'idempotent'],
    ['a schema, which the page applies', { params, schema: {} }, 'schema'],
    ['an unknown member', { params, headers: {} }, 'headers'],
  ])('is rejected with %s', async (_, input, path) => {
    const authorize = vi.fn(() => true);
    const { send, sandbox } = makePageWith([contact], { authorize });
    const response = await send({ operation: 'request', input: { api: 'rest', ...contact, ...input } });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { name: 'InvalidRequestError', issues: [{ path }], outcome: 'not-sent' },
    });
    expect(authorize).not.toHaveBeenCalled();
    expect(sandbox.requests).toHaveLength(0);
  });

  test('gets a small response to a parameter with a long name', async () => {
    const { send } = makePageWith([contact]);
    const long = { ...params, ['k'.repeat(30_000)]: 'x' };
    const response = await send({ operation: 'request', input: { ...contact, params: long } });
    expect(response.status).toBe(400);
    expect((await response.text()).length).toBeLessThan(1000);
  });

  test.each(['api', 'method', 'path'])(
    'is refused where its %s is a deeply nested list, and reports no failure',
    async member => {
      const onError = vi.fn();
      const { send } = makePageWith([contact], { onError });
      const nested = '['.repeat(30_000) + ']'.repeat(30_000);
      expect((await send(`{"operation":"request","input":{"${member}":${nested}}}`)).status).toBe(403);
      expect(onError).not.toHaveBeenCalled();
    },
  );

  test('is of the last entry of allow where two are of the same endpoint', async () => {
    const { page } = makePageWith([contact, { ...contact, output: () => 'the last' }]);
    expect(await page.request({ ...contact, params })).toBe('the last');
  });

  test.each([[null], ['contact'], [[contact]]])('is refused where its input is %j', async input => {
    const { send, sandbox } = makePageWith([contact]);
    expect((await send({ operation: 'request', input })).status).toBe(403);
    expect(sandbox.requests).toHaveLength(0);
  });

  test('is rejected in the page, before anything is sent, where JSON or a schema cannot be used', async () => {
    const { page } = makePageWith([contact]);
    const cases: readonly (readonly [unknown, string])[] = [
      [{ ...sender, params, body: { a: 5n } }, 'body.a'],
      [{ ...contact, params, query: { a: Number.NaN } }, 'query.a'],
      [{ ...contact, params, schema: {} }, 'schema'],
      [undefined, ''],
    ];
    for (const [request, path] of cases) {
      const result = await page.request(request as Parameters<typeof page.request>[0]).safe();
      expect(result).toMatchObject({ error: { name: 'InvalidRequestError', issues: [{ path }] } });
    }
  });
});

test('by default a page gets all of a read, and status and message of a write', async () => {
  const { page } = makePageWith([contact, sender]);
  expect(await page.request({ ...contact, params })).toMatchObject({ secret: 1 });
  expect(await page.request({ ...sender, params, body: [1] })).toEqual({
    status: 'success',
    message: 'deleted',
  });
});

test.each(['"PRIVATE"', '["PRIVATE"]', '5', 'null'])(
  'by default a page gets nothing of a write whose result is %s',
  async json => {
    const { send } = makePage({ allow: [sender] }, undefined, { fetch: async () => new Response(json) });
    const response = await send({ operation: 'request', input: { ...sender, params } });
    expect(await response.json()).toEqual({ data: {} });
  },
);

test('`output` says what a page sees of the result', async () => {
  const output = (result: unknown) => ({ id: (result as { id: string }).id });
  const { page } = makePageWith([{ ...contact, output }]);
  expect(await page.request({ ...contact, params })).toEqual({ id: 'contact_1' });
});

test('the entry of the server decides if a call is idempotent, whatever the page says', async () => {
  const received = async (entry: AllowedEndpoint, idempotent: boolean) => {
    const made = makePageWith([entry]);
    const request = vi.spyOn(made.client, 'request');
    await made.page.request({ ...entry, params, idempotent }).safe();
    return request.mock.calls[0]?.[0].idempotent;
  };
  expect(await received(sender, true)).toBe(false);
  expect(await received({ ...sender, idempotent: true }, false)).toBe(true);
  expect(await received(contact, false)).toBe(true);
});

describe('authorize', () => {
  test('is called with the endpoint and its input, and may replace the input', async () => {
    const asked: ProxyCall[] = [];
    const { page } = makePageWith([contact], {
      authorize: (_, call) => {
        asked.push(call);
        if (call.operation !== 'request') return false;
        expectTypeOf(call.input.path).toBeString();
        return { input: { ...call.input, params: { id: 'mine' } } };
      },
    });
    expect(await page.request({ ...contact, params })).toMatchObject({ id: 'mine' });
    expect(asked).toEqual([{ operation: 'request', input: { api: 'rest', ...contact, params } }]);
  });

  test('cannot lead to an endpoint that is not allowed', async () => {
    const onError = vi.fn();
    const { page, sandbox } = makePageWith([contact], {
      authorize: () => ({ input: { ...sender, params } }),
      onError,
    });
    const result = await page.request({ ...contact, params }).safe();
    expect(result).toMatchObject({ ok: false, error: { name: 'ServerError', outcome: 'not-sent' } });
    const error = new TypeError('authorize must return an endpoint of allow.');
    expect(onError).toHaveBeenCalledExactlyOnceWith(error, 'request');
    expect(sandbox.requests).toHaveLength(0);
  });
});

test('a call that arrives twice is performed once, and a retry that is not remembered is not performed', async () => {
  const { send, sandbox } = makePageWith([sender]);
  const body = { operation: 'request', input: { ...sender, params } };
  const headers = { 'x-call-id': 'a'.repeat(32) };
  await Promise.all([send(body, { headers }), send(body, { headers })]);
  expect(sandbox.requests).toHaveLength(1);
  const retry = await send(body, { headers: { 'x-call-id': 'b'.repeat(32), 'x-call-retry': '1' } });
  expect(await retry.json()).toMatchObject({ error: { outcome: 'unknown' } });
  expect(sandbox.requests).toHaveLength(1);
});

test('an error of the service keeps its class in the page', async () => {
  const { page } = makePage({ allow: [contact] });
  const result = await page.request({ ...contact, params }).safe();
  expect(result).toMatchObject({
    error: { name: 'NotFoundError', status: 404, operation: 'GET /contact/{id}' },
  });
});
