import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { CallFailure, Effect } from '../../../src/call/call-state.ts';
import { failure } from '../../../src/call/failure.ts';
import { readResult } from '../../../src/client/read-response.ts';
import type { ServiceCall } from '../../../src/client/service-settings.ts';
import { Redactor } from '../../../src/core/redactor.ts';
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from '../../../src/errors.ts';
import { errorOfOne, startedCall } from '../call/one-call.ts';

/** Reads a failed response, to a POST by default. */
function read(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
  kind: Effect['kind'] = 'write',
  hasUnknownOutcome = false,
): CallFailure {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = { status, text, headers: () => new Headers(headers) };
  const before = failure('EmailMarketingError', { summary: '', outcome: 'unknown' });
  const { endpoint, settings, ...call } = startedCall();
  const failed = {
    ...call,
    endpoint: { ...endpoint, kind },
    settings: { ...settings, redactor: new Redactor([]) },
    failures: hasUnknownOutcome ? [before] : [],
  } as unknown as ServiceCall;
  const sent = { phase: 'body', sentAt: 0, endedAt: 0, end: 'response', response } as const;
  return readResult(failed, sent) as CallFailure;
}

/** Returns the message of a failed response of `api.example.com`, without the operation. */
const messageOf = (failure: CallFailure) => errorOfOne(failure).message.replace('tags.create: ', '');

describe('Retry-After', () => {
  const now = 'Thu, 01 Jan 2026 12:00:00 GMT';

  test.each<[string, number | undefined]>([
    ['0', 0],
    [' 2 ', 2_000],
    ['1.25', 1_250],
    ['9'.repeat(400), Number.POSITIVE_INFINITY],
    ['Thu, 01 Jan 2026 12:00:05 GMT', 5_000],
    ['1, 2', undefined],
    ['11', 11_000],
    ['1, ', undefined],
    ['Thu, 01 Jan 2026 14:00:05 +0200', 5_000],
    ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['-1', undefined],
    ['soon 5', undefined],
    ['5 seconds', undefined],
    ['2026-01-01', undefined],
  ])('%o is a wait of %o ms', (retryAfter, ms) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) });
    onTestFinished(() => void vi.useRealTimers());
    const result = read(429, '', { 'retry-after': retryAfter });
    expect(result.retryAfterMs).toBe(ms);
    expect(errorOfOne(result)).toMatchObject({ retryAfterMs: ms });
  });
});

/** A body in the form of the service's own errors. */
const own = (message: string) => ({ status: 'error', message });

const nameUsed = 'resource with this name already exists';

test.each([
  [200, { status: 404 }, NotFoundError, 404, 'unknown'],
  [200, { status: '404', message: 'gone' }, NotFoundError, 404, 'unknown'],
  [200, { status: 409, message: 'used' }, ApiError, 409, 'refused'],
  [200, { status: 401, message: 'no' }, AuthenticationError, 401, 'refused'],
  [200, { status: 599 }, ServerError, 599, 'unknown'],
  [200, { status: 500, message: 'row already exists in shard' }, ServerError, 500, 'unknown'],
  [200, { status: 'error' }, ApiError, 200, 'unknown'],
  [500, { status: 404 }, ServerError, 500, 'unknown'],
  [403, { status: 401, message: 'no' }, AuthenticationError, 403, 'refused'],
  [404, { status: 401, message: 'no' }, AuthenticationError, 404, 'refused'],
  [429, { status: 401, message: 'slow down' }, RateLimitError, 429, 'refused'],
  [408, { status: 401, message: 'too late' }, ApiError, 408, 'unknown'],
  [301, { status: 401, message: 'no' }, ApiError, 301, 'unknown'],
  [304, '', ApiError, 304, 'unknown'],
  [200, own('List not found'), NotFoundError, 200, 'refused'],
  [200, own('The body is not in proper format'), BadRequestError, 200, 'refused'],
  [200, own('Invalid email'), ApiError, 200, 'refused'],
  [200, own('Internal Server Error'), ServerError, 200, 'unknown'],
  [200, own(nameUsed), ConflictError, 200, 'refused'],
  [403, own(nameUsed), ConflictError, 403, 'refused'],
  [429, own('this resource already exists'), RateLimitError, 429, 'refused'],
  [404, own('invalid API key'), NotFoundError, 404, 'refused'],
  [401, own('resource not found'), AuthenticationError, 401, 'refused'],
  [403, own('this API key is missing the permission'), PermissionError, 403, 'refused'],
  [409, own('resource not found'), NotFoundError, 409, 'refused'],
  [418, own('request body not in proper format'), BadRequestError, 418, 'refused'],
  [400, own('internal server error occurred: the name already exists'), ServerError, 400, 'unknown'],
  [500, own('resource not found'), ServerError, 500, 'unknown'],
  // Words in another form than that of the service decide nothing.
  [400, { message: 'resource not found' }, BadRequestError, 400, 'refused'],
  [400, { status: 'fail', message: 'internal server error occurred' }, BadRequestError, 400, 'refused'],
  [400, { status: 400, message: 'resource not found' }, BadRequestError, 400, 'refused'],
])(
  'HTTP %i with the body %j is a %o with the status %i, and a write is %s',
  (http, body, make, status, outcome) => {
    const result = read(http, body);
    expect(result.outcome).toBe(outcome);
    expect(errorOfOne(result)).toMatchObject({ constructor: make, response: { status } });
  },
);

test.each([
  { status: 'failed', message: 'no luck' },
  { status: 'Failure', data: null },
  { status: 'fail' },
  { status: '400' },
  { success: false, message: 'no luck' },
  { status: 'success', success: false },
  { errors: ['no luck', 'no time'] },
  { status: '200', message: 'partly', errors: [{ field: 'email' }] },
  { errors: { email: ['no luck'] } },
  { error: 'no luck' },
  { error: { code: 7 } },
  { error: true },
  { id: 'req_1', status: 'error', message: 'no' },
])('%j under 200 says that a write failed', body => {
  expect(errorOfOne(read(200, body))).toMatchObject({
    outcome: expect.stringMatching(/refused|unknown/),
    body,
  });
});

test.each([
  ...[399, '399', ' 400', '1000000000', true, 'ok', '', 'never failed', 'unfailing'].map(status => ({
    status,
  })),
  { errors: [] },
  { error: null },
])('%j under 200 says of no failure', body => {
  expect(read(200, body)).toMatchObject({ data: body, status: 200 });
});

test.each(['error', 404, '500'])('a record is one, whatever its status says: %j', status => {
  const body = { id: 'order_1', status, error: 'none' };
  expect(read(200, body, {}, 'read')).toMatchObject({ data: body });
});

test.each([
  ['{"a":[1]}', { a: [1] }],
  ['null', null],
  ['"text"', 'text'],
  ['bad gateway', 'bad gateway'],
  ['', ''],
])('the error of a 400 with the body %j has what it holds', (body, expected) => {
  expect(errorOfOne(read(400, body))).toHaveProperty('body', expected);
});

test.each([300, 399])('HTTP %i is a redirect, after which the outcome of a write is unknown', status => {
  expect(read(status, 'no')).toMatchObject({
    outcome: 'unknown',
    summary: expect.stringContaining('redirects are not followed'),
  });
});

test.each<[number, boolean]>([
  ...[408, 421, 425, 429, 500, 502, 503, 504].map((status): [number, boolean] => [status, true]),
  ...[302, 400, 401, 403, 404, 409, 422].map((status): [number, boolean] => [status, false]),
])('HTTP %i can pass: %s', (status, isTransient) => {
  expect(read(status, '<html>').isTransient).toBe(isTransient);
});

test.each([
  ['delete', true],
  ['read', false],
  ['create', false],
  ['write', false],
] as const)(
  '"not found" after an attempt that may have acted is a success of a %s: %s',
  (kind, isSuccess) => {
    expect('data' in read(404, own('resource not found'), {}, kind, true)).toBe(isSuccess);
  },
);

describe('the outcome of a 4xx', () => {
  // Those that come before the service acts, and those that a filter or an error page sends in place of a response.
  const before = [400, 401, 402, 409, 411, 413, 414, 415, 417, 421, 422, 426, 428, 429, 431];
  const inPlaceOfResponse = [
    403, 404, 405, 406, 407, 410, 412, 416, 418, 419, 420, 423, 424, 425, 427, 430, 440, 451, 460, 499,
  ];
  const others = ['<title>Access Denied</title>', '', '{"message":"no"}', '{"status":403,"message":"no"}'];

  test.each([...before, ...inPlaceOfResponse])('%i depends on who sends it, and on the call', status => {
    const ofWrite = before.includes(status) ? 'refused' : 'unknown';
    for (const body of others) {
      expect(read(status, body).outcome, body).toBe(ofWrite);
      expect(read(status, body, {}, 'read').outcome, body).toBe('refused');
    }
    expect(read(status, own('not for you')).outcome).toBe('refused');
  });
});

test('says that an HTML page came in place of JSON, after white space too', () => {
  const message = '502 from api.example.com: an HTML page in place of JSON.';
  expect(messageOf(read(502, '\n<!DOCTYPE html>'))).toContain(message);
});

test('says of a 304 that it is no redirect', () => {
  const message =
    '304 from api.example.com: an empty body. The service did not send this: check the base URL, and any proxy, firewall or login page in between.';
  expect(messageOf(read(304, '', {}, 'read'))).toBe(message);
});

test('asks no call to wait after a 500, even with `Retry-After`', () => {
  const result = read(500, '', { 'retry-after': '2' });
  expect([result.isTransient, result.retryAfterMs]).toEqual([true, undefined]);
});

test('does not know whether a write acted from a 1xx, which workerd returns if nothing follows it', () => {
  const { outcome, isTransient } = read(103, '');
  expect([outcome, isTransient]).toEqual(['unknown', false]);
});

test('shows at most 500 characters of a message', () => {
  const long = read(400, { status: 'error', message: 'm'.repeat(60_000) });
  expect(messageOf(long)).toMatch(/^400 from api\.example\.com: m{500}…\.$/);
});

test('reads `errors` that are a text of megabytes as fast as any other text', () => {
  const timeOf = (body: object) => {
    const startedAt = performance.now();
    expect(read(200, body)).toMatchObject({ outcome: 'unknown' });
    return performance.now() - startedAt;
  };
  const text = 'x'.repeat(5_000_000);
  expect(timeOf({ errors: text })).toBeLessThan(10 * timeOf({ errors: ['one'], text }));
});
