import { expect, test } from 'vitest';
import { ConfigurationError } from '../../src/index.ts';
import { createProxyHandler, type ProxyOptions, toNodeListener } from '../../src/proxy/index.ts';
import { makePage } from './page.ts';

const contact = { method: 'GET', path: '/contact/{id}' } as const;

test.each<[string, unknown, string]>([
  ['no authorize', { authorize: undefined }, 'authorize must be a function that decides on each call, or '],
  ['an authorize that is not a function', { authorize: true }, 'Option authorize must be a function'],
  [
    'an unknown option',
    { authorise: 'public' },
    '"authorise" of createProxyHandler. Did you mean "authorize"?',
  ],
  ['an unknown operation', { allow: ['tags.rename'] }, 'Option allow: there is no operation "tags.rename".'],
  ['an operation in another case', { allow: ['tags.Create'] }, 'did you mean "tags.create"?'],
  [
    'a prototype key as operation',
    { allow: ['__proto__'] },
    'Option allow: there is no operation "__proto__".',
  ],
  ['text as allow', { allow: 'tags.create' }, 'allow must be an array'],
  [
    'an output of no operation',
    { output: { 'tags.make': String } },
    'Option output: there is no operation "tags.make"',
  ],
  [
    'an output that is not a function',
    { output: { 'tags.create': ['id'] } },
    "output['tags.create'] must be a function",
  ],
  ['null as output', { output: null }, 'output must be an object'],
  ['an origin with a path', { origins: ['https://a.test/'] }, 'origins must be an array of origins'],
  ['every origin', { origins: ['*'] }, 'origins must be an array of origins'],
  ['an origin that is not text', { origins: [Object.create(null)] }, 'origins must be an array of origins'],
  ['an object as origins', { origins: {} }, 'origins must be an array of origins'],
  ['a host with a port', { allowedHosts: ['app.test:8443'] }, 'allowedHosts must be an array of host names'],
  [
    'an address as host',
    { allowedHosts: ['https://app.test'] },
    'allowedHosts must be an array of host names',
  ],
  ['a host that is not text', { allowedHosts: [5] }, 'allowedHosts must be an array of host names'],
  ['text as hosts', { allowedHosts: 'app.test' }, 'allowedHosts must be an array of host names'],
  ['dedupe: false', { dedupe: false }, 'dedupe must be an object'],
  ['an unknown option of dedupe', { dedupe: { ttls: 5 } }, '"ttls" of dedupe. Did you mean "ttl"?'],
  ['a dedupe without time', { dedupe: { ttl: 0 } }, 'dedupe.ttl must be'],
  [
    'a store without set',
    { dedupe: { store: { get: String } } },
    'dedupe.store must be an object with the functions',
  ],
  [
    'a store without get',
    { dedupe: { store: { set: String } } },
    'dedupe.store must be an object with the functions',
  ],
  [
    'null as store',
    { dedupe: { store: null } },
    'dedupe.store must be an object with the functions get and set.',
  ],
  ['text as exposeErrorDetails', { exposeErrorDetails: 'no' }, 'exposeErrorDetails must be true or false'],
  ['no room for a body', { maxBodyBytes: 0 }, 'maxBodyBytes must be'],
  ['no time for a body', { bodyTimeout: -1 }, 'bodyTimeout must be'],
  ['an endpoint that is null', { allow: [null] }, 'Option allow[] must be an object'],
  [
    'an unknown member of an endpoint',
    { allow: [{ ...contact, idempotnt: true }] },
    'Did you mean "idempotent"',
  ],
  [
    'an endpoint without a method',
    { allow: [{ path: '/contact' }] },
    'Option allow: method must be one of GET',
  ],
  ['an endpoint without a path', { allow: [{ method: 'GET' }] }, 'path must be'],
  ['a path with dots', { allow: [{ ...contact, path: '/contact/../x' }] }, 'path must be'],
  [
    'a path that is not text',
    { allow: [{ ...contact, path: Object.create(null) }] },
    'Option allow: path must be',
  ],
  ['an unknown interface', { allow: [{ ...contact, api: 'v2' }] }, 'api must be'],
  ['an idempotent that is text', { allow: [{ ...contact, idempotent: 'no' }] }, 'idempotent must be'],
  [
    'an output of an endpoint that is text',
    { allow: [{ ...contact, output: 'id' }] },
    'allow[].output must be a function',
  ],
])('createProxyHandler refuses %s', (_, options, message) => {
  const make = () => makePage(options as ProxyOptions);
  expect(make).toThrow(ConfigurationError);
  expect(make).toThrow(message);
});

test('createProxyHandler refuses to be called without options', () => {
  const make = () => createProxyHandler(makePage().client, undefined as never);
  expect(make).toThrow('Option authorize must be a function');
});

test.each([[undefined], [null], [{}], [{ perform: 'yes' }]])(
  'createProxyHandler refuses the client %j',
  client => {
    const make = () => createProxyHandler(client as never, { authorize: 'public' });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow('Option client must be an EmailMarketingClient.');
  },
);

test.each([[undefined], [{}]])('toNodeListener refuses the handler %j', handler => {
  const make = () => toNodeListener(handler as never);
  expect(make).toThrow(ConfigurationError);
  expect(make).toThrow('Option handler must be what createProxyHandler returned.');
});

test.each<[string, unknown]>([
  ['allow', { allow: ['tags.rename'] }],
  ['allow', { allow: [{ method: 'GET', path: 'contact' }] }],
  ['output', { output: { 'tags.rename': String } }],
])('the error has the name of the option %s', (option, options) => {
  const make = () => makePage(options as ProxyOptions);
  expect(make).toThrow(expect.objectContaining({ name: 'ConfigurationError', option }));
});

test('an output that is undefined is as one left out', async () => {
  const { send } = makePage({ allow: ['tags.create'], output: { 'tags.create': undefined } });
  const response = await send({ operation: 'tags.create', input: { name: 'vip' } });
  expect(await response.json()).toEqual({ data: { id: expect.any(String), name: 'vip' } });
});
