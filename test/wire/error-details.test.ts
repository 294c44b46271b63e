// Which words and statuses of a failed response lead to which error.
import { expect, test } from 'vitest';
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  type RateLimitError,
  ServerError,
} from '../../src/index.ts';
import { failure, makeClient, respond, useTestService } from './test-service.ts';

useTestService();

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

test('hides the private key of a domain in the body of an error', async () => {
  const body = {
    status: 'error',
    message: 'no',
    domain: { dkimConfig: 'MIIE' },
    PrivKey: 'MIIE',
    Domain: 'a.test',
  };
  respond('POST /api/v1/rest/domain', { body, status: 500 });
  expect(await failure(makeClient().domains.create({ name: 'a.test' }))).toMatchObject({
    body: '[redacted]',
  });
});

test('repeats at most 500 characters of a message of the service', async () => {
  respond('GET /api/v1/rest/sender', { body: { error: 'x'.repeat(501) }, status: 400 });
  const { message } = (await failure(makeClient().senders.list())) as Error;
  expect(message).toMatch(/: 400 from rest\.example\.test: x{500}\. /);
});

test.each([
  ['Version 1.2 is required.', '400 from rest.example.test: Version 1.2 is required. Check the input.'],
  ['Version 1.2 is required', '400 from rest.example.test: Version 1.2 is required. Check the input.'],
])('ends the message %o of the service with one full stop', async (said, message) => {
  respond('GET /api/v1/rest/sender', { body: { error: said }, status: 400 });
  expect(await failure(makeClient().senders.list())).toMatchObject({ message: `senders.list: ${message}` });
});

test('cautions against a repetition where a write that is not idempotent may have taken effect', async () => {
  const caution = 'It may have taken effect: check before you repeat it.';
  const messageUnder = async (status: number) => {
    respond('POST /api/v1/rest/tag', { body: '', status });
    respond('GET /api/v1/rest/sender', { body: '', status });
    const errors = [
      await failure(makeClient().tags.create({ name: 'a' })),
      await failure(makeClient().senders.list()),
    ];
    return errors.map(error => (error as Error).message.includes(caution));
  };
  expect(await messageUnder(500)).toEqual([true, false]);
  expect(await messageUnder(400)).toEqual([false, false]);
});

const again = 'Try again later.';
const caution = 'It may have taken effect: check before you repeat it.';

test.each([
  [302, {}, 'Check the base URL: it must be where the service itself responds.', caution],
  [400, {}, 'Check the input.', ''],
  [403, {}, 'Check the reason given, and what the API key may do.', ''],
  [405, {}, 'Check the reason given, and the request.', ''],
  [503, { 'retry-after': '1' }, 'The service asks to wait 1 s.', ''],
  [
    429,
    { 'retry-after': '3600' },
    'The service asks to wait 3600 s. Send fewer requests, for example with the option throttle.',
    '',
  ],
  [404, {}, 'Check the id and the path.', ''],
  [503, {}, '', caution],
  [500, {}, '', caution],
])('says after HTTP %i with %o to a write what to do next', async (status, headers, advice, end) => {
  respond('POST /api/v1/rest/tag', { body: { message: 'no luck' }, status, headers });
  const { message } = (await failure(makeClient().tags.create({ name: 'a' }))) as Error;
  const what = status === 302 ? 'redirects are not followed' : 'no luck';
  const sentences = [`tags.create: ${status} from rest.example.test: ${what}.`, advice, end];
  expect(message).toBe(sentences.filter(Boolean).join(' '));
});

test('names the host and port of each interface in the errors of its calls', async () => {
  const fetch = async () => new Response('', { status: 500 });
  const client = makeClient({
    baseUrl: 'https://api.example.test:8443/base',
    legacyBaseUrl: 'http://localhost:4010',
    fetch,
  });
  expect(await failure(client.senders.list())).toMatchObject({
    message: `senders.list: 500 from api.example.test:8443: an empty body. ${again}`,
  });
  expect(await failure(client.legacy.track({ email: 'a@b.test', addTags: ['vip'] }))).toMatchObject({
    message: `legacy.track: 500 from localhost:4010: an empty body. ${again}`,
  });
});

test('cautions against a repetition of a write whose response cannot be used', async () => {
  const start = 'the response of rest.example.test cannot be used: body: expected JSON, got nothing.';
  const advice = 'Check the base URL, and whether the service has changed.';
  respond('POST /api/v1/rest/tag', { body: '' });
  respond('GET /api/v1/rest/sender', { body: '' });
  expect(await failure(makeClient().tags.create({ name: 'a' }))).toMatchObject({
    message: `tags.create: ${start} ${advice} ${caution}`,
  });
  expect(await failure(makeClient().senders.list())).toMatchObject({
    message: `senders.list: ${start} ${advice}`,
  });
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

test('track says what to do about an email that no contact has', async () => {
  respond('POST /api/v1/contact/track', { body: { status: 'error', message: 'contact not found' } });
  expect(await failure(makeClient().legacy.track({ email: 'a@b.test', addTags: ['vip'] }))).toMatchObject({
    name: 'NotFoundError',
    message:
      'legacy.track: 200 from legacy.example.test: contact not found. No contact has this email: create it with client.legacy.identify.',
  });
});

test('a web page under 404 is said to be a wrong base URL', async () => {
  respond('DELETE /api/v1/rest/tag/tag_A1b2C3d4E5f6G7h8I9j0K1', {
    body: '<!doctype html><title>Not Found</title>',
    status: 404,
  });
  expect(await failure(makeClient().tags.delete('tag_A1b2C3d4E5f6G7h8I9j0K1'))).toMatchObject({
    name: 'NotFoundError',
    message: expect.stringMatching(/Check the base URL: a web page is there, and not the service\.$/),
  });
});
