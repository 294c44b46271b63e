// Mistakes in a `fetch` of the user: they are called mistakes, and no connection is blamed.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type ClientOptions, type EmailMarketingError, increment } from '../../src/index.ts';
import { createBrowserClient } from '../../src/web/browser/index.ts';
import { connect, errorOf, useNoRetryDelay } from './support.ts';

useNoRetryDelay();

type Fetch = NonNullable<ClientOptions['fetch']>;

const wrap =
  (change: (response: Response) => unknown): Fetch =>
  async (url, init) =>
    (await change(await fetch(url, init as RequestInit))) as Response;

const throwing = (error: unknown): Fetch => vi.fn(() => Promise.reject(error));

const noOptions = Object.assign(new TypeError('Unsupported option: redirect'), {
  code: 'ERR_INVALID_ARG_VALUE',
});

const mistakes: readonly (readonly [string, Fetch, cause: object])[] = [
  [
    'reads the body of the response',
    wrap(async response => {
      await response.text();
      return response;
    }),
    { message: 'the body of the response was read before' },
  ],
  [
    'locks the body of the response',
    wrap(response => {
      response.body?.getReader();
      return response;
    }),
    { message: 'the body of the response was read before' },
  ],
  ['returns nothing', wrap(() => undefined), { message: 'fetch returned no response' }],
  [
    'returns no status',
    wrap(({ headers, text }) => ({ headers, text })),
    { message: 'fetch returned no response' },
  ],
  ['returns the JSON alone', wrap(response => response.json()), { message: 'fetch returned no response' }],
  [
    'refuses to read a header',
    wrap(({ status, body }) => ({
      status,
      body,
      text: async () => '',
      headers: {
        get: () => {
          throw new Error('no header');
        },
      },
    })),
    { message: 'no header' },
  ],
  [
    'throws an error of its own while the body is read',
    wrap(({ status, headers }) => ({ status, headers, text: () => Promise.reject(new Error('my bug')) })),
    { message: 'my bug' },
  ],
  [
    'reads no text',
    wrap(({ status, headers }) => ({ status, headers, text: async () => undefined })),
    { message: 'text() returned no text' },
  ],
  [
    'throws an error of its own',
    throwing(new Error('SOCKS_PASSWORD is not set')),
    { message: 'SOCKS_PASSWORD is not set' },
  ],
  ['refuses an option', throwing(noOptions), { name: 'TypeError', message: 'Unsupported option: redirect' }],
  [
    'cannot find a file',
    throwing(Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT', syscall: 'open' })),
    { message: 'ENOENT: no such file' },
  ],
  [
    'throws a response',
    throwing(Object.assign(new Error('status 500'), { code: 'ECONNREFUSED', status: 500 })),
    { message: 'status 500' },
  ],
  ['throws nothing', throwing(undefined), { message: 'undefined' }],
];

describe.each(mistakes)('a `fetch` that %s', (_, given, cause) => {
  test('is called a mistake, once, with its cause', async () => {
    const { client, server } = await connect({ fetch: given });
    const calls = [
      () => client.senders.list(),
      () => client.legacy.identify({ email: 'ada@x.test' }),
      () => client.legacy.identify({ email: 'ada@x.test', customFields: { points: increment(5) } }),
    ];
    for (const call of calls) {
      const error = await errorOf(call());
      const expected = {
        name: 'ConnectionError',
        code: 'FUNCTION_FAILED',
        outcome: 'unknown',
        attempts: [{}],
      };
      expect(error).toMatchObject({ ...expected, cause });
      expect(error.message).not.toMatch(/connection|closed/);
    }
    expect(server.received.length).toBeLessThanOrEqual(calls.length);
  });

  test('is called a mistake by the browser client', async () => {
    const { server } = await connect();
    const page = createBrowserClient({ url: server.url, fetch: given });
    const { error } = (await page.senders.list().safe()) as { error: EmailMarketingError };
    // A page does not read the headers of a response.
    if (error.code !== undefined)
      expect(error).toMatchObject({ code: 'FUNCTION_FAILED', outcome: 'unknown' });
    expect(error.attempts).toHaveLength(1);
  });
});

test.each([
  ['a failure', 400, '{"status":"error","message":"no"}'],
  ['a success whose response is asked for', 200, '[]'],
])('a `fetch` whose headers throw is called a mistake after %s, without keys', async (_, status, text) => {
  const headers = {
    get: () => null,
    forEach: () => {
      throw new Error('rest-key-1234 is no header');
    },
  };
  const given: Fetch = async () => ({ status, headers, text: async () => text });
  const { client } = await connect({ fetch: given, apiKey: 'rest-key-1234' });
  expect(await client.senders.list().safe()).toMatchObject({
    ok: false,
    error: { code: 'FUNCTION_FAILED', outcome: 'unknown', cause: { message: '[redacted] is no header' } },
  });
});

const named = (name: string, fields: object = {}) => Object.assign(new Error('lost'), { name, ...fields });
const coded = (code: string) => Object.assign(new Error('lost'), { code });

test.each<[string, unknown]>([
  ['undici', new TypeError('fetch failed', { cause: coded('UND_ERR_SOCKET') })],
  [
    'undici, of a cause without a code',
    new TypeError('fetch failed', { cause: new Error('other side closed') }),
  ],
  ['node-fetch', named('FetchError', { type: 'system', code: 'ECONNRESET', errno: 'ECONNRESET' })],
  ['node-fetch, at its time limit', named('FetchError', { type: 'request-timeout' })],
  ['axios', named('AxiosError', { code: 'ERR_NETWORK' })],
  ['got', named('RequestError', { code: 'ETIMEDOUT' })],
  ['Chromium', new TypeError('Failed to fetch')],
  ['Firefox', new TypeError('NetworkError when attempting to fetch resource.')],
  ['Safari', new TypeError('Load failed')],
  ['Safari, offline', new TypeError('The Internet connection appears to be offline.')],
  ['React Native', new TypeError('Network request failed')],
  ['workerd', new Error('Network connection lost.')],
  ['Deno', new TypeError('error sending request for url (https://api.test/): connection reset')],
  ['Bun', Object.assign(new Error('The socket connection was closed'), { code: 'ConnectionClosed' })],
  ['Electron', new Error('net::ERR_CONNECTION_RESET')],
  ['Tauri, as text', 'error sending request for url (https://api.test/)'],
  ['a wrapper, of an error of a socket', new Error('failed', { cause: coded('EPIPE') })],
  ['a wrapper with a time limit of its own', new DOMException('timed out', 'TimeoutError')],
])('a failure of the network by %s is one, and is retried', async (_, thrown) => {
  const { client } = await connect({ fetch: throwing(thrown) });
  expect(await errorOf(client.senders.list())).toMatchObject({
    name: 'ConnectionError',
    outcome: 'unknown',
    attempts: [{}, {}, {}],
  });
  const error = await errorOf(client.tags.create({ name: 'vip' }));
  expect(error.code).not.toBe('FUNCTION_FAILED');
});

test('any error of the global `fetch` is one of the network: edge workers throw "internal error"', async () => {
  vi.stubGlobal('fetch', throwing(new Error('internal error; reference = 4711')));
  onTestFinished(() => void vi.unstubAllGlobals());
  const { client } = await connect();
  const error = await errorOf(client.senders.list());
  expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown', attempts: [{}, {}, {}] });
  expect(error.code).toBeUndefined();
});
