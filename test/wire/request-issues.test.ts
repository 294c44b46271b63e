// What the issues of a request say that cannot be sent, and what is sent where nothing is wrong.
import { describe, expect, test } from 'vitest';
import { InvalidRequestError, type StandardSchema } from '../../src/index.ts';
import { failure, makeClient, respond, useTestService } from './test-service.ts';

useTestService();

const client = makeClient();
const call = (request: unknown) => client.request(request as Parameters<typeof client.request>[0]);

const get = { method: 'GET', path: '/contact' };
const post = { method: 'POST', path: '/contact' };
const cyclic: Record<string, unknown> = {};
cyclic.self = cyclic;

test.each<[unknown, readonly [path: string, expected: string, received: string]]>([
  [5, ['', 'an object', 'number']],
  [{ ...get, api: 'v2' }, ['api', "'rest' or 'legacy'", 'string']],
  [{ ...get, method: ['GET'] }, ['method', 'one of GET, POST, PUT, PATCH, DELETE, HEAD', 'array']],
  [{ ...get, path: 5 }, ['path', 'a path such as /contact/{id}', 'number']],
  [
    { ...get, path: 'contact' },
    ['path', 'a path relative to the interface, such as /contact/{id}', 'other text'],
  ],
  [
    { ...get, path: '/contact?limit=1' },
    ['path', 'a path without query and fragment: pass the query as query', 'other text'],
  ],
  [{ ...get, path: `/${'a'.repeat(500)}` }, ['path', 'at most 500 characters', 'other text']],
  [
    { ...get, path: '/api/v1' },
    ['path', 'relative to the interface: without /api/v1 or /api/v1/rest', 'other text'],
  ],
  [
    { ...get, path: '/contact/a b' },
    [
      'path',
      'segments of letters and digits, and parameters such as {id}: pass any other value in params, where it is encoded',
      'other text',
    ],
  ],
  [
    { ...get, path: '/contact/{id}', params: { id: '' } },
    ['params.id', 'text that is not empty, or an exact number', 'empty text'],
  ],
  [
    { ...get, path: '/contact/{id}' },
    ['params.id', 'text that is not empty, or an exact number', 'undefined'],
  ],
  [{ ...get, params: { id: 'a' } }, ['params.id', 'a parameter of /contact', 'another name']],
  [
    { ...get, path: '/contact/{id}', params: { id: '..' } },
    ['params', 'other than "." and ".."', 'one of them'],
  ],
  [{ ...get, params: 5 }, ['params', 'an object of texts and numbers', 'number']],
  [{ ...get, query: 5 }, ['query', 'an object of texts, numbers and booleans', 'number']],
  [{ ...get, query: { a: null } }, ['query.a', 'text, a boolean, or an exact number', 'null']],
  [
    { ...get, api: 'legacy', query: { team_id: 'a' } },
    ['query.team_id', 'the option teamId of the client', 'string'],
  ],
  [{ ...get, body: {} }, ['body', 'left out: GET has no body', 'object']],
  [{ ...post, body: { a: [2n] } }, ['body.a[0]', 'what JSON can hold', 'bigint']],
  [{ ...post, body: cyclic }, ['body', 'readable, without cycles', 'object']],
  [{ ...get, idempotent: 'yes' }, ['idempotent', 'true or false', 'string']],
  [{ ...get, schema: null }, ['schema', 'a Standard Schema, such as one of zod, valibot or arktype', 'null']],
  [{ ...get, colour: 1 }, ['colour', 'absent: there is no such option', 'a value']],
])('the request %o is refused with the path %o', async (request, [path, expected, received]) => {
  const error = await failure(call(request));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error).toMatchObject({ outcome: 'not-sent', issues: [{ path, expected, received }] });
});

test('a request that cannot be read is refused', async () => {
  const unreadable = {
    get method(): never {
      throw new Error('private');
    },
  };
  expect(await failure(call(unreadable))).toMatchObject({
    operation: 'request',
    outcome: 'not-sent',
    issues: [{ path: '', expected: 'an object whose members can be read', received: 'another' }],
  });
});

describe('a request', () => {
  test('sends a path of 500 characters', async () => {
    const path = `/${'a'.repeat(499)}`;
    const seen = respond(`GET /api/v1/rest${path}`, { body: {} });
    await call({ method: 'GET', path });
    expect(seen).toHaveLength(1);
  });

  test('sends a path that holds the name of the interface further on', async () => {
    const seen = respond('GET /api/v1/rest/proxy/api/v1/contact', { body: {} });
    await call({ method: 'GET', path: '/proxy/api/v1/contact' });
    expect(seen).toHaveLength(1);
  });

  test('sends `team_id` in the query of the REST interface', async () => {
    const seen = respond('GET /api/v1/rest/contact', { body: [] });
    await call({ ...get, query: { team_id: 'other' } });
    expect(seen[0]?.query).toBe('?team_id=other');
  });

  test('reports an issue of a schema that has no path and no code', async () => {
    respond('GET /api/v1/rest/contact', { body: [] });
    const validate = () => ({ issues: [{ message: 'private' }] });
    const schema: StandardSchema = { '~standard': { version: 1, vendor: 'test', validate } };
    expect(await failure(call({ ...get, schema }))).toMatchObject({
      name: 'InvalidResponseError',
      issues: [{ path: '', expected: 'valid by the schema', received: 'array' }],
    });
  });
});
