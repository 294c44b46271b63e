import { describe, expect, test } from 'vitest';
import type { HttpMethod } from '../../../../src/http/call/operation.ts';
import { Redactor } from '../../../../src/http/redactor.ts';
import { readResponse } from '../../../../src/http/response/read-response.ts';

/** Reads a response to a POST, or to another method. */
const read = (
  status: number,
  body: unknown,
  method: HttpMethod = 'POST',
  headers: Record<string, string> = {},
) =>
  readResponse(
    {
      status,
      text: typeof body === 'string' ? body : JSON.stringify(body),
      headers: () => new Headers(headers),
    },
    { method, kind: 'write' },
    new Redactor([]),
  );

/** Returns the message of a failed response of `api.example.com`. */
const messageOf = (result: ReturnType<typeof read>) => (result.ok ? '' : result.message('api.example.com'));

describe('Retry-After', () => {
  const now = 'Thu, 01 Jan 2026 12:00:00 GMT';

  test.each<[string, number | undefined]>([
    ['0', 0],
    ['2', 2_000],
    [' 2 ', 2_000],
    ['1.25', 1_250],
    ['9'.repeat(400), Number.POSITIVE_INFINITY],
    ['Thu, 01 Jan 2026 12:00:05 GMT', 5_000],
    ['Thursday, 01-Jan-26 12:00:05 GMT', 5_000],
    ['Thu Jan  1 12:00:05 2026 GMT', 5_000],
    ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
    ['', undefined],
    ['-1', undefined],
    ['soon', undefined],
    ['1e3', undefined],
    ['Infinity', undefined],
    ['2026-01-01', undefined],
    ['Thu, nonsense', undefined],
    ['after Thu, 01 Jan 2026 12:00:05 GMT', undefined],
  ])('%o is a wait of %o ms from the date of the response', (retryAfter, ms) => {
    const result = read(429, '', 'POST', { date: now, 'retry-after': retryAfter });
    expect(result).toMatchObject({ retryAfterMs: ms });
    expect(result.ok ? undefined : result.toError('no', {})).toMatchObject(
      ms === undefined ? {} : { retryAfter: ms / 1000 },
    );
  });

  test('is a time on the local clock if the response has no date', () => {
    for (const headers of [{}, { date: 'today' }]) {
      const retryAfter = new Date(Date.now() + 60_000).toUTCString();
      const result = read(429, '', 'POST', { ...headers, 'retry-after': retryAfter });
      const { retryAfterMs = 0 } = result.ok ? {} : result;
      expect(retryAfterMs).toBeGreaterThan(50_000);
      expect(retryAfterMs).toBeLessThanOrEqual(60_000);
    }
  });
});

test('says that an HTML page came in place of JSON, after white space too', () => {
  const message = '502 from api.example.com: an HTML page in place of JSON';
  expect(messageOf(read(502, '\n<!DOCTYPE html>'))).toBe(message);
});

test.each([
  [200, { status: 404, message: 'resource not found' }, '404 from api.example.com: resource not found'],
  [200, { status: 'error', message: 'no luck today' }, '200 from api.example.com: no luck today'],
  [200, { error: 'no luck today' }, '200 from api.example.com: no luck today'],
  [200, { error: { code: 7, message: 'no luck today' } }, '200 from api.example.com: no luck today'],
  [200, { error: { code: 7 } }, '200 from api.example.com: no message'],
  [200, { error: true }, '200 from api.example.com: no message'],
  [400, { status: 'error', message: '' }, '400 from api.example.com: no message'],
  [400, { status: 'error', message: { text: 'no' } }, '400 from api.example.com: no message'],
  [400, [], '400 from api.example.com: no message'],
  [300, '', '300 from api.example.com: redirects are not followed'],
  [302, { message: 'moved' }, '302 from api.example.com: redirects are not followed'],
  [399, '', '399 from api.example.com: redirects are not followed'],
])('reports the message of the service under %i with %j', (status, body, message) => {
  expect(messageOf(read(status, body))).toBe(message);
});

test.each([
  [429, '', {}, { transient: true, notFound: false, retryAfterMs: undefined }],
  [429, '', { 'retry-after': '2' }, { transient: true, notFound: false, retryAfterMs: 2000 }],
  [503, '', { 'retry-after': '2' }, { transient: true, notFound: false, retryAfterMs: 2000 }],
  [503, '', {}, { transient: true, notFound: false, retryAfterMs: undefined }],
  [500, '', { 'retry-after': '2' }, { transient: true, notFound: false, retryAfterMs: undefined }],
  [400, '', { 'retry-after': '2' }, { transient: false, notFound: false, retryAfterMs: undefined }],
  [404, '', {}, { transient: false, notFound: false }],
  [404, '404 page not found', {}, { transient: false, notFound: false }],
  [404, '["not found"]', {}, { transient: false, notFound: false }],
  [404, { status: 'error', message: 'resource not found' }, {}, { transient: false, notFound: true }],
  [
    404,
    { status: 'error', message: 'system lists can not be deleted' },
    {},
    { transient: false, notFound: false },
  ],
  [200, { status: 'error', message: 'resource not found' }, {}, { transient: false, notFound: true }],
  [400, { status: 'error', message: 'resource not found' }, {}, { transient: false, notFound: true }],
])(
  'reads from %i with %j and %o whether a retry can succeed, and whether a record is missing',
  (status, body, headers, facts) => {
    expect(read(status, body, 'POST', headers)).toMatchObject(facts);
  },
);

test.each([
  ...[null, 7, true, 'text', [], {}],
  ...[null, false, '', {}, [], 0, 7].map(error => ({ error })),
  ...['no luck today', true, { code: 7 }].map(error => ({ id: 'tag_1', error })),
  { status: 'success', error: true },
])('takes JSON that reports no failure under 200 for a success: %j', json => {
  expect(read(200, JSON.stringify(json))).toMatchObject({ ok: true, json });
});

test('shows at most 500 characters of a message', () => {
  const long = read(400, { status: 'error', message: 'm'.repeat(60_000) });
  expect(messageOf(long)).toMatch(/^400 from api\.example\.com: m{500}$/);
});
