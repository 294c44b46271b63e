// Endpoints that the library does not know, and that a server allows its pages to call with `client.request`.
import { expect, expectTypeOf, test, vi } from 'vitest';
import { z } from 'zod';
import type { ClientOptions } from '../../src/index.ts';
import type { AllowedEndpoint, ProxyCall, ProxyOptions } from '../../src/proxy/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { makePage, readReply } from './page.ts';

const contact = { method: 'GET', path: '/contact/{id}' } as const;
const sender = { method: 'DELETE', path: '/sender/{id}' } as const;
const merge = { api: 'legacy', method: 'POST', path: '/contact/merge' } as const;
const params = { id: 'contact_1' };

/** Creates a page whose service has three endpoints that the library does not know. */
function makePageWith(
  allow: readonly AllowedEndpoint[],
  options: Partial<ProxyOptions> = {},
  client: ClientOptions = {},
) {
  const sandbox = createSandbox();
  sandbox.on('GET', '/contact/{id}', ({ params: { id }, query }) => ({ body: { id, query, secret: 1 } }));
  sandbox.on('DELETE', '/sender/{id}', ({ body }) => ({
    body: { status: 'success', message: 'deleted', body },
  }));
  const merged = ({ body }: { body: unknown }) => ({ body: { status: '200', merged: body } });
  sandbox.on('POST', '/contact/merge', merged, { api: 'legacy' });
  const made = makePage({ allow, ...options }, sandbox, client);
  const request = async (input: unknown, headers: Record<string, string> = {}) =>
    readReply(await made.send({ operation: 'request', input }, { headers }));
  return { ...made, request };
}

test('a page can call an endpoint that the server allows, with parameters, query and body', async () => {
  const { page, sandbox } = makePageWith([contact, { ...sender, output: result => result }]);
  const result = await page.request({ ...contact, params: { id: 'a/b' }, query: { full: true } });
  expect(result).toEqual({ id: 'a/b', query: { full: 'true' }, secret: 1 });
  const body = { at: new Date(0) };
  expect(await page.request({ ...sender, params, body })).toMatchObject({
    body: { at: '1970-01-01T00:00:00.000Z' },
  });
  expect(sandbox.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /api/v1/rest/contact/a%2Fb',
    'DELETE /api/v1/rest/sender/contact_1',
  ]);
});

test('at most 100 issues of a request are reported', async () => {
  const { request, sandbox } = makePageWith([contact]);
  const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`x${index}`, 'y']));
  for (const input of [
    { ...contact, ...unknown },
    { ...contact, params: { ...params, ...unknown } },
  ]) {
    const { status, body } = await request(input);
    expect([status, body.error.issues.length]).toEqual([400, 100]);
    expect(JSON.stringify(body).length).toBeLessThan(50_000);
  }
  expect(sandbox.requests).toEqual([]);
});

test('the legacy interface gets its key and team id from the server', async () => {
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

const nested = JSON.parse('['.repeat(3000) + ']'.repeat(3000));

test.each<[string, unknown]>([
  ['another method', { ...contact, params, method: 'POST' }],
  ['another path', { ...contact, params, path: '/contact/{id}/notes' }],
  ['a path with the value of the parameter', { ...contact, params, path: '/contact/contact_1' }],
  ['a path with another name of the parameter', { ...contact, params, path: '/contact/{key}' }],
  ['a path in another case', { ...contact, params, path: '/Contact/{id}' }],
  ['a path that is an object', { ...contact, params, path: { toString: 'x' } }],
  ['another interface', { ...contact, params, api: 'legacy' }],
  ['a path that is a deeply nested list', { ...contact, params, path: nested }],
  ['no members', {}],
  ['null', null],
  ['text', 'contact'],
  ['a list', [contact]],
])('a request with %s is rejected, because no such endpoint is allowed', async (_, input) => {
  const onError = vi.fn();
  const { request, sandbox } = makePageWith([contact], { onError });
  const rejected = { status: 403, body: { error: { name: 'PermissionError', outcome: 'not-sent' } } };
  expect(await request(input)).toMatchObject(rejected);
  expect(onError).not.toHaveBeenCalled();
  expect(sandbox.requests).toHaveLength(0);
});

test('an operation in allow allows no endpoint, and an endpoint no operation of its name', async () => {
  const { page } = makePage({ allow: ['contacts.list'] });
  await expect(page.request({ method: 'GET', path: '/contact' })).rejects.toMatchObject({ status: 403 });
  const { send } = makePageWith([contact]);
  expect((await send({ operation: 'GET /contact/{id}', input: params })).status).toBe(403);
});

test.each<[string, object, string]>([
  ['a parameter that changes the path', { params: { id: '..' } }, 'params'],
  ['a missing parameter', {}, 'params.id'],
  ['a GET with a body', { params, body: {} }, 'body'],
  ['the member `idempotent`, which the server sets', { params, idempotent: true }, 'idempotent'],
  ['a schema, which only the page applies', { params, schema: {} }, 'schema'],
  ['an unknown member', { params, headers: {} }, 'headers'],
])('a request with %s is rejected before authorize is called', async (_, input, path) => {
  const authorize = vi.fn(() => true);
  const { request, sandbox } = makePageWith([contact], { authorize });
  const error = { name: 'InvalidRequestError', issues: [{ path }], outcome: 'not-sent' };
  expect(await request({ ...contact, ...input })).toMatchObject({ status: 400, body: { error } });
  expect(authorize).not.toHaveBeenCalled();
  expect(sandbox.requests).toHaveLength(0);
});

test('by default a page gets the whole result of a read, and status and message of a write', async () => {
  const { page } = makePageWith([contact, sender]);
  expect(await page.request({ ...contact, params })).toMatchObject({ secret: 1 });
  const deleted = { status: 'success', message: 'deleted' };
  expect(await page.request({ ...sender, params, body: [1] })).toEqual(deleted);
});

test.each(['"PRIVATE"', '["PRIVATE"]', '5', 'null'])(
  'by default a page gets nothing of a write whose result is %s',
  async json => {
    const { send } = makePage({ allow: [sender] }, undefined, { fetch: async () => new Response(json) });
    const response = await send({ operation: 'request', input: { ...sender, params } });
    expect(await response.json()).toEqual({ data: {} });
  },
);

test('the last of two entries for an endpoint decides its `output`', async () => {
  const output = (result: unknown) => ({ id: (result as { id: string }).id });
  const { page } = makePageWith([contact, { ...contact, output }]);
  expect(await page.request({ ...contact, params })).toEqual({ id: 'contact_1' });
});

test('the server decides whether a call is idempotent, whatever the page says', async () => {
  const attemptsOf = async (entry: AllowedEndpoint, idempotent: boolean) => {
    const { page, sandbox } = makePageWith([entry], {}, { maxRetries: 1 });
    sandbox.fail('*', { status: 500 });
    await page.request({ ...entry, params, idempotent }).safe();
    return sandbox.requests.length;
  };
  expect(await attemptsOf(sender, true)).toBe(1);
  expect(await attemptsOf({ ...sender, idempotent: true }, false)).toBe(2);
  expect(await attemptsOf(contact, false)).toBe(2);
});

test('authorize is called with the endpoint and its input, and may replace the input', async () => {
  const asked: ProxyCall[] = [];
  const authorize: ProxyOptions['authorize'] = (_, call) => {
    asked.push(call);
    if (call.operation !== 'request') return false;
    expectTypeOf(call.input.path).toBeString();
    return { input: { ...call.input, params: { id: 'mine' } } };
  };
  const { page } = makePageWith([contact], { authorize });
  expect(await page.request({ ...contact, params })).toMatchObject({ id: 'mine' });
  expect(asked).toEqual([{ operation: 'request', input: { api: 'rest', ...contact, params } }]);
});

test.each([1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000])(
  'a body that is nested %i levels deep is accepted or rejected, but does not make the server fail',
  async depth => {
    const onError = vi.fn();
    const { send } = makePageWith([merge], { onError });
    const body = `{"operation":"request","input":{"api":"legacy","method":"POST","path":"/contact/merge","body":${'['.repeat(depth)}${']'.repeat(depth)}}}`;
    expect([200, 400]).toContain((await send(body)).status);
    expect(onError).not.toHaveBeenCalled();
  },
);

test('authorize may change the endpoint only to one that is allowed, whose output applies', async () => {
  const authorize = () => ({ input: { ...sender, params } });
  const allowed = makePageWith([contact, { ...sender, output: () => 'of the sender' }], { authorize });
  expect(await allowed.page.request({ ...contact, params })).toBe('of the sender');
  const onError = vi.fn();
  const { request, sandbox } = makePageWith([contact], { authorize, onError });
  const error = { name: 'ServerError', outcome: 'not-sent' };
  expect(await request({ ...contact, params })).toMatchObject({ status: 500, body: { error } });
  const reported = new TypeError('authorize must return an endpoint of allow.');
  expect(onError).toHaveBeenCalledExactlyOnceWith(reported, 'request');
  expect(sandbox.requests).toHaveLength(0);
});
