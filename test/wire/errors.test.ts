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
import { rows } from '../operations.ts';
import type { DocumentedError } from '../support/operation-row.ts';
import { failure, makeClient, respond, useTestService } from './test-service.ts';

useTestService();

interface DocumentedCase {
  readonly condition: DocumentedError;
  readonly body: { readonly status: number | string; readonly message: string };
  readonly status: number;
  readonly make: new (...args: never[]) => ApiError;
  readonly outcome: Outcome;
}

/** Body of each error of section 7, and the status that it would have in HTTP. */
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

describe.each(documented)('section 7: $condition', ({ condition, body, status, make, outcome }) => {
  // Which HTTP status carries which error is not documented: the body alone has to do.
  const cases = rows
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
});

describe('every operation', () => {
  test.each(rows)(
    '$name rejects with AuthenticationError for a 401 without a body',
    async ({ call, endpoint, name }) => {
      respond(endpoint, { body: '', status: 401 });
      const error = await failure(call(makeClient()));
      expect(error).toBeInstanceOf(AuthenticationError);
      expect(error).toMatchObject({ operation: name, status: 401 });
    },
  );

  test.each(rows)(
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

test.each(statuses)('HTTP %i decides the class where the body does not', async (status, make) => {
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
