// What messages say and advise. The rest of each is compared by the test of its subject.
import { expect, test } from 'vitest';
import { bulk, type ClientOptions, EmailMarketingClient, epochNanoseconds } from '../../src/index.ts';
import { contact } from '../endpoints.ts';
import { suffix } from '../support/specified-records.ts';
import { clientOfResponse, clientOfServer, failureOf, useNoRetryDelay } from './support.ts';

useNoRetryDelay();

const untyped = (value: unknown) => value as never;

const clientWith = (options: object = {}) =>
  clientOfServer('https://api.example.com', {
    legacyBaseUrl: 'http://localhost:4010',
    maxRetries: 0,
    ...options,
  });

const getting = (status: number, body: unknown, options: object = {}) =>
  clientOfResponse(body, status, { legacyBaseUrl: 'http://localhost:4010', ...options });

const silent: ClientOptions['fetch'] = (_, { signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

const error = (message: string) => ({ status: 'error', message });
const vip = { name: 'vip' };

function fillQueue() {
  const client = clientWith({ fetch: silent, timeout: 50, throttle: { concurrency: 1, maxQueue: 1 } });
  for (const _ of [1, 2]) client.senders.list().catch(() => {});
  return client.senders.list();
}

test.each<[provoke: () => unknown, error: string]>([
  [
    () => clientWith({ apiKey: () => undefined }).senders.list(),
    'ConfigurationError: senders.list: apiKey must be a function that returns text of at most 8192 characters that a header can hold, without white space at its ends (got undefined).',
  ],
  [
    () => clientWith({ logger: 'console' }),
    'ConfigurationError: logger must be an object with warn, info and debug, as console (got string).',
  ],
  [
    () => clientWith({ headers: { 'X-Team-ApiKey': 'the-key' } }),
    'ConfigurationError: headers.X-Team-ApiKey must be left out: the client or HTTP sets this header (got string).',
  ],
  [
    () => new EmailMarketingClient(untyped('the-key')),
    'ConfigurationError: options must be an object (got string).',
  ],
  [
    () => clientWith({ throttle: { requestsPerSecond: 0 } }),
    'ConfigurationError: throttle.requestsPerSecond must be a number above 0 (got 0).',
  ],
  [
    () => clientWith().senders.list({ signal: untyped('abort') }),
    'InvalidRequestError: senders.list: signal must be an AbortSignal (got string).',
  ],
  [
    () => clientWith().legacy.identify({ email: 'ada', birthday: '10.12.1815', tags: [''] }),
    'InvalidRequestError: legacy.identify: email must be an email address (got "ada"). birthday must be a day that exists, as YYYY-MM-DD (got "10.12.1815"). tags must be an array of non-empty strings (got "" at index 0).',
  ],
  [
    () => epochNanoseconds('yesterday'),
    'InvalidRequestError: epochNanoseconds: text must be ISO 8601 in UTC, such as 2025-12-22T09:04:10.613907001Z (got string).',
  ],
  [
    () => bulk(untyped(null), async () => {}).toArray(),
    'InvalidRequestError: bulk: source must be an iterable or async iterable of rows, not a file name (got null).',
  ],
  [
    () => getting(401, { status: 401, message: 'team id or API key not valid' }).contacts.list(),
    'AuthenticationError: contacts.list: 401 from api.example.com: team id or API key not valid. Check the API key, and the team id if the call needs one, in the team settings.',
  ],
  [
    () => getting(400, error('resource with this name already exists')).tags.create(vip),
    'ConflictError: tags.create: 400 from api.example.com: resource with this name already exists. Use another name, or the existing resource.',
  ],
  [
    () => getting(409, error('template is used in an active campaign')).tags.delete(suffix),
    'ApiError: tags.delete: 409 from api.example.com: template is used in an active campaign.',
  ],
  [
    () => getting(404, error('resource not found')).tags.delete(suffix),
    'NotFoundError: tags.delete: 404 from api.example.com: resource not found. Check the id and the path.',
  ],
  [
    () => getting(404, '<!doctype html><html></html>').tags.delete(suffix),
    'NotFoundError: tags.delete: 404 from api.example.com: an HTML page. The service did not send this. Check the base URL, and any proxy, firewall or login page in between.',
  ],
  [
    () => getting(403, error('system lists can not be deleted')).contacts.list(),
    'PermissionError: contacts.list: 403 from api.example.com: system lists can not be deleted. This key lacks permission, or the resource is protected.',
  ],
  [
    () => getting(429, error('slow down')).contacts.list(),
    'RateLimitError: contacts.list: 429 from api.example.com: slow down. Send fewer requests, for example with the option throttle.',
  ],
  [
    () => getting(200, error('contact not found')).legacy.track({ email: 'ada@example.com', addTags: [] }),
    'NotFoundError: legacy.track: 200 from localhost:4010: contact not found. Check the email: only contacts that exist can be tracked.',
  ],
  [
    () => getting(200, '').tags.create(vip),
    'ConnectionError: tags.create: the response from api.example.com was cut off. The call may have taken effect. Check before you repeat it.',
  ],
  [
    () => getting(200, contact).contacts.list(),
    'InvalidResponseError: contacts.list: the response from api.example.com cannot be used: body: expected an array, got object. Check whether the service has changed.',
  ],
  [
    () => getting(200, []).tags.create(vip),
    'InvalidResponseError: tags.create: the response from api.example.com cannot be used: body: expected an object, got array. Check whether the service has changed. The call took effect. Do not repeat it.',
  ],
  [
    () => getting(200, [{ ...contact, firstName: 7, tags: 'vip' }], { validation: 'strict' }).contacts.list(),
    'InvalidResponseError: contacts.list: the response from api.example.com cannot be used: [0].firstName: expected a string, got number; [0].tags: expected an array of ids, got string. Check whether the service has changed.',
  ],
  [
    () => getting(200, `["${'x'.repeat(5000)}"]`, { maxResponseBytes: 1000 }).senders.list(),
    'InvalidResponseError: senders.list: the response from api.example.com cannot be used: body: expected at most 1000 bytes (maxResponseBytes), got more.',
  ],
  [
    fillQueue,
    'EmailMarketingError: senders.list: the queue of waiting calls is full (throttle.maxQueue). Start fewer calls at once, for example with bulk.',
  ],
])('%o leads to an error that says what happened, and what to do', async (provoke, expected) => {
  expect(`${await failureOf(Promise.resolve().then(provoke))}`).toBe(expected);
});

test.each<[body: unknown, explanation: string]>([
  [{ message: 'name is taken' }, 'name is taken'],
  [
    { message: ['name is taken', 'age is no number'], error: 'Bad Request' },
    '["name is taken","age is no number"]',
  ],
  [{ type: 'about:blank', title: 'Invalid', detail: 'name is taken' }, 'name is taken'],
  [{ title: 'name is taken', status: 422 }, 'name is taken'],
  [{ errors: [{ message: 'name is taken', code: 7 }] }, '[{"message":"name is taken","code":7}]'],
  [{ errors: { name: ['is taken'], age: 'is no number' } }, '{"name":["is taken"],"age":"is no number"}'],
  [{ error: 'invalid_request', error_description: 'name is taken' }, 'name is taken'],
  [{ error: { message: 'name is taken' } }, 'name is taken'],
  [{ error: 'name is taken' }, 'name is taken'],
  [{ msg: 'name is taken' }, 'name is taken'],
  ['"name is taken"', 'name is taken'],
  [{ detail: 'of the-key-itself' }, 'of [redacted]'],
  [{ detail: `${'n'.repeat(300)}` }, `${'n'.repeat(200)}…`],
  [{ detail: 'two\nlines' }, 'two lines'],
  [{ error: true, errors: [{ code: 7 }] }, '[{"code":7}]'],
  [{ code: 7 }, 'no message'],
])('an error quotes what JSON in another form says of it: %j', async (body, explanation) => {
  const error = await failureOf(getting(422, body, { apiKey: 'the-key-itself' }).tags.create(vip));
  expect(`${error}`).toBe(`BadRequestError: tags.create: 422 from api.example.com: ${explanation}.`);
});
