import { describe, expect, test } from 'vitest';
import { noSecrets } from '../../../../src/core/redactor.ts';
import { sendingFailure } from '../../../../src/http/response/network-failure.ts';
import type { ConnectionError } from '../../../../src/index.ts';

const baseUrl = 'https://api.example.com/api/v1/rest';

const failureOf = (error: unknown, phase: 'head' | 'body' = 'head') =>
  sendingFailure(error, phase, new URL(baseUrl), noSecrets);

/** An error as Node's `fetch` throws it: the reason is its cause. */
const fetchFailed = (cause: object) => new TypeError('fetch failed', { cause });
const withCode = (code: string) => Object.assign(new Error(code), { code });

describe('the outcome', () => {
  test.each([
    ['each address refuses', fetchFailed(new AggregateError([withCode('ECONNREFUSED')]))],
    ['there is no route to the host', fetchFailed(withCode('EHOSTUNREACH'))],
    ['there is no route to the network', fetchFailed(withCode('ENETUNREACH'))],
    ['Node forbids the network', fetchFailed(withCode('ERR_ACCESS_DENIED'))],
    ['Node blocks the port', fetchFailed(new Error('bad port'))],
    ['Deno blocks the port', new TypeError('Fetch failed: Requests to port 6000 are blocked')],
    ['Deno blocks the port', new TypeError('Network connection blocked: blocked port')],
    ['Deno forbids the network', Object.assign(new Error('Requires net access'), { name: 'NotCapable' })],
    ['Deno finds no server', new TypeError('client error (Connect): tcp connect error: connection refused')],
    ['Bun finds no server', Object.assign(new Error('Unable to connect'), { code: 'ConnectionRefused' })],
  ])('is not-sent when %s', (_, error) => {
    expect(failureOf(error)).toMatchObject({ outcome: 'not-sent', transient: true });
  });

  test.each([
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
    'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ])('is not-sent after %s, a code of the TLS handshake', code => {
    expect(failureOf(fetchFailed(withCode(code)))).toMatchObject({
      outcome: 'not-sent',
      advice: expect.stringMatching(/^Check the certificate .*, and NODE_EXTRA_CA_CERTS\.$/),
    });
  });

  test.each([
    'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
    'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR',
    'ERR_TLS_RENEGOTIATION_DISABLED',
  ])('is unknown after %s, which can come once the request was sent', code => {
    expect(failureOf(fetchFailed(withCode(code)))).toMatchObject({ outcome: 'unknown' });
  });

  test.each([
    ['the connection is reset', fetchFailed(withCode('ECONNRESET'))],
    ['the runtime gives no reason', new TypeError('Load failed')],
    ['what was thrown is no error', 'lost'],
    ['a route is lost while reading', Object.assign(withCode('EHOSTUNREACH'), { syscall: 'read' })],
    ['null was thrown', null],
    ['the reason follows 1 000 characters', new Error(`${'x'.repeat(1_000)} connection refused`)],
    ['two errors contain half of a reason each', new Error('connection', { cause: new Error('refused') })],
    ['only the URL contains a reason', new TypeError(`error for ${baseUrl}/ECONNREFUSED`)],
  ])('is unknown when %s', (_, error) => {
    expect(failureOf(error)).toMatchObject({ outcome: 'unknown' });
  });

  test('is unknown when the body breaks off, with any code', () => {
    expect(failureOf(withCode('ECONNREFUSED'), 'body')).toMatchObject({ outcome: 'unknown' });
  });
});

test('finds the reason on either side of a URL, in the first 1 000 characters of a message', () => {
  const url = `${baseUrl}/tag`;
  const far = `${'x'.repeat(982)}connection refused`;
  for (const text of [`connection refused by ${url}`, `request to ${url} failed: connection refused`, far])
    expect(failureOf(new Error(text))).toMatchObject({ outcome: 'not-sent', reason: 'connection refused' });
});

test.each([
  [4, 'not-sent'],
  [5, 'unknown'],
])('a refused connection below %i other errors has the outcome %s', (depth, outcome) => {
  let error: Error = withCode('ECONNREFUSED');
  for (let level = 0; level < depth; level += 1) error = new Error('failed', { cause: error });
  expect(failureOf(error)).toMatchObject({ outcome });
});

test.each([
  ['ECONNRESET', 'ECONNRESET'],
  ['A'.repeat(60), 'A'.repeat(60)],
  ['A'.repeat(61), 'network failure'],
  ['', 'network failure'],
  [20, 'network failure'],
])('shows the code of an error if it looks like one: %j', (code, reason) => {
  const failure = failureOf(fetchFailed({ code }));
  expect(failure).toMatchObject({ reason });
  expect(failure.message('api.example.com')).toContain(`(${reason})`);
});

test('the error of a failed connection has its code, also in its cause', () => {
  const { toError } = failureOf(fetchFailed(withCode('ECONNRESET')));
  const error = toError('lost', { operation: 'tags.create' });
  const members = { name: 'ConnectionError', message: 'lost', operation: 'tags.create', code: 'ECONNRESET' };
  expect(error).toMatchObject({ ...members, cause: { message: 'ECONNRESET', code: 'ECONNRESET' } });
});

test('the error of a failed connection has no code if the runtime gives none', () => {
  const { toError } = failureOf(new TypeError('Load failed'));
  const error = toError('lost', {}) as ConnectionError;
  expect(error.code).toBeUndefined();
  expect(error.cause).toEqual(new Error('network failure'));
  expect(error.cause).not.toHaveProperty('code');
});

test('stops at an error that is its own cause', () => {
  const circular: Error = Object.assign(new Error('round'), { cause: undefined as unknown });
  circular.cause = circular;
  expect(failureOf(circular)).toMatchObject({ outcome: 'unknown' });
});

describe('the address of a connection that failed', () => {
  const refused = (fields: object) => failureOf(fetchFailed(Object.assign(withCode('ECONNREFUSED'), fields)));
  const unresolved = (hostname: unknown) =>
    failureOf(fetchFailed(Object.assign(withCode('ENOTFOUND'), { syscall: 'getaddrinfo', hostname })));

  test.each([
    [refused({ address: '127.0.0.1', port: 3128 }), '127.0.0.1:3128'],
    [refused({ address: '::1', port: 8443 }), '::1:8443'],
    [unresolved('proxy.example.com'), 'proxy.example.com'],
  ])('names a proxy that has another address than the URL', (failure, proxy) => {
    expect(failure.message('')).toContain(
      `no connection to api.example.com:443 through the proxy at ${proxy} (`,
    );
  });

  test.each([
    refused({ address: '203.0.113.7', port: 443 }),
    refused({ address: '/run/service.sock' }),
    unresolved('api.example.com'),
    unresolved(undefined),
  ])('names none otherwise', failure => {
    expect(failure.message('')).toMatch(/^no connection to api\.example\.com:443 \(E[A-Z]+\)$/);
  });
});
