import { describe, expect, test } from 'vitest';
import { createBrowserClient } from '../../src/browser/index.ts';
import { type CallOptions, type ClientOptions, EmailMarketingClient } from '../../src/index.ts';
import { createProxyHandler, toNodeListener } from '../../src/proxy/index.ts';
import { failure, makeClient, useTestService } from './test-service.ts';

useTestService();

/** A value of each kind that an option could be given. */
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
  'an array of null': [null],
  'an object': {},
  'an object of no class': Object.create(null),
  'a function': () => {},
  'a symbol': Symbol('s'),
  'a bigint': 1n,
  'a Date': new Date(),
  'a Map': new Map([['a', 'b']]),
  Headers: new Headers({ a: 'b' }),
  'a promise': Promise.resolve({}),
  'a boxed text': Object('text'),
};

/** Kinds that an option may be, by what it is for. */
const aFunction = ['a function'];
const someText = ['a text'];
const aFlag = ['true', 'false'];
const anObject = ['an object', 'an object of no class'];
const aLimit = ['1', '1.5', 'Infinity'];
const aList = ['an array'];
const none: readonly string[] = [];

const callOptions = {
  signal: none,
  timeout: aLimit,
  totalTimeout: aLimit,
  maxRetries: ['0', '1'],
  headers: anObject,
};
const { signal: _, ...defaultCallOptions } = callOptions;
const defaultOptions = {
  ...defaultCallOptions,
  validation: none,
  onDrift: aFunction,
  maxResponseBytes: ['1'],
  hooks: anObject,
  logger: none,
  logLevel: none,
};
const clientOptions = {
  ...defaultOptions,
  baseUrl: none,
  apiKey: [...someText, ...aFunction],
  legacyBaseUrl: none,
  legacyApiKey: [...someText, ...aFunction],
  teamId: someText,
  fetch: aFunction,
  throttle: anObject,
  dangerouslyAllowBrowser: aFlag,
};
const hooks = { onRequest: aFunction, onResponse: aFunction, onRetry: aFunction, onError: aFunction };
const throttle = {
  requestsPerSecond: aLimit,
  concurrency: aLimit,
  maxQueue: ['1', 'Infinity'],
  acquire: aFunction,
};
const browserOptions = {
  ...defaultCallOptions,
  url: someText,
  fetch: aFunction,
  hooks: anObject,
  logger: none,
  logLevel: none,
  maxResponseBytes: ['1'],
  throttle: anObject,
};
const proxyOptions = {
  allow: aList,
  authorize: aFunction,
  output: anObject,
  exposeErrorDetails: aFlag,
  origins: aList,
  allowedHosts: aList,
  dedupe: anObject,
  maxBodyBytes: ['1'],
  bodyTimeout: aLimit,
  callbackTimeout: aLimit,
  onError: aFunction,
};
const dedupe = { ttl: aLimit, max: ['1'], maxLength: ['1'], store: ['a Map', 'Headers'] };
const endpoint = { api: none, method: none, path: none, idempotent: aFlag, output: aFunction };

const good = { baseUrl: 'https://rest.example.test', apiKey: 'rest-key' };
const make = (options: object) => new EmailMarketingClient({ ...good, ...options } as ClientOptions);
const proxy = (options: object) =>
  createProxyHandler(makeClient(), { allow: ['tags.create'], authorize: 'public', ...options } as never);

/** Kinds that each option may be, by where it is given, and how to give it. */
const places: Readonly<
  Record<string, readonly [Readonly<Record<string, readonly string[]>>, (options: object) => unknown]>
> = {
  EmailMarketingClient: [clientOptions, make],
  hooks: [hooks, options => make({ hooks: options })],
  throttle: [throttle, options => make({ throttle: options })],
  headers: [{ 'x-app': ['an empty text', 'a text'] }, headers => make({ headers })],
  withOptions: [defaultOptions, options => makeClient().withOptions(options)],
  createBrowserClient: [
    browserOptions,
    options => createBrowserClient({ url: '/api', ...(options as object) }),
  ],
  createProxyHandler: [proxyOptions, proxy],
  dedupe: [dedupe, options => proxy({ dedupe: options })],
  output: [{ 'tags.create': aFunction }, options => proxy({ output: options })],
  'a list': [
    { allow: none, origins: none, allowedHosts: someText },
    options => proxy(Object.fromEntries(Object.entries(options).map(([name, value]) => [name, [value]]))),
  ],
  'an endpoint in allow': [
    endpoint,
    options => proxy({ allow: [{ method: 'GET', path: '/x', ...options }] }),
  ],
};

const rows = Object.entries(places).flatMap(([place, [options, give]]) =>
  Object.entries(options).map(([option, kinds]) => ({ place, option, kinds, give })),
);

test.each(rows)(
  'the option $option of $place is named where it is anything but $kinds',
  ({ option, kinds, give }) => {
    const accepted = Object.keys(values).filter(kind => {
      const given = () => give({ [option]: values[kind] });
      if (kinds.includes(kind)) return given() !== null;
      expect(given, kind).toThrow(
        expect.objectContaining({
          name: 'ConfigurationError',
          message: expect.stringContaining(option),
          option: expect.any(String),
        }),
      );
      return false;
    });
    expect(accepted.sort()).toEqual([...kinds].sort());
  },
);

test.each(Object.entries(callOptions))(
  'the option %s of a call is named where it is anything but %o',
  async (option, kinds) => {
    for (const [kind, value] of Object.entries(values).filter(([kind]) => !kinds.includes(kind))) {
      const given = { [option]: value } as CallOptions;
      for (const call of [
        () => makeClient().senders.list(given),
        () => makeClient().contacts.list({}, given),
        async () => makeClient().contacts.all({}, given).toArray(),
        () => makeClient().request({ method: 'GET', path: '/x' }, given),
      ])
        expect(await failure(call()), kind).toMatchObject({
          name: 'InvalidRequestError',
          outcome: 'not-sent',
          issues: [{ path: expect.stringContaining(option) }],
        });
    }
  },
);

test('the error of an option says what it must be', () => {
  expect(() => make({ hooks: 5 })).toThrow('Option hooks must be an object (got 5).');
  expect(() => make({ headers: 5 })).toThrow(
    'Option headers must be an object with a text for each header name (got 5).',
  );
  expect(() => make({ throttle: null })).toThrow('Option throttle must be an object.');
  expect(() => proxy({ origins: 'https://a.test' })).toThrow('Option origins must be an array.');
});

describe('options as a whole', () => {
  const noObjects = Object.entries(values).filter(([kind]) => !anObject.includes(kind));

  test.each(noObjects)('are refused where they are %s', async (_, options) => {
    const refusal = expect.objectContaining({ name: 'ConfigurationError' });
    expect(() => new EmailMarketingClient(options as never)).toThrow(refusal);
    expect(() => makeClient().withOptions(options as never)).toThrow(refusal);
    expect(() => createBrowserClient(options as never)).toThrow(refusal);
    expect(() => createProxyHandler(makeClient(), options as never)).toThrow(refusal);
    expect(() => createProxyHandler(options as never, { authorize: 'public' })).toThrow(refusal);
    if (typeof options !== 'function') expect(() => toNodeListener(options as never)).toThrow(refusal);
    const list = () => makeClient().senders.list(options as never);
    const all = async () =>
      makeClient()
        .contacts.all({}, options as never)
        .toArray();
    for (const call of [list, all])
      expect(await failure(call())).toMatchObject({
        name: 'InvalidRequestError',
        outcome: 'not-sent',
        issues: [{ path: 'options' }],
      });
  });

  test('may be a module or an object of a class', async () => {
    const source = 'data:text/javascript,export const onRequest = () => {}';
    const hooks = await import(/* @vite-ignore */ source);
    expect(() => make({ hooks })).not.toThrow();
    class Observer {
      calls = 0;
      onRequest() {
        this.calls += 1;
      }
    }
    expect(() => make({ hooks: new Observer() })).toThrow('calls');
    expect(() =>
      make({
        throttle: new (class Limiter {
          async acquire() {}
        })(),
      }),
    ).not.toThrow();
  });
});
