import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readResponse } from '../../../src/api/read-response.ts';
import type { Failure } from '../../../src/call/failure.ts';
import { Redactor } from '../../../src/core/redactor.ts';
import { describedCall, errorOfOne } from '../call/one-call.ts';

/** Reads a failed response, to a POST by default. */
function read(
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
  kind: 'read' | 'write' = 'write',
): Failure {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = { status, text, headers: () => new Headers(headers) };
  const previous = { mayHaveActed: false };
  return readResponse({ kind }, response, describedCall(), previous, new Redactor([])) as Failure;
}

/** Returns the message of a failed response of `api.example.com`, without the operation. */
const messageOf = (failure: Failure) => errorOfOne(failure).message.replace('tags.create: ', '');

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
    ['2026-01-01', undefined],
  ])('%o is a wait of %o ms', (retryAfter, ms) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(now) });
    onTestFinished(() => void vi.useRealTimers());
    const result = read(429, '', { 'retry-after': retryAfter });
    expect(result.retryAfterMs).toBe(ms);
    expect(errorOfOne(result)).toMatchObject({ retryAfterMs: ms });
  });
});

describe('the outcome of a 4xx', () => {
  // Those that come before the service acts, and those that a filter or an error page sends in place of a response.
  const before = [400, 401, 402, 409, 411, 413, 414, 415, 417, 421, 422, 426, 428, 429, 431];
  const inPlaceOfResponse = [
    403, 404, 405, 406, 407, 410, 412, 416, 418, 419, 420, 423, 424, 425, 427, 430, 440, 451, 460, 499,
  ];
  const own = '{"status":"error","message":"not for you"}';
  const others = ['<title>Access Denied</title>', '', '{"message":"no"}', '{"status":403,"message":"no"}'];

  test.each([...before, ...inPlaceOfResponse])('%i depends on who sends it, and on the call', status => {
    const ofWrite = before.includes(status) ? 'refused' : 'unknown';
    for (const body of others) {
      expect(read(status, body).outcome, body).toBe(ofWrite);
      expect(read(status, body, {}, 'read').outcome, body).toBe('refused');
    }
    expect(read(status, own).outcome).toBe('refused');
  });
});

test('says that an HTML page came in place of JSON, after white space too', () => {
  const message = '502 from api.example.com: an HTML page in place of JSON.';
  expect(messageOf(read(502, '\n<!DOCTYPE html>'))).toContain(message);
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
  expect(messageOf(long)).toMatch(/^400 from api\.example\.com: m{500}\. /);
});
