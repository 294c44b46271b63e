// Errors of a `fetch`, as each runtime throws them: the outcome is `not-sent` only if the error proves it.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { clientOfServer, errorOf } from './support.ts';

const baseUrl = 'https://api.example.com:8443/a(b)';
const url = `${baseUrl}/api/v1/rest/tag`;

afterEach(() => void vi.unstubAllGlobals());

/** The error of a call whose built-in `fetch` throws this. As on Deno, there is no dispatcher. */
function thrown(error: unknown) {
  vi.stubGlobal('Deno', {});
  vi.stubGlobal('fetch', () => Promise.reject(error));
  return errorOf(clientOfServer(baseUrl, { maxRetries: 0 }).tags.create({ name: 'vip' }));
}

/** An error as Node's `fetch` throws it: the reason is its cause. */
const fetchFailed = (cause: object) => new TypeError('fetch failed', { cause });
/** Start of Deno's messages about connections that it could not make. */
const ofDeno = `error sending request for url (${url}): client error (Connect): `;
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
  ])('is not-sent when %s', async (_, error) => {
    expect(await thrown(error)).toMatchObject({ name: 'ConnectionError', outcome: 'not-sent' });
  });

  test('of a certificate that Deno does not trust concerns every call', async () => {
    const error = fetchFailed(new Error(`${ofDeno}invalid peer certificate: UnknownIssuer`));
    expect(await thrown(error)).toMatchObject({ scope: 'account', retryable: true });
  });

  test.each(['DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'])(
    'is not-sent after %s',
    async code => {
      const message = expect.stringContaining('NODE_EXTRA_CA_CERTS');
      expect(await thrown(fetchFailed(withCode(code)))).toMatchObject({ outcome: 'not-sent', message });
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
  ])('is unknown when %s', async (_, error) => {
    expect(await thrown(error)).toMatchObject({ outcome: 'unknown', scope: 'call' });
  });
});

test.each([
  'connect ECONNREFUSED 10.0.0.5:5432',
  'client error (Connect): tcp connect error: Connection refused (os error 111)',
  'Fetch failed: Requests to port 6000 are blocked',
  'Proxy response (407) !== 200 when HTTP Tunneling',
])('the outcome is unknown if a `fetch` threw the text of a response: %j', async words => {
  const texts = [words, `500: ${words}`, JSON.stringify({ status: 'error', message: words }), `\n${words}`];
  for (const text of texts)
    for (const error of [new Error(text), new TypeError(text), fetchFailed(new Error(text))])
      expect(await thrown(error)).toMatchObject({ outcome: 'unknown' });
});

test.each([
  [4, 'not-sent'],
  [5, 'unknown'],
])('a refused connection below %i other errors has the outcome %s', async (depth, outcome) => {
  let error: Error = Object.assign(withCode('ECONNREFUSED'), { syscall: 'connect' });
  for (let level = 0; level < depth; level += 1) error = new Error('failed', { cause: error });
  expect(await thrown(error)).toMatchObject({ outcome });
});

test.each([
  ['ECONNRESET', 'ECONNRESET'],
  ['A'.repeat(61), 'network failure'],
  [20, 'network failure'],
])('shows the code of an error if it looks like one: %j', async (code, reason) => {
  const { attempts, message } = await thrown(fetchFailed({ code }));
  expect(attempts).toMatchObject([{ reason }]);
  expect(message).toContain(`(${reason})`);
});

test('the error of a failed connection has no code if the runtime gives none', async () => {
  const error = await thrown(new TypeError('Load failed'));
  expect(error.code).toBeUndefined();
  expect(error.cause).toEqual(new Error('network failure'));
  expect(error.cause).not.toHaveProperty('code');
});
