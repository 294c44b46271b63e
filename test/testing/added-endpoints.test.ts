import { expect, test } from 'vitest';
import { type AddedEndpoint, createSandbox } from '../../src/testing/index.ts';
import { legacy, outcome, rest, send } from './http.ts';

test('an added endpoint receives parameters, query, body, headers and state', async () => {
  const sandbox = createSandbox({ seed: { contacts: [{ email: 'ada@x.test' }] } });
  sandbox.on('GET /contact/{id}', ({ params, query, state, method, headers }) => {
    const contact = state.contacts.get(params.id ?? '');
    const seen = { query, method, key: headers['x-team-apikey'] };
    return contact ? { body: { email: contact.email, seen } } : { status: 404, body: 'unknown' };
  });
  const id = sandbox.state.contacts.all[0]?.id;
  const seen = { query: { fields: 'a b' }, method: 'GET', key: 'sandbox-key' };
  const found = await rest(sandbox, `GET /contact/${id}?fields=a%20b&fields=c`);
  expect(outcome(found)).toEqual([200, { email: 'ada@x.test', seen }]);
  expect(outcome(await rest(sandbox, 'GET /contact/other'))).toEqual([404, 'unknown']);
});

test('an added endpoint is called only if the keys of its interface are valid and the body is JSON', async () => {
  const sandbox = createSandbox();
  sandbox.on('POST /contact/merge', ({ body }) => ({ status: 201, body }), { api: 'legacy' });
  expect((await send(sandbox, 'POST', '/api/v1/contact/merge', {})).status).toBe(401);
  expect((await legacy(sandbox, 'POST /contact/merge', '{')).status).toBe(400);
  expect(outcome(await legacy(sandbox, 'POST /contact/merge', { a: 1 }))).toEqual([201, { a: 1 }]);
  expect((await rest(sandbox, 'POST /contact/merge', {})).status).toBe(404);
});

test('an added endpoint replaces one of the service, and keeps its operation, until it is removed', async () => {
  const sandbox = createSandbox({ seed: { tags: 1 } });
  const [{ id } = expect.fail()] = sandbox.state.tags.all;
  const added = sandbox.on('delete /tag/{id}', async () => ({ body: 'own', headers: { 'X-Own': 'yes' } }));
  sandbox.on('GET /contact', () => ({ body: 'own' }), { api: 'legacy' });
  sandbox.reset();
  const response = await rest(sandbox, `DELETE /tag/${id}`);
  expect([response.body, response.headers.get('x-own')]).toEqual(['own', 'yes']);
  await legacy(sandbox, 'GET /contact');
  expect(sandbox.requests.map(({ endpoint, operation }) => [endpoint, operation])).toEqual([
    ['DELETE /tag/{id}', 'tags.delete'],
    // The other interface has this endpoint.
    ['GET /contact', undefined],
  ]);
  sandbox.fail('tags.delete', { times: 1 });
  expect((await rest(sandbox, `DELETE /tag/${id}`)).status).toBe(503);
  added.remove();
  expect((await rest(sandbox, `DELETE /tag/${id}`)).body).toMatchObject({ status: 'success' });
  expect(sandbox.requests.count('tags.delete')).toBe(3);
});

test('the service responds if the handler returns undefined, and 500 if it has no such endpoint', async () => {
  const sandbox = createSandbox();
  const seen: unknown[] = [];
  sandbox.on('POST /tag', async ({ body }) => {
    seen.push(body);
    return (body as { name: string }).name === 'vip' ? { status: 418, body: {} } : undefined;
  });
  sandbox.on('GET /contact/{id}', () => undefined);
  expect((await rest(sandbox, 'POST /tag', { name: 'vip' })).status).toBe(418);
  expect((await rest(sandbox, 'POST /tag', { name: 'new' })).body).toMatchObject({ name: 'new' });
  expect(seen).toEqual([{ name: 'vip' }, { name: 'new' }]);
  expect((await rest(sandbox, 'GET /contact/1')).status).toBe(500);
  expect(sandbox.requests.last()?.error?.reason).toContain('returned undefined, but no other endpoint');
});

test('faults and the request log know an added endpoint by its name, the log even after its removal', async () => {
  const sandbox = createSandbox();
  const { endpoint, remove } = sandbox.on('GET /contact/{id}', () => ({ body: {} }));
  sandbox.fail(endpoint, { status: 503, times: 1 });
  expect((await rest(sandbox, 'GET /contact/1')).status).toBe(503);
  expect((await rest(sandbox, 'GET /contact/2')).status).toBe(200);
  expect((await rest(sandbox, 'DELETE /contact/2')).headers.get('allow')).toBe('GET');
  remove();
  expect(sandbox.requests.count('GET /contact/{id}')).toBe(2);
});

test('a fixed path comes before one with a parameter, and a new handler replaces the old one', async () => {
  const sandbox = createSandbox();
  sandbox.on('GET /contact/{id}', ({ params }) => ({ body: params }));
  sandbox.on('GET /contact/search', () => ({ body: 'fixed' }));
  sandbox.on('GET /contact/{id}', ({ params }) => ({ body: { again: params.id } }));
  expect((await rest(sandbox, 'GET /contact/search')).body).toBe('fixed');
  expect((await rest(sandbox, 'GET /contact/a%2Fb')).body).toEqual({ again: 'a/b' });
});

test('a handler that fails gets 500, and only the log shows why', async () => {
  const sandbox = createSandbox();
  sandbox.on('GET /broken', ({ query: { status } }) => {
    if (status === undefined) throw new Error('private');
    return { status: Number(status) };
  });
  const body = { status: 'error', message: 'internal server error occurred' };
  for (const [path, reason] of [
    ['/broken', "the endpoint's handler threw Error: private"],
    ['/broken?status=600', 'status must be a whole number from 200 to 599 (got 600).'],
  ]) {
    expect(outcome(await rest(sandbox, `GET ${path}`))).toEqual([500, body]);
    expect(sandbox.requests.last()?.error?.reason).toContain(reason);
  }
});

test.each(['/a', 'GET a', 'GET /a?b', 'GET /api/v1/rest/contact/{id}'])('%s is not an endpoint', endpoint => {
  const add = () => createSandbox().on(endpoint as AddedEndpoint, () => ({}));
  expect(add).toThrow(RangeError);
  expect(add).toThrow(
    `"${endpoint}" is not an endpoint. Write its method and its path relative to the interface, such as`,
  );
});
