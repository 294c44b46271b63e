// Which error, status and outcome an error response leads to.
import { describe, expect, test } from 'vitest';
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  type Outcome,
  PermissionError,
  RateLimitError,
  ServerError,
} from '../../src/index.ts';
import { kinds } from '../operations.ts';
import type { DocumentedError } from '../support/operation-row.ts';
import { makeClient, respond, useTestService } from '../support/test-service.ts';
import { failureOf } from './support.ts';

useTestService();

/** The body of an error response. */
function error(message: string) {
  return { status: 'error', message };
}

type ErrorClass = new (...args: never[]) => ApiError;

/** Body of each documented error (rule 3.2), the status that it would have in HTTP, its class and its outcome. */
const documented: readonly [DocumentedError, object, number, ErrorClass, Outcome][] = [
  [
    'invalid team id or key',
    { status: 401, message: 'team id or API key not valid' },
    401,
    AuthenticationError,
    'refused',
  ],
  ['name already used', error('resource with this name already exists'), 409, ConflictError, 'refused'],
  ['malformed body', error('request body not in proper format'), 400, BadRequestError, 'refused'],
  ['unknown identifier', error('resource not found'), 404, NotFoundError, 'refused'],
  ['server failure', error('internal server error occurred'), 500, ServerError, 'unknown'],
];

describe.each(documented)('the documented error: %s', (condition, body, status, make, outcome) => {
  // The HTTP status of each error is not documented: the body has to do.
  const cases = kinds
    .filter(({ errors }) => errors.includes(condition))
    .flatMap(row => [status, 200].map(http => ({ ...row, http })));

  test.each(cases)(
    '$name rejects with its error under HTTP $http',
    async ({ name, call, endpoint, http }) => {
      respond(endpoint, { body, status: http });
      const rejection = await failureOf(call(makeClient()));
      expect(rejection).toBeInstanceOf(make);
      expect(rejection).toMatchObject({
        name: make.name,
        operation: name,
        outcome,
        body,
        status: make === AuthenticationError ? 401 : http,
        message: expect.stringContaining((body as { message: string }).message),
        attempts: [{ status: http }],
      });
    },
  );
});

const statuses = [
  [400, BadRequestError],
  [401, AuthenticationError],
  [403, PermissionError],
  [404, NotFoundError],
  [409, ConflictError],
  [422, BadRequestError],
  [429, RateLimitError],
  [500, ServerError],
  [502, ServerError],
  [503, ServerError],
  [301, ApiError],
  [307, ApiError],
  [418, ApiError],
] as const;

test.each(statuses)('HTTP %i decides the class if the body does not', async (status, make) => {
  const headers = status < 400 ? { location: 'https://rest.example.test/elsewhere' } : {};
  // A gateway's own page is no sentence of the service.
  const body = '<title>The name is already in use</title>';
  respond('GET /api/v1/rest/sender', { body, status, headers });
  const error = await failureOf(makeClient().senders.list());
  expect((error as Error).constructor).toBe(make);
  expect(error).toMatchObject({ status, body });
});

test.each([
  ['{"status":404}', NotFoundError, 404],
  ['{"status":"404","message":"gone"}', NotFoundError, 404],
  ['{"status":500}', ServerError, 500],
  ['{"status":500,"message":"row already exists in shard"}', ServerError, 500],
  ['{"status":"error","message":"This email is already used by another contact"}', ConflictError, 200],
  ['{"status":"error"}', ApiError, 200],
  ['{"error":"no luck today"}', ApiError, 200],
])('rejects for %s under 200', async (body, make, status) => {
  respond('GET /api/v1/rest/sender', { body });
  const error = await failureOf(makeClient().senders.list());
  expect((error as Error).constructor).toBe(make);
  expect(error).toMatchObject({ status });
});

test('a name already used is a ConflictError under any status below 500', async () => {
  const body = { status: 'error', message: 'resource with this name already exists' };
  for (const status of [200, 400, 403, 409, 422, 499]) {
    respond('POST /api/v1/rest/tag', { body, status });
    const error = await failureOf(makeClient().tags.create({ name: 'a' }));
    expect(error).toBeInstanceOf(ConflictError);
    expect(error).toMatchObject({ outcome: 'refused' });
  }
});

test.each<[Record<string, string>, number | undefined]>([
  [{ 'retry-after': '7' }, 7],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{}, undefined],
])('a RateLimitError after %o has the seconds to wait: %o', async (headers, seconds) => {
  respond('GET /api/v1/rest/sender', { body: '', status: 429, headers });
  const error = await failureOf(makeClient().senders.list());
  expect((error as RateLimitError).retryAfter).toBe(seconds);
});

test.each([
  ['This name already exists', ConflictError],
  ['The name is already used', ConflictError],
  ['The name is already in use', ConflictError],
  ['The name is ALREADY TAKEN', ConflictError],
  ['The name is already registered', ConflictError],
  ['Team id is not valid', AuthenticationError],
  ['Missing team_id', AuthenticationError],
  ['teamId is invalid', AuthenticationError],
  ['Invalid team-id', AuthenticationError],
  ['API key missing', AuthenticationError],
  ['api_key is missing', AuthenticationError],
  ['The apiKey is not valid', AuthenticationError],
  ['Invalid Api-Key', AuthenticationError],
  ['List not found', NotFoundError],
  ['The body is not in proper format', BadRequestError],
  ['The body is not in the proper format', BadRequestError],
  ['Invalid email', BadRequestError],
  ['Malformed JSON', BadRequestError],
  ['Internal Server Error', ServerError],
  ['The API key may not do this', ApiError],
  ['The email is not valid', ApiError],
  ['missing', ApiError],
])('the message %o decides the class under 200', async (message, make) => {
  respond('GET /api/v1/rest/sender', { body: { status: 'error', message } });
  const error = await failureOf(makeClient().senders.list());
  expect((error as Error).constructor).toBe(make);
});

test.each([
  [500, error('resource not found')],
  [500, error('row already exists in shard')],
  [502, error('invalid API key')],
  [599, error('resource not found')],
  [500, { status: 404 }],
  [502, { status: 404 }],
])('HTTP %i with the body %o is a failure of the server of an unknown outcome', async (status, body) => {
  respond('POST /api/v1/rest/tag', { body, status });
  expect(await failureOf(makeClient().tags.create({ name: 'a' }))).toMatchObject({
    name: 'ServerError',
    status,
    outcome: 'unknown',
  });
});

const elsewhere = { location: 'https://rest.example.test/elsewhere' };

test.each<['GET' | 'POST', number, Record<string, string>, Outcome]>([
  ['GET', 302, elsewhere, 'refused'],
  ['POST', 302, elsewhere, 'unknown'],
  ['POST', 300, elsewhere, 'unknown'],
  ['POST', 399, elsewhere, 'unknown'],
  ['POST', 400, {}, 'refused'],
  ['POST', 429, {}, 'refused'],
  ['POST', 429, { 'retry-after': '1' }, 'refused'],
  ['POST', 503, { 'retry-after': '1' }, 'unknown'],
  ['POST', 503, {}, 'unknown'],
  ['POST', 503, { 'retry-after': 'soon' }, 'unknown'],
  ['POST', 500, { 'retry-after': '1' }, 'unknown'],
  ['POST', 500, {}, 'unknown'],
])('a %s under HTTP %i with %o has the outcome %s', async (method, status, headers, outcome) => {
  respond(`${method} /api/v1/rest/${method === 'GET' ? 'sender' : 'tag'}`, { body: 'no', status, headers });
  const client = makeClient();
  const call = method === 'GET' ? client.senders.list() : client.tags.create({ name: 'a' });
  expect(await failureOf(call)).toMatchObject({ status, outcome });
});

test.each([
  ['{"status":399}', true],
  ['{"status":400}', false],
  ['{"status":"399"}', true],
  ['{"status":"400"}', false],
  ['{"status":"0400"}', false],
  ['{"status":"40"}', true],
  ['{"status":" 400"}', true],
  ['{"status":"400 "}', true],
  ['{"status":"1000000000"}', true],
  ['{"status":true}', true],
  ['{"status":["400"]}', true],
  ['{"status":"ok"}', true],
])('an acknowledgement of %s is a success: %o', async (body, success) => {
  respond('DELETE /api/v1/rest/tag/tag_A1b2C3d4E5f6G7h8I9j0K1', { body });
  const result = await makeClient().tags.delete('tag_A1b2C3d4E5f6G7h8I9j0K1').safe();
  expect(result.ok).toBe(success);
});

test.each([
  [599, 599],
  [600, 200],
])('a body that says %i under 200 has the status %i', async (said, status) => {
  respond('GET /api/v1/rest/sender', { body: { status: said } });
  expect(await failureOf(makeClient().senders.list())).toMatchObject({ status });
});

test.each([
  [429, 'your hourly quota is already used', 'RateLimitError'],
  [429, 'this resource already exists', 'RateLimitError'],
  [404, 'invalid API key', 'NotFoundError'],
  [401, 'resource not found', 'AuthenticationError'],
  [403, 'this API key is missing the permission', 'PermissionError'],
  [403, 'your hourly email quota is already used', 'PermissionError'],
  [403, 'resource with this name already exists', 'ConflictError'],
  [403, 'This email is already used by another contact', 'ConflictError'],
  [403, 'team id or API key not valid', 'AuthenticationError'],
  [400, 'resource not found', 'BadRequestError'],
  [409, 'request body not in proper format', 'ConflictError'],
  [418, 'resource not found', 'ApiError'],
])('HTTP %i with the message %j is a %s', async (status, message, name) => {
  respond('GET /api/v1/rest/sender', { body: { status: 'error', message }, status });
  expect(await failureOf(makeClient().senders.list())).toMatchObject({ name });
});

test('a body with an id is a record, whatever its status says', async () => {
  for (const status of ['error', 404, '500']) {
    const body = { id: 'order_1', status, error: 'none' };
    respond('GET /api/v1/rest/order', { body });
    expect(await makeClient().request({ method: 'GET', path: '/order' })).toEqual(body);
  }
});
