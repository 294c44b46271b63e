import { expect, test } from 'vitest';
import { sendingFailure } from '../../../src/http/fetch-only-transport.ts';

const failureOf = (error: unknown, phase: 'head' | 'body' = 'head') =>
  sendingFailure(error, { phase, maySend: true }, new URL('https://api.example.com/api/v1/rest'));

test.each(['Failed to fetch', 'Load failed', 'NetworkError when attempting to fetch resource.'])(
  'names both reasons why a web page gets no response, after the error %j of a browser',
  text => {
    const failure = failureOf(new TypeError(text));
    expect(failure.message('api.example.com')).toBe(
      'no response from api.example.com:443 (network failure, or blocked by CORS)',
    );
    expect(failure).toMatchObject({ outcome: 'unknown', advice: expect.stringContaining('CORS') });
  },
);

test.each([
  ['the body breaks off', new TypeError('Load failed'), 'body'],
  ['an edge worker loses the connection', new Error('Network connection lost.'), 'head'],
  ['the thrown value is not an error', undefined, 'head'],
] as const)('says that the connection closed if %s', (_, error, phase) => {
  const failure = failureOf(error, phase);
  expect(failure.message('api.example.com')).toBe(
    'the connection to api.example.com:443 closed before the whole response came (network failure)',
  );
  expect(failure).toMatchObject({ outcome: 'unknown' });
});
