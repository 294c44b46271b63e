import { describe, expect, test } from 'vitest';
import { type AddedEndpoint, createSandbox } from '../../src/testing/index.ts';
import { legacy, outcome, rest, send } from './http.ts';

const notFound = { status: 'error', message: 'resource not found' };

describe('sandbox.on', () => {
  test('adds an endpoint, whose handler receives parameters, query, body and state', async () => {
    const sandbox = createSandbox({ seed: { contacts: [{ email: 'ada@x.test' }] } });
    sandbox.on('GET /contact/{id}', ({ params, query, body, state, method, headers }) => {
      const contact = state.contacts.get(params.id ?? '');
      const seen = { query, body, method, key: headers['x-team-apikey'] };
      return contact ? { body: { email: contact.email, seen } } : { status: 404, body: notFound };
    });
    const id = sandbox.state.contacts.all[0]?.id;
    expect(await rest(sandbox, `GET /contact/${id}?fields=a%20b`)).toMatchObject({
      status: 200,
      body: { email: 'ada@x.test', seen: { query: { fields: 'a b' }, method: 'GET', key: 'sandbox-key' } },
    });
    expect(outcome(await rest(sandbox, 'GET /contact/nobody'))).toEqual([404, notFound]);
  });

  test('replaces an endpoint of the service until it is removed, even after a reset', async () => {
    const sandbox = createSandbox({ seed: { senders: 1 } });
    const added = sandbox.on('get /sender', async () => ({ body: 'own', headers: { 'x-own': 'yes' } }));
    sandbox.on('POST /tag', () => ({ body: 'other' }));
    sandbox.reset();
    const response = await rest(sandbox, 'GET /sender');
    expect([response.body, response.headers.get('x-own')]).toEqual(['own', 'yes']);
    added.remove();
    expect((await rest(sandbox, 'GET /sender')).body).toHaveLength(1);
    expect((await rest(sandbox, 'POST /tag')).body).toBe('other');
  });

  test('keeps the operation of an endpoint that it replaces, whatever the name of its parameter', async () => {
    const sandbox = createSandbox();
    sandbox.on('DELETE /tag/{id}', () => ({ body: 'own' }));
    sandbox.on('GET /contact', () => ({ body: 'own' }), { api: 'legacy' });
    expect((await rest(sandbox, 'DELETE /tag/1')).body).toBe('own');
    await legacy(sandbox, 'GET /contact');
    expect(sandbox.requests.map(({ endpoint, operation }) => [endpoint, operation])).toEqual([
      ['DELETE /tag/{id}', 'tags.delete'],
      ['GET /contact', undefined],
    ]);
    sandbox.fail('tags.delete');
    sandbox.fail('contacts.list');
    expect((await rest(sandbox, 'DELETE /tag/1')).status).toBe(503);
    expect((await legacy(sandbox, 'GET /contact')).status).toBe(200);
    expect(sandbox.requests.count('tags.delete')).toBe(2);
  });

  test('lets the service respond if the handler returns undefined, at once or later', async () => {
    const sandbox = createSandbox({ seed: { tags: [{ id: `tag_${'a'.repeat(22)}`, name: 'kept' }] } });
    const seen: unknown[] = [];
    sandbox.on('POST /tag', ({ body }) => {
      seen.push(body);
      return (body as { name: string }).name === 'vip' ? { status: 418, body: {} } : undefined;
    });
    sandbox.on('DELETE /tag/{id}', async () => undefined);
    expect((await rest(sandbox, 'POST /tag', { name: 'vip' })).status).toBe(418);
    expect((await rest(sandbox, 'POST /tag', { name: 'new' })).body).toMatchObject({ name: 'new' });
    expect(seen).toEqual([{ name: 'vip' }, { name: 'new' }]);
    expect((await rest(sandbox, `DELETE /tag/${'a'.repeat(22)}`)).status).toBe(200);
    expect(sandbox.state.tags.all.map(({ name }) => name)).toEqual(['new']);
  });

  test('responds 500 if the handler returns undefined and the service has no such endpoint', async () => {
    const sandbox = createSandbox();
    sandbox.on('GET /contact/{id}', () => undefined);
    expect((await rest(sandbox, 'GET /contact/1')).status).toBe(500);
    expect(sandbox.requests.last()?.error?.reason).toContain('returned undefined, but no other endpoint');
  });

  test('names the endpoint for faults and the request log', async () => {
    const sandbox = createSandbox();
    const { endpoint, remove } = sandbox.on('GET /contact/{id}', () => ({ body: {} }));
    expect(endpoint).toBe('GET /contact/{id}');
    sandbox.fail(endpoint, { status: 503, times: 1 });
    expect((await rest(sandbox, 'GET /contact/1')).status).toBe(503);
    expect((await rest(sandbox, 'GET /contact/2')).status).toBe(200);
    expect(sandbox.requests.to(endpoint)).toHaveLength(2);
    expect((await rest(sandbox, 'DELETE /contact/2')).headers.get('allow')).toBe('GET');
    remove();
    expect(sandbox.requests.count(endpoint)).toBe(2);
  });

  test('prefers a fixed path to one with a parameter', async () => {
    const sandbox = createSandbox();
    sandbox.on('GET /contact/{id}', ({ params }) => ({ body: params }));
    sandbox.on('GET /contact/search', () => ({ body: 'fixed' }));
    sandbox.on('GET /contact/{id}', ({ params }) => ({ body: { again: params.id } }));
    expect((await rest(sandbox, 'GET /contact/search')).body).toBe('fixed');
    expect((await rest(sandbox, 'GET /contact/a%2Fb')).body).toEqual({ again: 'a/b' });
  });

  test.each([
    [new Error('private'), "the endpoint's handler threw Error: private"],
    [Object.create(null), 'handler threw object'],
  ])(
    'responds 500 to a handler that throws %o, and shows the reason only in the log',
    async (thrown, reason) => {
      const sandbox = createSandbox();
      sandbox.on('GET /broken', () => {
        throw thrown;
      });
      const body = { status: 'error', message: 'internal server error occurred' };
      expect(await rest(sandbox, 'GET /broken')).toMatchObject({ status: 500, body });
      expect(sandbox.requests.last()?.error?.reason).toContain(reason);
    },
  );

  test.each([{ status: 600 }, { headers: { 'x y': '1' } }, { body: () => 1 }, { body: 5n }])(
    'responds 500 to a handler that returns %o',
    async response => {
      const sandbox = createSandbox();
      sandbox.on('GET /broken', () => response as object);
      expect((await rest(sandbox, 'GET /broken')).status).toBe(500);
    },
  );

  test('calls the handler only if the keys of its interface are valid, and the body is JSON', async () => {
    const sandbox = createSandbox();
    sandbox.on('POST /contact/merge', ({ body }) => ({ status: 201, body }), { api: 'legacy' });
    expect((await send(sandbox, 'POST', '/api/v1/contact/merge', {})).status).toBe(401);
    expect((await legacy(sandbox, 'POST /contact/merge', '{')).status).toBe(400);
    expect(outcome(await legacy(sandbox, 'POST /contact/merge', { a: 1 }))).toEqual([201, { a: 1 }]);
    expect((await rest(sandbox, 'POST /contact/merge', {})).status).toBe(404);
  });

  test.each([
    ['/a', '"/a" is not an endpoint; write its method and its path relative to the interface'],
    ['G3T /a', '"G3T /a" is not an endpoint'],
    ['GET a', '"GET a" is not an endpoint'],
    ['GET  /a', '"GET  /a" is not an endpoint'],
    ['GET /a?b', '"GET /a?b" is not an endpoint'],
    ['GET /api/v1/rest/contact/{id}', 'is not an endpoint; write its method and its path'],
  ])('throws for %s', (endpoint, message) => {
    const add = () => createSandbox().on(endpoint as AddedEndpoint, () => ({}));
    expect(add).toThrow(RangeError);
    expect(add).toThrow(message);
  });
});
