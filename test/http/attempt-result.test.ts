// What the result of an attempt says to the rate limiter.
import { expect, test } from 'vitest';
import { type AttemptResult, feedbackOf } from '../../src/http/attempt-result.ts';
import { connectionFailure, timeoutFailure } from '../../src/http/failure.ts';
import { readResponse } from '../../src/http/read-response.ts';
import { noSecrets } from '../../src/http/secrets/redactor.ts';

const response = (
  status: number,
  headers: Record<string, string> = {},
  text = '{}',
  method = 'POST',
): AttemptResult =>
  readResponse({ status, text, headers: () => new Headers(headers) }, { method, redactor: noSecrets });

test.each([
  ['200', response(200)],
  ['400', response(400)],
  ['401', response(401)],
  ['404', response(404)],
  ['499', response(499)],
  ['200 with a refusal', response(200, {}, '{"status":"error","message":"resource not found"}')],
  ['200 with 401 in its body', response(200, {}, '{"status":401,"message":"team id or API key not valid"}')],
])('%s shows the rate limiter that the service takes requests', (_, result) => {
  expect(feedbackOf(result)).toBe('success');
});

test.each([
  ['429', response(429), undefined],
  ['429 with Retry-After', response(429, { 'retry-after': '2' }), 2_000],
  ['503', response(503), undefined],
  ['503 with Retry-After', response(503, { 'retry-after': '2' }), 2_000],
  ['200 with 429 in its body', response(200, { 'retry-after': '2' }, '{"status":429}'), 2_000],
])('%s asks the rate limiter to wait', (_, result, retryAfterMs) => {
  expect(feedbackOf(result)).toEqual({ retryAfterMs });
});

test.each([
  ['a redirect', response(399)],
  ['a redirect of a read', response(300, {}, '', 'GET')],
  ['another redirect of a read', response(399, {}, '', 'GET')],
  [
    '200 with 500 in its body',
    response(200, {}, '{"status":500,"message":"internal server error occurred"}'),
  ],
  ['200 with no JSON', response(200, {}, 'OK')],
  ['500', response(500)],
  ['502', response(502)],
  ['a refused connection', connectionFailure('not-sent', 'ECONNREFUSED', 'api.example.com:443')],
  ['a reset connection', connectionFailure('unknown', 'ECONNRESET', 'api.example.com:443')],
  ['a time limit', timeoutFailure('timeout', 1_000, 'head', 'unknown')],
  ['an attempt that did not end', undefined],
])('%s says nothing to the rate limiter', (_, result) => {
  expect(feedbackOf(result)).toBeUndefined();
});
