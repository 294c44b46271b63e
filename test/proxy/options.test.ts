import { expect, test } from 'vitest';
import { ConfigurationError } from '../../src/index.ts';
import {
  type AllowedEndpoint,
  createProxyHandler,
  type ProxyOptions,
  toNodeListener,
} from '../../src/proxy/index.ts';
import { makePage } from './page.ts';

const contact = { method: 'GET', path: '/contact/{id}' } as const;
const allow = ['legacy.identify', 'tags.create'] as const;

test.each<[string, unknown, RegExp]>([
  ['no authorize', { allow }, /authorize/],
  ['no options', undefined, /authorize/],
  ['an authorize that is no function', { authorize: true }, /authorize/],
  [
    'an operation that does not exist',
    { authorize: 'public', allow: ['tags.rename'] },
    /^Option allow: there is no operation "tags\.rename"\.$/,
  ],
  ['a prototype key as operation', { authorize: 'public', allow: ['__proto__'] }, /allow/],
  ['an origin with a path', { authorize: 'public', origins: ['https://a.test/'] }, /origins/],
  ['every origin', { authorize: 'public', origins: ['*'] }, /origins/],
  [
    'a misspelt option',
    { authorise: 'public' },
    /"authorise" of createProxyHandler\. Did you mean "authorize"\?/,
  ],
  ['a misspelt operation', { authorize: 'public', allow: ['tags.Create'] }, /did you mean "tags.create"\?/],
  [
    'an output of no operation',
    { authorize: 'public', output: { 'tags.make': String } },
    /^Option output: there is no operation "tags\.make"/,
  ],
  ['an output that is no function', { authorize: 'public', output: { 'tags.create': ['id'] } }, /output/],
  [
    'an unknown option of dedupe',
    { authorize: 'public', dedupe: { ttls: 5 } },
    /"ttls" of dedupe\. Did you mean "ttl"\?/,
  ],
  ['a dedupe without time', { authorize: 'public', dedupe: { ttl: 0 } }, /dedupe\.ttl/],
  ['a store without set', { authorize: 'public', dedupe: { store: { get: String } } }, /dedupe\.store/],
  ['a store without get', { authorize: 'public', dedupe: { store: { set: String } } }, /dedupe\.store/],
  [
    'no store',
    { authorize: 'public', dedupe: { store: null } },
    /dedupe\.store must be an object with the functions get and set\.$/,
  ],
  ['an origin that is no text', { authorize: 'public', origins: [Object.create(null)] }, /origins/],
  ['a host with a port', { authorize: 'public', allowedHosts: ['app.test:8443'] }, /allowedHosts/],
  ['an address as host', { authorize: 'public', allowedHosts: ['https://app.test'] }, /allowedHosts/],
  ['details by another word', { authorize: 'public', exposeErrorDetails: 'no' }, /exposeErrorDetails/],
  ['one text as list', { authorize: 'public', allow: 'tags.create' }, /allow must be an array/],
  ['an object as origins', { authorize: 'public', origins: {} }, /origins must be an array/],
  ['one host as list', { authorize: 'public', allowedHosts: 'app.test' }, /allowedHosts must be an array/],
  ['a host that is no text', { authorize: 'public', allowedHosts: [5] }, /allowedHosts/],
  ['no output', { authorize: 'public', output: null }, /output must be an object/],
  ['a dedupe that is switched off', { authorize: 'public', dedupe: false }, /dedupe must be an object/],
  ['no room for a body', { authorize: 'public', maxBodyBytes: 0 }, /maxBodyBytes/],
  ['no time for a body', { authorize: 'public', bodyTimeout: -1 }, /bodyTimeout/],
])('a handler with %s cannot be made', (_, options, message) => {
  const { client } = makePage();
  const make = () => createProxyHandler(client, options as ProxyOptions);
  expect(make).toThrow(ConfigurationError);
  expect(make).toThrow(message);
});

test.each<[string, unknown, RegExp]>([
  [
    'an unknown member',
    { ...contact, idempotnt: true },
    /"idempotnt" of an endpoint in allow. Did you mean "idempotent"/,
  ],
  ['a missing method', { path: '/contact' }, /^Option allow: method must be one of GET/],
  ['a missing path', { method: 'GET' }, /path must be/],
  ['a path with dots', { method: 'GET', path: '/contact/../x' }, /path must be/],
  ['an unknown interface', { ...contact, api: 'v2' }, /api must be/],
  [
    'an output that is no function',
    { ...contact, output: 'id' },
    /^Option allow\[\]\.output must be a function/,
  ],
  ['idempotent as text', { ...contact, idempotent: 'no' }, /idempotent must be/],
  ['the value null', null, /^Option allow\[\] must be an object/],
  ['a path that is no text', { method: 'GET', path: Object.create(null) }, /^Option allow: path must be/],
])('a handler with an endpoint in allow of %s cannot be made', (_, entry, message) => {
  expect(() => makePage({ allow: [entry as AllowedEndpoint] })).toThrow(message);
});

test.each([[undefined], [null], [{}], [{ perform: 'yes' }]])(
  'a handler with the client %j cannot be made',
  client => {
    const make = () => createProxyHandler(client as never, { authorize: 'public' });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow('Option client must be an EmailMarketingClient.');
  },
);

test.each([[undefined], [{}]])('a listener of the handler %j cannot be made', handler => {
  const make = () => toNodeListener(handler as never);
  expect(make).toThrow(ConfigurationError);
  expect(make).toThrow('Option handler must be what createProxyHandler returned.');
});

test.each<[string, unknown]>([
  ['allow', { allow: ['tags.rename'] }],
  ['allow', { allow: [{ method: 'GET', path: 'contact' }] }],
  ['output', { output: { 'tags.rename': String } }],
])('an error says by its member `option` that %s is wrong', (option, options) => {
  const make = () => makePage(options as ProxyOptions);
  expect(make).toThrow(expect.objectContaining({ name: 'ConfigurationError', option }));
});

test('an output that is undefined is as one left out', async () => {
  const { send } = makePage({ allow: ['tags.create'], output: { 'tags.create': undefined } });
  const response = await send({ operation: 'tags.create', input: { name: 'vip' } });
  expect(await response.json()).toEqual({ data: { id: expect.any(String), name: 'vip' } });
});
