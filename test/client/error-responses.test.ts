// The error, status and outcome of each error response.
import { expect, test } from 'vitest';
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from '../../src/index.ts';
import { row } from '../operations.ts';
import { makeClient, respond, restUrl, useTestService } from '../support/test-service.ts';
import { errorOf, failureOf } from './support.ts';

useTestService();

const error = (message: string) => ({ status: 'error', message });

type ErrorClass = new (...args: never[]) => ApiError;

test.each([
  [200, '{"status":404}', NotFoundError, 404],
  [200, '{"status":"404","message":"gone"}', NotFoundError, 404],
  [200, '{"status":599}', ServerError, 599],
  [200, '{"status":500,"message":"row already exists in shard"}', ServerError, 500],
  [200, '{"status":"error"}', ApiError, 200],
  [500, '{"status":404}', ServerError, 500],
  [429, '{"status":400,"message":"slow down"}', RateLimitError, 429],
  [403, '{"status":401,"message":"no"}', AuthenticationError, 403],
  [429, '{"status":401,"message":"slow down"}', RateLimitError, 429],
  [408, '{"status":401,"message":"too late"}', ApiError, 408],
  [404, '{"status":500}', NotFoundError, 404],
  [401, '{"status":400}', AuthenticationError, 401],
  [422, '{"status":500}', BadRequestError, 422],
  [301, '{"status":401,"message":"no"}', ApiError, 301],
])('HTTP %i with the body %s is rejected with its error and status', async (http, body, make, status) => {
  respond('GET /api/v1/rest/sender', { body, status: http });
  expect(await failureOf(makeClient().senders.list())).toMatchObject({
    constructor: make,
    response: { status },
  });
});

test.each([
  ['{"status":403,"message":"denied"}', 'unknown'],
  ['{"status":404,"message":"gone"}', 'unknown'],
  ['{"status":409,"message":"used"}', 'refused'],
  ['{"status":"error"}', 'unknown'],
  ['{"status":"error","message":"no"}', 'refused'],
  ['{"status":401,"message":"no"}', 'refused'],
])('the outcome of a write after %s under HTTP 200 is %s, as under another status', async (body, outcome) => {
  respond('POST /api/v1/rest/events/custom', { body });
  const event = { name: 'order placed', identifier: 'ada@x.test' };
  expect(await failureOf(makeClient().events.record(event))).toMatchObject({ outcome });
});

test('a 304 is no redirect', async () => {
  respond('GET /api/v1/rest/sender', { body: '', status: 304 });
  const rejection = await errorOf(makeClient().senders.list({ headers: { 'if-none-match': '"a"' } }));
  expect(rejection).toMatchObject({
    name: 'ApiError',
    response: { status: 304 },
    outcome: 'refused',
    attempts: [{}],
  });
  expect(rejection.message).toBe(
    `senders.list: 304 from ${new URL(restUrl).host}: an empty body. Check the request.`,
  );
});

const nameUsed = 'resource with this name already exists';

test.each<[number, string, ErrorClass]>([
  [200, 'List not found', NotFoundError],
  [200, 'The body is not in proper format', BadRequestError],
  [200, 'Invalid email', ApiError],
  [200, 'Internal Server Error', ServerError],
  [200, 'The API key may not do this', ApiError],
  [200, 'missing', ApiError],
  [200, nameUsed, ConflictError],
  [403, nameUsed, ConflictError],
  [499, nameUsed, ConflictError],
  [429, 'this resource already exists', RateLimitError],
  [404, 'invalid API key', NotFoundError],
  [401, 'resource not found', AuthenticationError],
  [403, 'this API key is missing the permission', PermissionError],
  [403, 'your hourly email quota is already used', PermissionError],
  ...[400, 409, 418].flatMap((status): [number, string, ErrorClass][] => [
    [status, 'resource not found', NotFoundError],
    [status, 'request body not in proper format', BadRequestError],
    [status, 'internal server error occurred', ServerError],
  ]),
  [400, 'internal server error occurred: the name already exists', ServerError],
  [500, 'resource not found', ServerError],
  [500, 'row already exists in shard', ServerError],
  [599, 'resource not found', ServerError],
])('HTTP %i and the message %j decide the class of the error', async (status, message, make) => {
  const { call, endpoint } = row('postTags.get');
  respond(endpoint, { body: error(message), status });
  const outcome = make === ServerError ? 'unknown' : 'refused';
  expect(await failureOf(call(makeClient()))).toMatchObject({ constructor: make, outcome });
});

test.each([
  ['tags.create', ConflictError],
  ['domains.create', ConflictError],
  ['templates.delete', ApiError],
  ['legacy.track', ApiError],
] as const)('a 409 of %s without the message of a used name is a %o', async (name, make) => {
  const { call, endpoint } = row(name);
  respond(endpoint, { body: error('template is used in an active campaign'), status: 409 });
  const rejection = await failureOf(call(makeClient()));
  expect(rejection).toMatchObject({ constructor: make, response: { status: 409 }, outcome: 'refused' });
  expect(String(rejection).includes('Use another name')).toBe(make === ConflictError);
});

test.each([
  { message: 'resource not found' },
  { error: 'resource not found' },
  { status: 'fail', message: 'internal server error occurred' },
  { status: 400, message: 'resource not found' },
  [error('resource not found')],
])('words in another form than that of the service decide nothing: %j', async body => {
  respond('POST /api/v1/rest/tag', { body, status: 400 });
  expect(await failureOf(makeClient().tags.create({ name: 'a' }))).toMatchObject({
    name: 'BadRequestError',
    outcome: 'refused',
  });
});

test.each([300, 399])(
  'HTTP %i is a redirect, after which the outcome of a write is unknown',
  async status => {
    const headers = { location: `${restUrl}/elsewhere` };
    respond('POST /api/v1/rest/tag', { body: 'no', status, headers });
    expect(await failureOf(makeClient().tags.create({ name: 'a' }))).toMatchObject({
      response: { status },
      outcome: 'unknown',
      message: expect.stringContaining('redirects are not followed'),
    });
  },
);

test.each([
  ['{"status":399}', true],
  ['{"status":400}', false],
  ['{"status":"399"}', true],
  ['{"status":"400"}', false],
  ['{"status":" 400"}', true],
  ['{"status":"1000000000"}', true],
  ['{"status":true}', true],
  ['{"status":"ok"}', true],
])('%s in response to a delete is a success: %o', async (body, success) => {
  respond('DELETE /api/v1/rest/tag/tag_A1b2C3d4E5f6G7h8I9j0K1', { body });
  const result = await makeClient().tags.delete('tag_A1b2C3d4E5f6G7h8I9j0K1').safe();
  expect(result.ok).toBe(success);
});

test.each(['{"id":"req_1","status":"error","message":"no"}'])(
  'a deletion that failed under 200 has failed, although its body has an id: %s',
  async body => {
    respond('DELETE /api/v1/rest/tag/tag_A1b2C3d4E5f6G7h8I9j0K1', { body });
    const result = await makeClient().tags.delete('tag_A1b2C3d4E5f6G7h8I9j0K1').safe();
    expect(result.ok).toBe(false);
  },
);

test('a body with an id is a record, whatever its status says', async () => {
  for (const status of ['error', 404, '500']) {
    const body = { id: 'order_1', status, error: 'none' };
    respond('GET /api/v1/rest/order', { body });
    expect(await makeClient().request({ method: 'GET', path: '/order' })).toEqual(body);
  }
});

test.each([
  ['{"a":[1]}', { a: [1] }],
  ['null', null],
  ['"text"', 'text'],
  ['bad gateway', 'bad gateway'],
  ['', ''],
])('the error of a 400 with the body %j has what it holds', async (body, expected) => {
  respond('GET /api/v1/rest/sender', { body, status: 400 });
  expect(await failureOf(makeClient().senders.list())).toHaveProperty('body', expected);
});
