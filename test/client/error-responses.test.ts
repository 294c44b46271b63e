// Which error, status and outcome an error response leads to.
import { describe, expect, test } from 'vitest';
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  InvalidResponseError,
  NotFoundError,
  type Outcome,
  PermissionError,
  RateLimitError,
  ServerError,
} from '../../src/index.ts';
import { kinds } from '../operations.ts';
import type { DocumentedError } from '../support/operation-row.ts';
import { failure, makeClient, respond, useTestService } from '../support/test-service.ts';

useTestService();

interface DocumentedCase {
  readonly condition: DocumentedError;
  readonly body: { readonly status: number | string; readonly message: string };
  readonly status: number;
  readonly make: new (...args: never[]) => ApiError;
  readonly outcome: Outcome;
}

/** Body of each documented error (rule 3.2), and the status that it would have in HTTP. */
const documented: readonly DocumentedCase[] = [
  {
    condition: 'invalid team id or key',
    body: { status: 401, message: 'team id or API key not valid' },
    status: 401,
    make: AuthenticationError,
    outcome: 'refused',
  },
  {
    condition: 'name already used',
    body: { status: 'error', message: 'resource with this name already exists' },
    status: 409,
    make: ConflictError,
    outcome: 'refused',
  },
  {
    condition: 'malformed body',
    body: { status: 'error', message: 'request body not in proper format' },
    status: 400,
    make: BadRequestError,
    outcome: 'refused',
  },
  {
    condition: 'unknown identifier',
    body: { status: 'error', message: 'resource not found' },
    status: 404,
    make: NotFoundError,
    outcome: 'refused',
  },
  {
    condition: 'server failure',
    body: { status: 'error', message: 'internal server error occurred' },
    status: 500,
    make: ServerError,
    outcome: 'unknown',
  },
];

describe.each(documented)(
  'the documented error: $condition',
  ({ condition, body, status, make, outcome }) => {
    // The HTTP status of each error is not documented: the body has to do.
    const cases = kinds
      .filter(({ errors }) => errors.includes(condition))
      .flatMap(row => [status, 200].map(http => ({ ...row, http })));

    test.each(cases)(
      '$name rejects with its error under HTTP $http',
      async ({ name, call, endpoint, http }) => {
        respond(endpoint, { body, status: http });
        const error = await failure(call(makeClient()));
        expect(error).toBeInstanceOf(make);
        expect(error).toMatchObject({
          name: make.name,
          operation: name,
          outcome,
          body,
          status: make === AuthenticationError ? 401 : http,
          message: expect.stringContaining(body.message),
          attempts: [{ status: http }],
        });
      },
    );
  },
);

describe('an operation of any kind', () => {
  test.each(kinds)(
    '$name rejects with AuthenticationError for a 401 without a body',
    async ({ call, endpoint, name }) => {
      respond(endpoint, { body: '', status: 401 });
      const error = await failure(call(makeClient()));
      expect(error).toBeInstanceOf(AuthenticationError);
      expect(error).toMatchObject({ operation: name, status: 401 });
    },
  );

  test.each(kinds)(
    '$name rejects with ApiError for a bare { error } under 200',
    async ({ call, endpoint, name }) => {
      respond(endpoint, { body: { error: 'no luck today' } });
      const error = await failure(call(makeClient()));
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({
        operation: name,
        status: 200,
        message: expect.stringContaining('no luck today'),
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
  respond('GET /api/v1/rest/sender', { body: 'no', status, headers });
  const error = await failure(makeClient().senders.list());
  expect((error as Error).constructor).toBe(make);
  expect(error).toMatchObject({ status, body: 'no' });
});

test.each([
  ['{"status":404}', NotFoundError, 404],
  ['{"status":"404","message":"gone"}', NotFoundError, 404],
  ['{"status":500}', ServerError, 500],
  ['{"status":"error","message":"This email is already used by another contact"}', ConflictError, 200],
  ['{"status":"error"}', ApiError, 200],
])('rejects for %s under 200', async (body, make, status) => {
  respond('GET /api/v1/rest/sender', { body });
  const error = await failure(makeClient().senders.list());
  expect((error as Error).constructor).toBe(make);
  expect(error).toMatchObject({ status });
});

test('a name already used is a ConflictError under any status', async () => {
  const body = { status: 'error', message: 'resource with this name already exists' };
  for (const status of [200, 400, 403, 409, 422, 500]) {
    respond('POST /api/v1/rest/tag', { body, status });
    const error = await failure(makeClient().tags.create({ name: 'a' }));
    expect(error).toBeInstanceOf(ConflictError);
    expect(error).toMatchObject({ outcome: 'refused' });
  }
});

test.each([
  ['7', 7],
  ['0', 0],
])('a RateLimitError has the seconds to wait: Retry-After %s', async (value, seconds) => {
  respond('GET /api/v1/rest/sender', { body: '', status: 429, headers: { 'retry-after': value } });
  expect(await failure(makeClient().senders.list())).toMatchObject({ retryAfter: seconds });
});

test('an HTML page under an error status is the error of that status', async () => {
  const page = '<!doctype html><h1>502 Bad Gateway</h1>';
  respond('POST /api/v1/rest/tag', { body: page, status: 502, headers: { 'content-type': 'text/html' } });
  const error = await failure(makeClient().tags.create({ name: 'a' }));
  expect(error).toBeInstanceOf(ServerError);
  expect(error).not.toBeInstanceOf(InvalidResponseError);
  expect(error).toMatchObject({ status: 502, body: page, outcome: 'unknown' });
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
  const error = await failure(makeClient().senders.list());
  expect((error as Error).constructor).toBe(make);
});

test.each([500, 599])('a message of another class does not make HTTP %i safe to retry', async status => {
  respond('POST /api/v1/rest/tag', { body: { status: 'error', message: 'resource not found' }, status });
  const error = await failure(makeClient().tags.create({ name: 'a' }));
  expect((error as Error).constructor).toBe(ServerError);
  expect(error).toMatchObject({ outcome: 'unknown' });
});

test.each([
  ['GET /api/v1/rest/sender', 302, 'refused'],
  ['POST /api/v1/rest/tag', 302, 'unknown'],
  ['POST /api/v1/rest/tag', 300, 'unknown'],
  ['POST /api/v1/rest/tag', 399, 'unknown'],
  ['POST /api/v1/rest/tag', 400, 'refused'],
  ['POST /api/v1/rest/tag', 500, 'unknown'],
])('%s under HTTP %i has the outcome %s', async (endpoint, status, outcome) => {
  respond(endpoint, { body: 'no', status, headers: { location: 'https://rest.example.test/elsewhere' } });
  const client = makeClient();
  const call = endpoint.startsWith('GET') ? client.senders.list() : client.tags.create({ name: 'a' });
  expect(await failure(call)).toMatchObject({ status, outcome });
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
  expect(await failure(makeClient().senders.list())).toMatchObject({ status });
});

test.each([
  [429, {}, 'refused'],
  [429, { 'retry-after': '1' }, 'refused'],
  [503, { 'retry-after': '1' }, 'refused'],
  [503, {}, 'unknown'],
  [503, { 'retry-after': 'soon' }, 'unknown'],
  [500, { 'retry-after': '1' }, 'unknown'],
])('HTTP %i with %o has the outcome %s', async (status, headers, outcome) => {
  respond('POST /api/v1/rest/tag', { body: '', status, headers });
  expect(await failure(makeClient().tags.create({ name: 'a' }))).toMatchObject({ status, outcome });
});

test.each([500, 502])('a body that reports 404 leaves HTTP %i a failure of the server', async status => {
  respond('POST /api/v1/rest/tag', { body: { status: 404 }, status });
  expect(await failure(makeClient().tags.create({ name: 'a' }))).toMatchObject({
    name: 'ServerError',
    status,
    outcome: 'unknown',
  });
});

test('a RateLimitError without Retry-After has no seconds to wait', async () => {
  for (const headers of [{}, { 'retry-after': 'soon' }]) {
    respond('GET /api/v1/rest/sender', { body: '', status: 429, headers });
    const error = await failure(makeClient().senders.list());
    expect((error as RateLimitError).retryAfter).toBeUndefined();
  }
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
  expect(await failure(makeClient().senders.list())).toMatchObject({ name });
});

test('a body with an id is a record, whatever its status says', async () => {
  for (const status of ['error', 404, '500']) {
    const body = { id: 'order_1', status, error: 'none' };
    respond('GET /api/v1/rest/order', { body });
    expect(await makeClient().request({ method: 'GET', path: '/order' })).toEqual(body);
  }
});
