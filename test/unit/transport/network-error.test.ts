import { describe, expect, test } from 'vitest';
import { networkFailure } from '../../../src/transport/network-error.ts';
import { circumstances, errorOfOne } from '../call/circumstances.ts';

const baseUrl = 'https://api.example.com:8443/api/v1/rest';

const errorOf = (thrown: unknown, phase: 'head' | 'body' = 'head') =>
  errorOfOne(networkFailure(circumstances(baseUrl), { phase, thrown }));

/** An error as Node's `fetch` throws it: the reason is its cause. */
const fetchFailed = (cause: object) => new TypeError('fetch failed', { cause });
/** Start of Deno's texts about connections that it could not make. */
const ofDeno = `error sending request for url (${baseUrl}/tag?a=(b)): client error (Connect): `;
const ofBun = 'EPROTO: The TLS handshake failed. Does the server speak TLS on this port?';
const notTunneled = 'Proxy response (407) !== 200 when HTTP Tunneling';
const withCode = (code: string) => Object.assign(new Error(code), { code });
const withSyscall = (code: string, syscall: string) => Object.assign(withCode(code), { syscall });
/** An error of node-fetch 3, or of 2, which leaves the system call out. */
const ofNodeFetch = (code: string, erroredSysCall?: string) =>
  Object.assign(withCode(code), { name: 'FetchError', type: 'system', errno: code, erroredSysCall });

describe('the outcome', () => {
  test.each([
    ['each address refuses', fetchFailed(new AggregateError([withCode('ECONNREFUSED')]))],
    ['there is no route to the host', fetchFailed(withSyscall('EHOSTUNREACH', 'connect'))],
    ['there is no route to the network', fetchFailed(withSyscall('ENETUNREACH', 'connect'))],
    ['node-fetch 2 finds no server', ofNodeFetch('ECONNREFUSED')],
    ['node-fetch 2 finds an old certificate', ofNodeFetch('CERT_HAS_EXPIRED')],
    ['a package reports an error of the system', Object.assign(withCode('ECONNREFUSED'), { errno: -111 })],
    ['a connection takes too long', fetchFailed(withSyscall('ETIMEDOUT', 'connect'))],
    ['Deno finds no server', fetchFailed(new Error(`${ofDeno}tcp connect error: Connection refused`))],
    ['Deno finds no certificate', fetchFailed(new Error(`${ofDeno}invalid peer certificate: UnknownIssuer`))],
    ['Deno finds no name', fetchFailed(new Error(`${ofDeno}dns error: failed to lookup`))],
    ['Bun finds no server', Object.assign(new TypeError('Unable to connect'), { code: 'ConnectionRefused' })],
  ])('is not-sent when %s', (_, error) => {
    expect(errorOf(error)).toMatchObject({ name: 'ConnectionError', outcome: 'not-sent' });
  });

  test.each(['DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'])(
    'is not-sent after %s, a code of the TLS handshake',
    code => {
      expect(errorOf(fetchFailed(withCode(code)))).toMatchObject({
        outcome: 'not-sent',
        message: expect.stringContaining('the certificate'),
      });
    },
  );

  test.each([
    'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
    'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR',
    'ERR_TLS_RENEGOTIATION_DISABLED',
  ])('is unknown after %s, which can come once the request was sent', code => {
    expect(errorOf(fetchFailed(withCode(code)))).toMatchObject({ outcome: 'unknown' });
  });

  test.each([
    ['the connection is reset', fetchFailed(withCode('ECONNRESET'))],
    ['Bun reports an error of TLS', Object.assign(new TypeError(ofBun), { code: 'EPROTO' })],
    ['the runtime gives no reason', new TypeError('Load failed')],
    ['what was thrown is no error', 'lost'],
    ['a route is lost while reading', withSyscall('EHOSTUNREACH', 'read')],
    ['a route is lost while writing', withSyscall('EHOSTUNREACH', 'write')],
    ['a route is lost, it is not said when', fetchFailed(withCode('ENETUNREACH'))],
    ['node-fetch 3 loses a route while reading', ofNodeFetch('EHOSTUNREACH', 'read')],
    ['node-fetch 2 loses a route', ofNodeFetch('EHOSTUNREACH')],
    ['node-fetch 2 loses an address', ofNodeFetch('EADDRNOTAVAIL')],
    ['a response cannot be kept in a file', withSyscall('EMFILE', 'open')],
    ['node-fetch reads no TLS', ofNodeFetch('ERR_SSL_WRONG_VERSION_NUMBER')],
    ['node-fetch reads a TLS alert', ofNodeFetch('ERR_SSL_TLSV1_ALERT_UNKNOWN_CA')],
    ['null was thrown', null],
    ['only the URL contains a reason', new TypeError(`error for ${baseUrl}/ECONNREFUSED`)],
    ['an error names another URL', new Error(ofDeno.replace('api.', 'internal.'))],
    ['a socket takes too long', fetchFailed(withCode('ETIMEDOUT'))],
  ])('is unknown when %s', (_, error) => {
    expect(errorOf(error)).toMatchObject({ outcome: 'unknown' });
  });
});

describe('the outcome of what a `fetch` threw because of a response is unknown', () => {
  const refused = { code: 'ECONNREFUSED', syscall: 'connect', message: 'connect ECONNREFUSED 10.0.0.5:5432' };

  test.each([
    'connect ECONNREFUSED 10.0.0.5:5432',
    'client error (Connect): tcp connect error: Connection refused (os error 111)',
    'Fetch failed: Requests to port 6000 are blocked',
    notTunneled,
  ])('with the words %j', words => {
    const texts = [words, `500: ${words}`, JSON.stringify({ status: 'error', message: words }), `\n${words}`];
    for (const text of texts)
      for (const error of [new Error(text), new TypeError(text), fetchFailed(new Error(text))])
        expect(errorOf(error)).toMatchObject({ outcome: 'unknown' });
  });

  test.each([
    ['nothing of a runtime', withCode('ECONNREFUSED')],
    ['nothing of a runtime', new Error('failed', { cause: withCode('CERT_HAS_EXPIRED') })],
    ['has a status', Object.assign(new Error(), refused, { status: 500 })],
    ['has the response', Object.assign(new Error(), refused, { response: {} })],
    [
      'is caused by one',
      new Error('failed', { cause: Object.assign(new Error(), refused, { status: 500 }) }),
    ],
    ['is caused by a body', new Error('failed', { cause: refused })],
  ])('if it has the code of a connection and %s', (_, error) => {
    expect(errorOf(error)).toMatchObject({ outcome: 'unknown' });
  });
});

test.each([
  [4, 'not-sent'],
  [5, 'unknown'],
])('a refused connection below %i other errors has the outcome %s', (depth, outcome) => {
  let error: Error = Object.assign(withCode('ECONNREFUSED'), { syscall: 'connect' });
  for (let level = 0; level < depth; level += 1) error = new Error('failed', { cause: error });
  expect(errorOf(error)).toMatchObject({ outcome });
});

test.each([
  ['ECONNRESET', 'ECONNRESET'],
  ['A'.repeat(60), 'A'.repeat(60)],
  ['A'.repeat(61), 'network failure'],
  ['', 'network failure'],
  [20, 'network failure'],
])('shows the code of an error if it looks like one: %j', (code, reason) => {
  const { attempts, message } = errorOf(fetchFailed({ code }));
  expect(attempts).toMatchObject([{ reason }]);
  expect(message).toContain(`(${reason})`);
});

test('the error of a failed connection has no code if the runtime gives none', () => {
  const error = errorOf(new TypeError('Load failed'));
  expect(error.code).toBeUndefined();
  expect(error.cause).toEqual(new Error('network failure'));
  expect(error.cause).not.toHaveProperty('code');
});
