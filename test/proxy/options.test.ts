// Options of `createProxyHandler`.
import { expect, test, vi } from 'vitest';
import { EmailMarketingClient, type TagId } from '../../src/index.ts';
import { createProxyHandler } from '../../src/proxy/index.ts';
import { resolvesTo } from '../../src/testing/index.ts';
import { makePage, requestOf } from './page.ts';

const failure = new Error('PRIVATE');
const fail = () => {
  throw failure;
};

test.each<[object, string]>([
  [
    { authorize: undefined },
    "authorize must be a function that decides on each call, or 'public' (got undefined).",
  ],
  [{ authorize: true }, 'authorize must be a function'],
  [{ authorise: 'public' }, '"authorise" of createProxyHandler. Did you mean authorize?'],
  [{ allow: 'tags.create' }, 'allow must be an array'],
  [{ allow: ['tags.create', 'identify'] }, 'allow[1] must be one of domains.create, lists.create, '],
  [{ allow: ['contacts.all'] }, 'legacy.track (got "contacts.all").'],
  [{ allow: [null] }, 'allow[0] must be one of '],
  [{ output: null }, 'output must be an object'],
  [
    { output: { 'tags.Create': String } },
    'Unknown option "tags.Create" of output. Did you mean tags.create?',
  ],
  [{ output: { 'tags.create': ['id'] } }, 'output.tags.create must be a function'],
  ...['https://a.test/', 'https://*.a.test', 'app://a/b', 'app://*'].map((origin): [object, string] => [
    { allowedOrigins: ['https://a.test', origin] },
    `allowedOrigins[1] must be an origin such as https://www.example.com or capacitor://localhost, without path or wildcard (got "${origin}").`,
  ]),
  [{ allowedOrigins: {} }, 'allowedOrigins must be an array'],
  ...['app.test:8443', 'https://app.test', '*', '*.app.test'].map((host): [object, string] => [
    { allowedHosts: [host] },
    `allowedHosts[0] must be a host name such as www.example.com, without port or wildcard (got "${host}").`,
  ]),
  [{ allowedHosts: [5] }, 'allowedHosts[0] must be a host name such as'],
  [{ allowedHosts: 'app.test' }, 'allowedHosts must be an array'],
  [{ store: { get: String } }, 'store must be an object with the functions get and set (got object).'],
  [{ store: { set: String } }, 'store must be an object with the functions get and set (got object).'],
  [{ store: null }, 'store must be an object with the functions get and set, or left out (got null).'],
  [{ maxBodyBytes: 0 }, 'maxBodyBytes must be'],
  [{ bodyTimeout: -1 }, 'bodyTimeout must be'],
])('createProxyHandler rejects %j', (options, message) => {
  const error = {
    name: 'ConfigurationError',
    message: expect.stringContaining(message),
    option: expect.stringContaining(Object.keys(options).join()),
  };
  expect(() => makePage(options)).toThrow(expect.objectContaining(error));
});

test('a method that a double of a client lacks is not reported as done', async () => {
  const { client } = makePage();
  const create = vi.fn(resolvesTo({ id: 'tag_1' as TagId, name: 'vip', created: '', updated: '' }));
  const onError = vi.fn();
  const options = { allow: ['tags.create', 'tags.delete'], authorize: 'public', onError } as const;
  const handler = createProxyHandler({ ...client, tags: { create } } as never, options);
  const send = async (operation: string, input: unknown, digit: string) => {
    const headers = { 'x-call-id': digit.repeat(32) };
    return (await handler(requestOf({ operation, input }, { headers }))).json();
  };
  expect(await send('tags.create', { name: 'vip' }, 'a')).toEqual({ data: { id: 'tag_1', name: 'vip' } });
  const lacking = await send('tags.delete', `tag_${'a'.repeat(22)}`, 'c');
  expect(lacking).toMatchObject({ error: { name: 'ServerError', status: 500, outcome: 'not-sent' } });
  const message = expect.stringContaining('no method tags.delete');
  expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message }), 'tags.delete');
});

test.each<[string, () => unknown, object]>([
  ['throws an error of the library', () => new EmailMarketingClient(), { name: 'ConfigurationError' }],
  ['throws another error', fail, failure],
])(
  'a function for the client is called for the first allowed call, and again if it %s',
  async (_, create, error) => {
    const onError = vi.fn();
    const options = { allow: ['senders.list'], authorize: 'public', onError } as const;
    const { client } = makePage();
    const getClient = vi.fn(() => client).mockImplementationOnce(create as () => typeof client);
    const handler = createProxyHandler(getClient, options);
    const send = (operation: string) => handler(requestOf({ operation }));
    expect((await send('lists.list')).status).toBe(403);
    expect(getClient).not.toHaveBeenCalled();
    const response = await send('senders.list');
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      error: { name: 'ServerError', message: 'The server failed.', outcome: 'not-sent', status: 500 },
    });
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(error), 'senders.list');
    for (let call = 0; call < 2; call++)
      expect(await (await send('senders.list')).json()).toEqual({ data: [] });
    expect(getClient).toHaveBeenCalledTimes(2);
  },
);
