// Options of a client, of `withOptions` and of a call: valid and invalid values. `account-options.test.ts` tests where a client
// sends, and with which key.
import { inspect } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type ClientOptions, EmailMarketingClient } from '../../src/index.ts';
import { makeClient, respond, useTestService } from '../support/test-service.ts';
import { failureOf } from './support.ts';

useTestService();
afterEach(() => void vi.unstubAllEnvs());

const good = { baseUrl: 'https://rest.example.test', apiKey: 'rest-key' };
const make = (options: object) => new EmailMarketingClient({ ...good, ...options } as ClientOptions);

/** A value of each kind that a user could pass. */
const values: Readonly<Record<string, unknown>> = {
  null: null,
  'an empty text': '',
  'a text': 'text',
  0: 0,
  '-1': -1,
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  1: 1,
  '1.5': 1.5,
  true: true,
  false: false,
  'an array': [],
  'an object': {},
  'an object of no class': Object.create(null),
  'a function': () => {},
  'a symbol': Symbol('s'),
  'a bigint': 1n,
  'a Map': new Map([['a', 'b']]),
  Headers: new Headers({ a: 'b' }),
  'a promise': Promise.resolve({}),
  'a boxed text': Object('text'),
};

/** Valid kinds, by option. */
const aFunction = ['a function'];
const someText = ['a text'];
const anObject = ['an object', 'an object of no class'];
const aLimit = ['1', '1.5', 'Infinity'];
const aCount = ['1', 'Infinity'];
const none: readonly string[] = [];

const defaultOptions = {
  timeout: aLimit,
  totalTimeout: aLimit,
  maxRetries: ['0', '1'],
  headers: [...anObject, ...aFunction],
  validation: none,
  onDrift: aFunction,
  maxResponseBytes: ['1'],
  hooks: [...anObject, 'an array'],
  logger: none,
  logLevel: none,
};

/** Valid kinds by the place of an option, and how to pass it there. */
const places: Readonly<
  Record<string, readonly [Readonly<Record<string, readonly string[]>>, (options: object) => unknown]>
> = {
  EmailMarketingClient: [
    {
      ...defaultOptions,
      baseUrl: none,
      apiKey: [...someText, ...aFunction],
      legacyBaseUrl: none,
      legacyApiKey: [...someText, ...aFunction],
      teamId: someText,
      fetch: aFunction,
      throttle: anObject,
      dangerouslyAllowBrowser: ['true', 'false'],
      dangerouslyAllowHttp: ['true', 'false'],
    },
    make,
  ],
  hooks: [
    Object.fromEntries(
      ['onRequest', 'onSuccess', 'onRetry', 'onError', 'onCancel'].map(name => [name, aFunction]),
    ),
    hooks => make({ hooks }),
  ],
  throttle: [
    { requestsPerSecond: aLimit, concurrency: aCount, maxQueue: aCount, acquire: aFunction },
    throttle => make({ throttle }),
  ],
  'a limiter': [
    { requestsPerSecond: aLimit, concurrency: aCount, maxQueue: aCount },
    throttle => make({ throttle: { acquire: async () => {}, ...throttle } }),
  ],
  headers: [{ 'x-app': ['an empty text', 'a text'] }, headers => make({ headers })],
  withOptions: [defaultOptions, options => makeClient().withOptions(options)],
};

const rows = Object.entries(places).flatMap(([place, [options, give]]) =>
  Object.entries(options).map(([option, kinds]) => ({ place, option, kinds, give })),
);

test.each(rows)('the option $option of $place is valid as $kinds, and named in the error otherwise', row => {
  const { option, kinds, give } = row;
  for (const [kind, value] of Object.entries(values)) {
    const given = () => give({ [option]: value });
    if (kinds.includes(kind)) expect(given, kind).not.toThrow();
    else
      expect(given, kind).toThrow(
        expect.objectContaining({
          name: 'ConfigurationError',
          message: expect.stringContaining(option),
          option: expect.stringContaining(option),
        }),
      );
  }
});

test.each(rows)('no text in the option $option of $place is shown: it can be a key', ({ option, give }) => {
  expect(() => give({ [option]: 'CANARY-1234' })).not.toThrow('CANARY');
});

test('a time limit is at most the longest delay of a timer', () => {
  expect(() => make({ timeout: 2_147_483_647 })).not.toThrow();
  expect(() => make({ timeout: 2_147_483_648 })).toThrow('timeout must be');
});

/** Headers that HTTP or `fetch` controls. */
const controlled = [
  'Connection',
  'content-length',
  'Expect',
  'host',
  'keep-alive',
  'TE',
  'trailer',
  'upgrade',
];
controlled.push('transfer-encoding');

describe('headers', () => {
  test.each([
    ['bad name', 'canary'],
    ['', 'canary'],
    ['x-line', 'canary\nb'],
    ['x-wide', 'canary€'],
    ['x-long', `canary${'v'.repeat(8_187)}`],
    ['X-Team-ApiKey', 'canary'],
    ['api_key', 'canary'],
    ...controlled.map((name): [string, string] => [name, 'canary']),
  ])('%o with the value %o is rejected, and the error does not show the value', async (name, value) => {
    const give = () => make({ headers: { [name]: value } });
    expect(give).toThrow(expect.objectContaining({ option: `headers.${name}` }));
    expect(give).not.toThrow('canary');
    const error = await failureOf(makeClient().senders.list({ headers: { [name]: value } }));
    expect(error).toMatchObject({ name: 'InvalidRequestError', issues: [{ path: `headers.${name}` }] });
    expect(inspect(error, { depth: 9 })).not.toContain('canary');
  });

  test('of a call override the headers of the client, ignoring case, and undefined ones are not sent', async () => {
    const seen = respond('GET /api/v1/rest/sender', { body: [] });
    const long = 'v'.repeat(8_192);
    const client = makeClient({
      headers: { 'X-App': 'one', 'X-Kept': '!#~é', 'x-none': undefined, 'x-empty': '', 'x-long': long },
    });
    await client.senders.list({ headers: { 'x-APP': 'two' } });
    const headers = Object.fromEntries(seen[0]?.headers ?? []);
    expect(headers).toMatchObject({
      accept: 'application/json',
      'x-app': 'two',
      'x-kept': '!#~é',
      'x-empty': '',
      'x-long': long,
      'user-agent': expect.stringMatching(/^email-marketing-client\/\S+$/),
    });
    expect(headers).not.toHaveProperty('x-none');
  });

  test('can come from functions, which are called for each request', async () => {
    const seen = respond('GET /api/v1/rest/sender', {
      status: 429,
      body: {},
      headers: { 'retry-after': '0' },
    });
    let number = 0;
    const client = makeClient({
      maxRetries: 1,
      headers: () => ({ 'X-Number': `${++number}`, 'x-app': 'one' }),
    });
    const later = client.withOptions({ headers: async () => ({ 'X-APP': 'two', 'x-none': undefined }) });
    await failureOf(later.senders.list({ headers: { 'x-call': 'three' } }));
    const sent = seen.map(({ headers }) => ['x-number', 'x-app', 'x-call'].map(name => headers.get(name)));
    expect(sent).toEqual([
      ['1', 'two', 'three'],
      ['2', 'two', 'three'],
    ]);
  });

  test.each([
    [() => ({ 'X-Team-ApiKey': 'canary' }), 'headers.X-Team-ApiKey'],
    [async () => ({ 'x-line': 'canary\nb' }), 'headers.x-line'],
    [() => 'canary', 'headers'],
    [() => undefined, 'headers'],
  ])('that a function returns are checked before anything is sent: %s', async (headers, option) => {
    const onError = vi.fn();
    const client = make({ headers, hooks: { onError } });
    const error = await failureOf(client.senders.list());
    expect(error).toMatchObject({ name: 'ConfigurationError', option, outcome: 'not-sent', attempts: [] });
    expect(error).toMatchObject({ operation: 'senders.list' });
    expect(inspect(error, { depth: 9 })).not.toContain('canary');
    expect(onError).toHaveBeenCalledOnce();
  });
});
