// Options of `createProxyHandler`.
import { expect, test, vi } from 'vitest';
import { EmailMarketingClient, EmailMarketingError, type TagId } from '../../src/index.ts';
import { createProxyHandler } from '../../src/proxy/index.ts';
import { rejectsWith, resolvesTo } from '../../src/testing/index.ts';
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
])('createProxyHandler refuses %j', (options, message) => {
  const error = {
    name: 'ConfigurationError',
    message: expect.stringContaining(message),
    option: expect.stringContaining(Object.keys(options).join()),
  };
  expect(() => makePage(options)).toThrow(expect.objectContaining(error));
});

test('createProxyHandler takes a double with the methods of a client', async () => {
  const { client } = makePage();
  const create = vi.fn(resolvesTo({ id: 'tag_1' as TagId, name: 'vip', created: '', updated: '' }));
  const double: Pick<EmailMarketingClient, keyof EmailMarketingClient> = {
    ...client,
    tags: {
      ...client.tags,
      create,
      delete: rejectsWith(new EmailMarketingError('down', { outcome: 'refused' })),
    },
    request: (...input) => client.request(...input),
    withOptions: options => client.withOptions(options),
  };
  const allow = ['tags.create', 'tags.delete'] as const;
  const handler = createProxyHandler(double as EmailMarketingClient, {
    allow,
    authorize: 'public',
    onError: () => {},
  });
  const send = async (operation: string, input: unknown, digit: string) => {
    const headers = { 'x-call-id': digit.repeat(32) };
    return (await handler(requestOf({ operation, input }, { headers }))).json();
  };
  expect(await send('tags.create', { name: 'vip' }, 'a')).toEqual({ data: { id: 'tag_1', name: 'vip' } });
  expect(create).toHaveBeenCalledExactlyOnceWith({ name: 'vip' });
  const failed = await send('tags.delete', 'tag_aaaaaaaaaaaaaaaaaaaaaa', 'b');
  expect(failed).toMatchObject({ error: { outcome: 'refused' } });
});

test('a call of a method that a double lacks fails, and nothing is reported as done', async () => {
  const { client } = makePage();
  const onError = vi.fn();
  const double = { ...client, request: () => {}, tags: {} } as unknown as EmailMarketingClient;
  const handler = createProxyHandler(double, { allow: ['tags.create'], authorize: 'public', onError });
  const call = requestOf(
    { operation: 'tags.create', input: { name: 'vip' } },
    { headers: { 'x-call-id': 'a'.repeat(32) } },
  );
  const response = await handler(call);
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({ error: { name: 'ServerError', outcome: 'not-sent' } });
  const message = expect.stringContaining('no method tags.create');
  expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message }), 'tags.create');
});

test('createProxyHandler takes a function that returns the client, which is called for the first allowed call', async () => {
  const { client } = makePage();
  const create = vi.fn(() => client);
  const handler = createProxyHandler(create, { allow: ['senders.list'], authorize: 'public' });
  const send = (operation: string) => handler(requestOf({ operation }));
  expect((await send('lists.list')).status).toBe(403);
  expect(create).not.toHaveBeenCalled();
  expect(await (await send('senders.list')).json()).toEqual({ data: [] });
  expect(await (await send('senders.list')).json()).toEqual({ data: [] });
  expect(create).toHaveBeenCalledOnce();
});

test.each<[string, () => unknown, object]>([
  ['throws', () => new EmailMarketingClient(), { name: 'ConfigurationError', option: 'baseUrl' }],
  ['throws another error', fail, failure],
])('a function for the client that %s fails the call, and is called again', async (_, create, error) => {
  const onError = vi.fn();
  const options = { allow: ['senders.list'], authorize: 'public', onError } as const;
  const { client } = makePage();
  let isReady = false;
  const handler = createProxyHandler(() => (isReady ? client : (create() as typeof client)), options);
  const send = () => handler(requestOf({ operation: 'senders.list' }));
  const response = await send();
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({
    error: { name: 'ServerError', message: 'The server failed.', outcome: 'not-sent', status: 500 },
  });
  expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(error), 'senders.list');
  isReady = true;
  expect((await send()).status).toBe(200);
});
