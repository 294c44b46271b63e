import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { CallFailure, Effect } from '../../../src/call/call-state.ts';
import { failure } from '../../../src/call/failure.ts';
import { readResult } from '../../../src/client/read-response.ts';
import type { ServiceCall } from '../../../src/client/service-settings.ts';
import { Redactor } from '../../../src/core/redactor.ts';
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

test.each([
  ['{"a":[1]}', { a: [1] }],
  ['null', null],
  ['"text"', 'text'],
  ['bad gateway', 'bad gateway'],
  ['', ''],
])('the error of a 400 with the body %j has what it holds', (body, expected) => {
  expect(errorOfOne(read(400, body))).toHaveProperty('body', expected);
});

test('says that a 304 is not a redirect', () => {
  const message =
    '304 from api.example.com: an empty body. The service did not send this. Check the base URL, and any proxy, firewall or login page in between.';
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
