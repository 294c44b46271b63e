import { describe, expect, test } from 'vitest';
import { noResponseFailure } from '../../../src/call/failure.ts';
import { nodeErrorOf } from '../../../src/transport/node-error.ts';
import { errorOfOne, startedCall } from '../call/one-call.ts';

const baseUrl = 'https://api.example.com:8443/api/v1/rest';

/** The error of a call whose request the runtime could not send, or not receive a response to. */
const errorOf = (error: unknown) => {
  const thrown = nodeErrorOf(error, `${baseUrl}/tag?a=(b)`, undefined);
  const attempt = { phase: 'head', sentAt: 0, endedAt: 1, end: 'error', thrown } as const;
  return errorOfOne(noResponseFailure(startedCall(baseUrl), attempt));
};

/** An error as Node's `fetch` throws it: the reason is its cause. */
const fetchFailed = (cause: object) => new TypeError('fetch failed', { cause });
/** Start of Deno's texts about connections that it could not make. */
const ofDeno = `error sending request for url (${baseUrl}/tag?a=(b)): client error (Connect): `;
const ofBun = 'EPROTO: The TLS handshake failed. Does the server speak TLS on this port?';
const withCode = (code: string) => Object.assign(new Error(code), { code });
const withSyscall = (code: string, syscall: string) => Object.assign(withCode(code), { syscall });
describe('the outcome', () => {
  test.each([
    ['each address refuses', fetchFailed(new AggregateError([withCode('ECONNREFUSED')]))],
    ['there is no route to the host', fetchFailed(withSyscall('EHOSTUNREACH', 'connect'))],
    ['there is no route to the network', fetchFailed(withSyscall('ENETUNREACH', 'connect'))],
    ['a connection takes too long', fetchFailed(withSyscall('ETIMEDOUT', 'connect'))],
    ['Deno finds no server', fetchFailed(new Error(`${ofDeno}tcp connect error: Connection refused`))],
    ['Deno finds no certificate', fetchFailed(new Error(`${ofDeno}invalid peer certificate: UnknownIssuer`))],
    ['Deno finds no name', fetchFailed(new Error(`${ofDeno}dns error: failed to lookup`))],
    ['Bun finds no server', Object.assign(new TypeError('Unable to connect'), { code: 'ConnectionRefused' })],
  ])('is not-sent when %s', (_, error) => {
    expect(errorOf(error)).toMatchObject({ name: 'ConnectionError', outcome: 'not-sent' });
  });

  test('of a certificate that Deno does not trust concerns every call', () => {
    const error = fetchFailed(new Error(`${ofDeno}invalid peer certificate: UnknownIssuer`));
    expect(errorOf(error)).toMatchObject({ scope: 'account', retryable: true });
  });

  test.each(['DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'])(
    'is not-sent after %s',
    code => {
      const message = expect.stringContaining('NODE_EXTRA_CA_CERTS');
      expect(errorOf(fetchFailed(withCode(code)))).toMatchObject({ outcome: 'not-sent', message });
    },
  );

  test.each<[string, unknown]>([
    ...['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR'].map(
      (code): [string, unknown] => [`${code} can come once it was sent`, fetchFailed(withCode(code))],
    ),
    ['Bun reports an error of TLS', Object.assign(new TypeError(ofBun), { code: 'EPROTO' })],
    ['the runtime gives no reason', new TypeError('Load failed')],
    ['the thrown value is not an error', 'lost'],
    ['a route is lost while reading', withSyscall('EHOSTUNREACH', 'read')],
    ['a route is lost, it is not said when', fetchFailed(withCode('ENETUNREACH'))],
    ['a response cannot be kept in a file', withSyscall('EMFILE', 'open')],
    ['null was thrown', null],
    ['only the URL contains a reason', new TypeError(`error for ${baseUrl}/ECONNREFUSED`)],
    ['an error names another URL', new Error(ofDeno.replace('api.', 'internal.'))],
    ['a socket takes too long', fetchFailed(withCode('ETIMEDOUT'))],
  ])('is unknown when %s', (_, error) => {
    expect(errorOf(error)).toMatchObject({ outcome: 'unknown' });
  });
});

test.each([
  'connect ECONNREFUSED 10.0.0.5:5432',
  'client error (Connect): tcp connect error: Connection refused (os error 111)',
  'Fetch failed: Requests to port 6000 are blocked',
  'Proxy response (407) !== 200 when HTTP Tunneling',
])('the outcome is unknown if a `fetch` threw the words of a response: %j', words => {
  const texts = [words, `500: ${words}`, JSON.stringify({ status: 'error', message: words }), `\n${words}`];
  for (const text of texts)
    for (const error of [new Error(text), new TypeError(text), fetchFailed(new Error(text))])
      expect(errorOf(error)).toMatchObject({ outcome: 'unknown' });
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
  ['A'.repeat(61), 'network failure'],
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
