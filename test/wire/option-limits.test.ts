import { describe, expect, test } from 'vitest';
import { type ClientOptions, EmailMarketingClient } from '../../src/index.ts';
import { failure, makeClient, respond, useTestService } from './test-service.ts';

useTestService();

const good = { baseUrl: 'https://rest.example.test', apiKey: 'rest-key' };
const make = (options: object) => new EmailMarketingClient({ ...good, ...options } as ClientOptions);

describe('the largest and smallest values of an option', () => {
  test.each([
    { timeout: 0.5 },
    { timeout: 2_147_483_647 },
    { timeout: Number.POSITIVE_INFINITY },
    { totalTimeout: 1 },
    { maxRetries: 0 },
    { maxResponseBytes: 1 },
    { throttle: { requestsPerSecond: 0.1, concurrency: 1, maxQueue: 1 } },
    { throttle: { requestsPerSecond: Number.POSITIVE_INFINITY, maxQueue: Number.POSITIVE_INFINITY } },
    { throttle: { concurrency: undefined } },
    { throttle: undefined },
    { validation: 'strict' },
    { validation: 'off' },
    { logLevel: 'debug' },
    { hooks: { onRequest: undefined } },
    { apiKey: 'k'.repeat(8_192) },
    { headers: { 'x-long': 'v'.repeat(8_192) } },
    { headers: { 'x-empty': '' } },
  ])('%o is accepted', options => {
    expect(() => make(options)).not.toThrow();
  });

  test.each([
    [{ timeout: 2_147_483_648 }, 'timeout'],
    [{ timeout: Number.NEGATIVE_INFINITY }, 'timeout'],
    [{ maxRetries: Number.POSITIVE_INFINITY }, 'maxRetries'],
    [{ throttle: null }, 'throttle'],
    [{ throttle: 5 }, 'throttle'],
    [{ throttle: { acquire: 5 } }, 'throttle.acquire'],
    [{ throttle: { concurrency: '5' } }, 'throttle.concurrency'],
    [{ throttle: { maxQueue: 1.5 } }, 'throttle.maxQueue'],
    [{ throttle: { perSecond: 5 } }, 'perSecond'],
    [{ hooks: { onRequest: 'log' } }, 'hooks.onRequest'],
    [{ hooks: { onResponse: {} } }, 'hooks.onResponse'],
    [{ hooks: { onRetry: 1 } }, 'hooks.onRetry'],
    [{ hooks: { onError: true } }, 'hooks.onError'],
    [{ apiKey: 'k'.repeat(8_193) }, 'apiKey'],
    [{ headers: { 'x-long': 'v'.repeat(8_193) } }, 'headers.x-long'],
    [{ headers: { 'x-text': 7 } }, 'headers.x-text'],
    [{ headers: { 'x-text': ['a'] } }, 'headers.x-text'],
    [{ timeout: '30' }, 'timeout'],
    [{ apiKey: ['k'] }, 'apiKey'],
    [{ teamId: ['t'] }, 'teamId'],
    [{ baseUrl: new URL('https://rest.example.test') }, 'baseUrl'],
    [{ headers: { 'x-ends ': 'v' } }, 'headers.x-ends '],
    [{ headers: { '': 'v' } }, 'headers.'],
  ])('%o is refused', (options, option) => {
    expect(() => make(options)).toThrow(option);
    expect(() => make(options)).toThrow(expect.objectContaining({ name: 'ConfigurationError' }));
  });

  test.each([
    ['an option', { ['o'.repeat(101)]: 1 }, 'o'.repeat(100)],
    ['a header', { headers: { [`${'h'.repeat(101)}`]: 'a\nb' } }, `headers.${'h'.repeat(100)}`],
  ])('the error shows at most 100 characters of the name of %s', (_, options, option) => {
    expect(() => make(options)).toThrow(expect.objectContaining({ option }));
  });

  test.each([null, 'https://rest.example.test', 7])('options that are %o are refused', options => {
    const made = () => new EmailMarketingClient(options as never);
    expect(made).toThrow('The options of EmailMarketingClient must be an object.');
  });
});

describe('headers', () => {
  test.each([
    'Connection',
    'content-length',
    'expect',
    'host',
    'keep-alive',
    'te',
    'trailer',
    'transfer-encoding',
    'upgrade',
  ])('%s is refused, as it is set for each request', name => {
    expect(() => make({ headers: { [name]: 'x' } })).toThrow(
      `Option headers.${name} must be left out: it is set for each request.`,
    );
  });

  test('are sent by name, without those that are undefined, and a call overrides those of the client', async () => {
    const seen = respond('GET /api/v1/rest/sender', { body: [] });
    const client = makeClient({ headers: { 'X-App': 'one', 'X-Kept': '!#~é', 'x-none': undefined } });
    await client.senders.list({ headers: { 'x-APP': 'two' } });
    const headers = Object.fromEntries(seen[0]?.headers ?? []);
    expect(headers).toMatchObject({ accept: 'application/json', 'x-app': 'two', 'x-kept': '!#~é' });
    expect(headers).not.toHaveProperty('x-none');
    expect(headers['user-agent']).toMatch(/^email-marketing-client\/\S+$/);
  });
});

describe('base URLs', () => {
  test.each([
    ['https://rest.example.test', '/api/v1/rest/sender'],
    ['https://rest.example.test/', '/api/v1/rest/sender'],
    ['https://rest.example.test/api/v1/rest/a/b', '/api/v1/rest/a/b/api/v1/rest/sender'],
    ['https://rest.example.test/api/v1/rest/a/b/', '/api/v1/rest/a/b/api/v1/rest/sender'],
  ])('%s leads to %s', async (baseUrl, path) => {
    const seen = respond(`GET ${path}`, { body: [] });
    await makeClient({ baseUrl }).senders.list();
    expect(seen).toHaveLength(1);
  });

  test.each(['http://127.10.200.255', 'http://localhost', 'http://LOCALHOST:1/'])(
    '%s may be http:, as it is on this machine',
    baseUrl => {
      expect(() => make({ baseUrl })).not.toThrow();
    },
  );

  test.each([
    'http://notlocalhost',
    'http://127.0.0.1.example.com',
    'http://128.0.0.1',
    'ws://localhost',
    'https://user@api.example.com',
    'https://api.example.com#fragment',
    7,
  ])('%s is refused', baseUrl => {
    expect(() => make({ baseUrl })).toThrow(/^Option baseUrl \(or environment variable \w+\) must be /);
  });
});

test('a key and a team id may be one character, with white space inside and Latin-1', () => {
  for (const text of ['k', '!', '~', 'ÿ', 'two words', '\x80 \xff'])
    expect(() => make({ apiKey: text, teamId: text })).not.toThrow();
});

test.each([' k', 'k ', '\tk', 'k\x7f', '\x1fk', 'Ā', 'a\tb', 'a\u200bb', '\ufeffk', 'k'.repeat(8193), '', 7])(
  'neither a key nor a team id may be %o',
  text => {
    const rule =
      'text of 1 to 8192 characters of Latin-1, without control characters, and without white space at its ends (a copied text can hold characters that are not visible).';
    expect(() => make({ apiKey: text })).toThrow(
      `Option apiKey (or environment variable EMAIL_MARKETING_API_KEY) must be the key from the team settings: ${rule}`,
    );
    expect(() => make({ teamId: text })).toThrow(
      `Option teamId (or environment variable EMAIL_MARKETING_TEAM_ID) must be the team id from the team settings: ${rule}`,
    );
  },
);

test('a call refuses a timeout with the path of the option', async () => {
  const error = await failure(makeClient().senders.list({ timeout: 0 }));
  expect(error).toMatchObject({
    name: 'InvalidRequestError',
    operation: 'senders.list',
    issues: [{ path: 'options.timeout', received: 'another value' }],
  });
});
