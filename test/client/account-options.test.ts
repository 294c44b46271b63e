// Where a client sends, and with which key: base URLs, keys and the team id, from options and environment variables.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type ClientOptions, ConfigurationError, EmailMarketingClient } from '../../src/index.ts';
import { makeClient, respond, restUrl, useTestService } from '../support/test-service.ts';
import { failureOf } from './support.ts';

useTestService();
afterEach(() => void vi.unstubAllEnvs());

const good = { baseUrl: 'https://rest.example.test', apiKey: 'rest-key' };
const make = (options: object) => new EmailMarketingClient({ ...good, ...options } as ClientOptions);

/** Returns where a REST call and a legacy call of a client with these options send which key, and which team id. */
const sent = async (options: object) => {
  const seen: string[] = [];
  const fetch = async (url: unknown, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    const { origin, searchParams } = new URL(String(url));
    const team = searchParams.get('team_id') ?? '';
    seen.push(`${origin} ${headers.get('x-team-apikey') ?? headers.get('api_key')} ${team}`.trim());
    return Response.json(seen.length === 1 ? [] : { status: 'success' });
  };
  const client = new EmailMarketingClient({ ...options, fetch } as ClientOptions);
  await client.senders.list();
  await client.legacy.track({ email: 'a@x.test', addTags: ['a'] });
  return seen;
};

describe('base URLs', () => {
  test.each([
    ['/', '/api/v1/rest/sender'],
    ['/api/v1/rest/a/b/', '/api/v1/rest/a/b/api/v1/rest/sender'],
  ])('with the path %s send to %s', async (base, path) => {
    const seen = respond(`GET ${path}`, { body: [] });
    await makeClient({ baseUrl: restUrl + base }).senders.list();
    expect(seen).toHaveLength(1);
  });

  test.each(['http://localhost:8080', 'http://LOCALHOST:1/', 'http://127.10.200.255', 'http://[::1]:3'])(
    '%s is accepted, because it is on this machine',
    baseUrl => expect(() => make({ baseUrl })).not.toThrow(),
  );

  const variable = 'EMAIL_MARKETING_DANGEROUSLY_ALLOW_HTTP';
  const http = { ...good, baseUrl: 'http://sandbox:4010' };

  test.each([
    [{ dangerouslyAllowHttp: true }, undefined],
    [{}, 'true'],
  ])(
    'may be http: for any host with %o or the variable %s, and the key is sent there',
    async (options, text) => {
      vi.stubEnv(variable, text);
      const [rest] = await sent({ ...http, teamId: 'team', ...options });
      expect(rest).toBe(`http://sandbox:4010 ${good.apiKey}`);
    },
  );

  test.each<[object, string | undefined, string | RegExp]>([
    [{ baseUrl: 'ftp://sandbox' }, 'true', /an https: URL such as/],
    [{ ...good, legacyBaseUrl: 'http://old', dangerouslyAllowHttp: false }, 'true', /^legacyBaseUrl /],
    [{}, 'false', /must begin with https:/],
    [{}, '', /must begin with https:/],
    [{}, '1', /EMAIL_MARKETING_DANGEROUSLY_ALLOW_HTTP must be true or false/],
  ])('may not be http: for any host with %o and the variable %j', (options, text, message) => {
    vi.stubEnv(variable, text);
    expect(() => make({ ...http, ...options })).toThrow(message);
  });

  const aUrl = /^baseUrl must be an https: URL such as https:\/\/api.example.com, .*\.$/;
  const anHttpsUrl =
    'baseUrl must begin with https:, unless the host is localhost or dangerouslyAllowHttp is true.';
  const noPath = 'baseUrl must not end in /api/v1: the client adds it.';

  const rejected: readonly (readonly [message: RegExp | string, baseUrls: readonly unknown[]])[] = [
    [aUrl, ['api.example.com', 'https://', new URL('https://rest.example.test'), 'ws://localhost']],
    [aUrl, ['https://:pass@api.example.com', 'https://api.example.com?x=1', 'http://user:pass@localhost']],
    [aUrl, ['https://api.example.com#fragment', 'http://localhost:4010?x=1']],
    [anHttpsUrl, ['http://api.example.com', 'http://localhost.example.com', 'http://api.localhost']],
    [anHttpsUrl, ['http://127.0.0.1.example.com']],
    [noPath, ['https://api.example.com/api/v1', 'https://api.example.com/api/v1/rest/']],
    [noPath, ['http://localhost:4010/api/v1']],
  ];

  test.each(rejected.flatMap(([message, urls]) => urls.map(url => [url, message] as const)))(
    '%s is rejected',
    (baseUrl, message) => expect(() => make({ baseUrl })).toThrow(message),
  );
});

describe('a key and a team id', () => {
  test.each([...[' k', 'k ', 'k\xa0', 'Ā', 'k\x7f', 'a\tb', 'a\u200bb'], 'k'.repeat(8_193)])(
    'may not be %o',
    text => {
      const expected =
        'must be text of at most 8192 characters that a header can hold, without white space at its ends (got string).';
      for (const option of ['apiKey', 'legacyApiKey', 'teamId'])
        expect(() => make({ [option]: text })).toThrow(`${option} ${expected}`);
    },
  );

  test.each(['', '   ', '\n'])('may not be blank: %j', text => {
    for (const option of ['apiKey', 'legacyApiKey', 'teamId', 'baseUrl', 'legacyBaseUrl'])
      expect(() => make({ [option]: text })).toThrow(
        `${option} is blank. Copy it from your team's settings.`,
      );
  });

  test('are not shown if another variable contains them by mistake', () => {
    expect(() => make({ logLevel: 'canary-1234' })).not.toThrow('canary');
    vi.stubEnv('EMAIL_MARKETING_DANGEROUSLY_ALLOW_HTTP', 'canary-1234');
    expect(() => make({})).not.toThrow('canary');
    vi.stubEnv('EMAIL_MARKETING_DANGEROUSLY_ALLOW_HTTP', '');
    vi.stubEnv('EMAIL_MARKETING_LOG', 'canary-1234');
    expect(() => make({})).toThrow(/^EMAIL_MARKETING_LOG must be one of .* \(got string\)\.$/);
    expect(() => make({})).not.toThrow('canary');
  });

  test('the team id is required at the first legacy call, not before', async () => {
    const onError = vi.fn();
    const client = make({ baseUrl: restUrl, logLevel: 'off', hooks: { onError } });
    respond('GET /api/v1/rest/sender', { body: [] });
    expect(await client.senders.list()).toEqual([]);
    const error = await failureOf(client.legacy.track({ email: 'a@x.test', addTags: ['a'] }));
    expect(error).toMatchObject({
      constructor: ConfigurationError,
      message: expect.stringMatching(/teamId.*EMAIL_MARKETING_TEAM_ID/),
      option: 'teamId',
      operation: 'legacy.track',
      outcome: 'not-sent',
      attempts: [],
    });
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ error }));
  });
});

describe('environment variables', () => {
  /** Sets the account of the environment, as production would. */
  const setProduction = () => {
    vi.stubEnv('EMAIL_MARKETING_BASE_URL', 'https://production.test');
    vi.stubEnv('EMAIL_MARKETING_API_KEY', 'production-key');
    vi.stubEnv('EMAIL_MARKETING_LEGACY_BASE_URL', 'https://production-legacy.test');
    vi.stubEnv('EMAIL_MARKETING_LEGACY_API_KEY', 'production-legacy-key');
    vi.stubEnv('EMAIL_MARKETING_TEAM_ID', 'production-team');
  };

  const teamId = 'team-of-key';
  const { baseUrl, apiKey } = good;
  const inCode = `${baseUrl} ${apiKey}`;
  const production = 'https://production.test production-key';
  const legacy = 'https://production-legacy.test';

  test.each<[options: object, rest: string, legacy: string]>([
    [{}, production, `${legacy} production-legacy-key production-team`],
    [{ ...good, teamId }, inCode, `${inCode} ${teamId}`],
    [{ baseUrl }, `${baseUrl} production-key`, `${baseUrl} production-legacy-key production-team`],
    [{ apiKey, teamId }, `https://production.test ${apiKey}`, `${legacy} ${apiKey} ${teamId}`],
    [
      { ...good, legacyBaseUrl: 'https://l.test', legacyApiKey: 'l', teamId },
      inCode,
      `https://l.test l ${teamId}`,
    ],
  ])(
    'of the legacy interface are read for the account of the environment: %o',
    async (options, ...expected) => {
      setProduction();
      expect(await sent(options)).toEqual(expected);
    },
  );

  test('of the team is not read for a key in code: its legacy calls are rejected', async () => {
    setProduction();
    const fetch = vi.fn(async () => Response.json({}));
    const client = new EmailMarketingClient({ ...good, fetch });
    const call = client.legacy.track({ email: 'a@x.test', addTags: ['a'] });
    await expect(call).rejects.toThrow(
      "legacy.track: teamId is missing. Copy it from your team's settings: pass `{ teamId }`, or set EMAIL_MARKETING_TEAM_ID if apiKey is not passed.",
    );
    expect(fetch).not.toHaveBeenCalled();
  });

  test.each([
    ['baseUrl', 'EMAIL_MARKETING_BASE_URL'],
    ['apiKey', 'EMAIL_MARKETING_API_KEY'],
    ['legacyBaseUrl', 'EMAIL_MARKETING_LEGACY_BASE_URL'],
    ['legacyApiKey', 'EMAIL_MARKETING_LEGACY_API_KEY'],
    ['teamId', 'EMAIL_MARKETING_TEAM_ID'],
  ])('do not replace an option that is undefined: %s', option => {
    setProduction();
    const make = () => new EmailMarketingClient({ [option]: undefined });
    const message = `${option} is undefined. Set the variable it comes from, or leave it out.`;
    expect(make).toThrow(
      expect.objectContaining({ name: 'ConfigurationError', message: expect.stringContaining(message) }),
    );
  });

  test.each<[variable: string, value: string, message: string]>([
    [
      'EMAIL_MARKETING_BASE_URL',
      'http://api.example.com',
      'must begin with https:, unless the host is local',
    ],
    ['EMAIL_MARKETING_LEGACY_BASE_URL', 'https://a.test/api/v1', 'must not end in /api/v1: the client adds'],
    ['EMAIL_MARKETING_API_KEY', ' ', "is blank. Copy it from your team's settings."],
    ['EMAIL_MARKETING_TEAM_ID', 'a\tb', 'must be text of at most 8192 characters that a header can hold'],
  ])('that are not valid are named: %s', (variable, value, message) => {
    setProduction();
    vi.stubEnv(variable, value);
    expect(() => new EmailMarketingClient()).toThrow(`${variable} ${message}`);
  });

  test('are ignored if they are empty', async () => {
    vi.stubEnv('EMAIL_MARKETING_LEGACY_API_KEY', '');
    expect(await sent({ ...good, teamId })).toEqual([inCode, `${inCode} ${teamId}`]);
  });
});

test.each(['CANARY-key', 'https://team:CANARY@api.example.com', 'https://api.example.com?key=CANARY'])(
  'the text of a base URL is not shown: %s',
  text => {
    for (const option of ['baseUrl', 'legacyBaseUrl'])
      expect(() => make({ [option]: text })).toThrow(
        expect.objectContaining({ option, message: expect.not.stringContaining('CANARY') }),
      );
  },
);

test('all mistakes are reported at once, each in a sentence', () => {
  const options = { baseURL: 'https://api.example.com', apiKey: undefined, timeout: 0, teamId: '' };
  expect(() => new EmailMarketingClient(options as object)).toThrow(
    expect.objectContaining({
      message:
        'Unknown option "baseURL" of EmailMarketingClient. Did you mean baseUrl? ' +
        'timeout must be milliseconds above 0, at most 2147483647, or Infinity (got 0). ' +
        "baseUrl is missing. Copy it from your team's settings: set EMAIL_MARKETING_BASE_URL, or pass `{ baseUrl }`. " +
        'apiKey is undefined. Set the variable it comes from, or leave it out. ' +
        "teamId is blank. Copy it from your team's settings.",
      option: 'baseURL',
    }),
  );
});

test('a base URL with white space around it is read without it', async () => {
  const [rest, legacy] = await sent({ ...good, baseUrl: ` ${good.baseUrl}/ \n`, teamId: 'team' });
  expect([rest, legacy]).toEqual([`${good.baseUrl} rest-key`, `${good.baseUrl} rest-key team`]);
});
