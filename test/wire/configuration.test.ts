import { inspect } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type ClientOptions, ConfigurationError, EmailMarketingClient } from '../../src/index.ts';
import { failure, makeClient, respond, useTestService } from './test-service.ts';

useTestService();

const good = { baseUrl: 'https://rest.example.test', apiKey: 'rest-key' };

function refusal(options: object): Error {
  try {
    new EmailMarketingClient(options as ClientOptions);
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
  }
  throw new Error('The options were expected to be refused.');
}

afterEach(() => void vi.unstubAllEnvs());

test.each([
  ['apikey', 'apiKey'],
  ['baseURL', 'baseUrl'],
  ['maxretries', 'maxRetries'],
  ['loglevel', 'logLevel'],
])('the unknown option %s is refused with the nearest one, %s', (option, nearest) => {
  expect(refusal({ ...good, [option]: 3 }).message).toBe(
    `Unknown option "${option}" of EmailMarketingClient. Did you mean "${nearest}"?`,
  );
});

test('unknown options without a near one, of hooks and of withOptions are refused by name', () => {
  expect(refusal({ ...good, retries: 3 }).message).toMatch(/^Unknown option "retries".*maxRetries/);
  expect(refusal({ ...good, hooks: { beforeRequest: () => {} } }).message).toContain('"beforeRequest"');
  expect(refusal({ ...good, hooks: { onrequest: () => {} } }).message).toContain('"onRequest"');
  expect(() => makeClient().withOptions({ apiKey: 'other' } as object)).toThrow('Unknown option "apiKey"');
  expect(() => makeClient().withOptions({ timout: 5 } as object)).toThrow('Did you mean "timeout"?');
  expect(() => makeClient().withOptions({ headers: new Headers() } as object)).toThrow('Option headers');
});

describe('a missing or unusable option', () => {
  test.each([
    ['baseUrl', 'EMAIL_MARKETING_BASE_URL', { baseUrl: undefined }],
    ['baseUrl', 'EMAIL_MARKETING_BASE_URL', { baseUrl: 'api.example.com' }],
    ['baseUrl', 'EMAIL_MARKETING_BASE_URL', { baseUrl: 'http://api.example.com' }],
    ['baseUrl', 'EMAIL_MARKETING_BASE_URL', { baseUrl: 'http://localhost.example.com' }],
    ['baseUrl', 'EMAIL_MARKETING_BASE_URL', { baseUrl: 'http://api.localhost' }],
    ['baseUrl', 'EMAIL_MARKETING_BASE_URL', { baseUrl: 'https://api.example.com/api/v1' }],
    ['baseUrl', 'EMAIL_MARKETING_BASE_URL', { baseUrl: 'https://api.example.com/api/v1/rest/' }],
    ['baseUrl', 'EMAIL_MARKETING_BASE_URL', { baseUrl: 'ftp://api.example.com' }],
    ['baseUrl', 'EMAIL_MARKETING_BASE_URL', { baseUrl: 'https://user:pass@api.example.com' }],
    ['baseUrl', 'EMAIL_MARKETING_BASE_URL', { baseUrl: 'https://:pass@api.example.com' }],
    ['baseUrl', 'EMAIL_MARKETING_BASE_URL', { baseUrl: 'https://api.example.com?x=1' }],
    ['legacyBaseUrl', 'EMAIL_MARKETING_LEGACY_BASE_URL', { legacyBaseUrl: 'http://app.example.com' }],
    ['apiKey', 'EMAIL_MARKETING_API_KEY', { apiKey: undefined }],
    ['apiKey', 'EMAIL_MARKETING_API_KEY', { apiKey: '' }],
    ['legacyApiKey', 'EMAIL_MARKETING_LEGACY_API_KEY', { legacyApiKey: ' k' }],
    ['teamId', 'EMAIL_MARKETING_TEAM_ID', { teamId: '' }],
    ['logLevel', 'EMAIL_MARKETING_LOG', { logLevel: 'loud' }],
  ])('%s names itself and %s: %o', (option, variable, options) => {
    const { message } = refusal({ ...good, ...options });
    expect(message).toContain(`${option} `);
    expect(message).toContain(variable);
  });

  test.each([
    ['timeout', 0],
    ['timeout', -1],
    ['timeout', Number.NaN],
    ['timeout', '30s'],
    ['totalTimeout', 0],
    ['maxRetries', -1],
    ['maxRetries', 1.5],
    ['maxResponseBytes', 0],
    ['validation', 'loose'],
    ['onDrift', 'log'],
    ['fetch', 'https://x'],
    ['throttle', { requestsPerSecond: 0 }],
    ['throttle', { concurrency: 0 }],
    ['throttle', { concurrency: Number.NaN }],
    ['throttle', { concurrency: 1, maxQueue: 1.5 }],
    ['throttle', { concurrency: 1, maxQueue: 0 }],
    ['throttle', { perSecond: 5 }],
    ['throttle', { acquire: 5 }],
    ['throttle', 5],
    ['logger', 5],
    ['logger', { warn: () => {} }],
    ['headers', 'x-app: shop'],
    ['headers', new Headers({ 'x-app': 'shop' })],
    ['hooks', { onRequest: 5 }],
    ['dangerouslyAllowBrowser', 'yes'],
  ])('%s may not be %o', (option, value) => {
    expect(refusal({ ...good, [option]: value }).message).toContain(option);
  });

  test.each([
    ['bad name', 'x'],
    ['x-line', 'a\nb'],
    ['X-Team-ApiKey', 'other-key'],
    ['api_key', 'other-key'],
    ['__proto__', 'other'],
  ])('header %o: %o is refused without its value', (name, value) => {
    const { message } = refusal({ ...good, headers: { [name]: value } });
    expect(message).toContain(`headers.${name}`);
    if (value.length > 1) expect(message).not.toContain(value);
  });
});

test.each(['canary\nkey', 'canary\r\nX-Evil: 1', 'canary\0key', 'canary-ключ', 'canary-key '])(
  'refuses a key that no header may hold without showing it: %o',
  apiKey => {
    const error = refusal({ ...good, apiKey });
    expect(error.message).toContain('apiKey');
    expect(inspect(error, { depth: 9 })).not.toContain('canary');
  },
);

test('refuses a key returned by a function by the same rule', async () => {
  const client = makeClient({ apiKey: () => 'canary\nkey' });
  const error = await failure(client.senders.list());
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(inspect(error, { depth: 9 })).not.toContain('canary');
});

test.each(['http://localhost:8080', 'http://127.0.0.1:1', 'http://127.9.9.9', 'http://[::1]:3'])(
  '%s is on this machine, so http: will do',
  baseUrl => {
    expect(() => new EmailMarketingClient({ ...good, baseUrl })).not.toThrow();
  },
);

test('reads options from environment variables', async () => {
  vi.stubEnv('EMAIL_MARKETING_BASE_URL', 'https://rest.example.test');
  vi.stubEnv('EMAIL_MARKETING_API_KEY', 'env-key');
  vi.stubEnv('EMAIL_MARKETING_LEGACY_BASE_URL', 'https://legacy.example.test');
  vi.stubEnv('EMAIL_MARKETING_LEGACY_API_KEY', 'env-legacy-key');
  vi.stubEnv('EMAIL_MARKETING_TEAM_ID', 'env-team');
  const rest = respond('GET /api/v1/rest/sender', { body: [] });
  const legacy = respond('POST /api/v1/contact/track', { body: {} });
  const client = new EmailMarketingClient();
  await client.senders.list();
  await client.legacy.track({ email: 'a@x.test', addTags: ['a'] });
  expect(rest[0]?.headers.get('x-team-apikey')).toBe('env-key');
  expect(legacy[0]?.headers.get('api_key')).toBe('env-legacy-key');
  expect(legacy[0]?.query).toBe('?email=a%40x.test&team_id=env-team');
});

test('prefers an option to its environment variable, and ignores an empty variable', async () => {
  vi.stubEnv('EMAIL_MARKETING_API_KEY', 'env-key');
  vi.stubEnv('EMAIL_MARKETING_LEGACY_API_KEY', '');
  const rest = respond('GET /api/v1/rest/sender', { body: [] });
  const legacy = respond('POST /api/v1/contact/track', { body: {} });
  const client = makeClient({ apiKey: 'own-key', legacyApiKey: undefined });
  await client.senders.list();
  await client.legacy.track({ email: 'a@x.test', addTags: ['a'] });
  expect(rest[0]?.headers.get('x-team-apikey')).toBe('own-key');
  expect(legacy[0]?.headers.get('api_key')).toBe('own-key');
});

test('reads the log level from EMAIL_MARKETING_LOG and refuses an unknown one', () => {
  vi.stubEnv('EMAIL_MARKETING_LOG', 'loud');
  expect(refusal(good).message).toContain('EMAIL_MARKETING_LOG');
  expect(() => new EmailMarketingClient({ ...good, logLevel: 'off' })).not.toThrow();
});

test('requires the team id at the first legacy call, not before', async () => {
  const client = makeClient({ teamId: undefined });
  respond('GET /api/v1/rest/sender', { body: [] });
  expect(await client.senders.list()).toEqual([]);
  const error = await failure(client.legacy.track({ email: 'a@x.test', addTags: ['a'] }));
  expect(error).toBeInstanceOf(ConfigurationError);
  expect((error as Error).message).toMatch(/teamId.*EMAIL_MARKETING_TEAM_ID/);
});

test('checks the options of a call by the same rules', async () => {
  for (const options of [
    { timeout: 0 },
    { totalTimeout: -1 },
    { maxRetries: 0.5 },
    { headers: { api_key: 'x' } },
    { headers: { 'transfer-encoding': 'chunked' } },
    { timout: 5 } as object,
    { signal: 'abort' } as object,
    { signal: new AbortController() } as object,
    { signal: null } as object,
    { headers: new Headers() } as object,
  ])
    expect(await failure(makeClient().senders.list(options))).toMatchObject({
      name: 'InvalidRequestError',
      outcome: 'not-sent',
    });
});
