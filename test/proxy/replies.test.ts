// Replies of the handler: what a page sees of results, of errors, and of failures on the server.
import { afterEach, expect, test, vi } from 'vitest';
import { createBrowserClient } from '../../src/browser/index.ts';
import { type ClientOptions, NotFoundError } from '../../src/index.ts';
import type { CallStore, ProxyOptions } from '../../src/proxy/index.ts';
import { createSandbox, type Sandbox } from '../../src/testing/index.ts';
import { rows } from '../endpoints.ts';
import type { NamedRow } from '../support/operation-row.ts';
import { sandboxForEveryOperation } from '../support/sandbox-seed.ts';
import { makePage, readReply } from './page.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const create = { operation: 'tags.create', input: { name: 'vip' } };
const serverFailed = { name: 'ServerError', message: 'The server failed.', status: 500 };

/** Makes a call as a page does, and returns the data of the response. */
async function dataOfCall({ name, call }: NamedRow): Promise<object> {
  const { handler } = makePage({ allow: [name] }, createSandbox(sandboxForEveryOperation));
  let data = {};
  const fetch = async (url: string, init: RequestInit) => {
    const response = await handler(new Request(url, init));
    ({ data } = await response.clone().json());
    return response;
  };
  await call(createBrowserClient({ url: 'https://app.test/api/email-marketing', fetch }));
  return data;
}

const writes = rows.filter(({ method }) => method !== 'GET');

test.each(writes)('a page gets no more of the write $name than it needs', async row => {
  const data = await dataOfCall(row);
  if (row.returns === 'record')
    expect(data).toEqual({ id: expect.any(String), name: JSON.parse(row.body ?? '').name });
  else expect(Object.keys(data).sort()).toEqual(['message', 'status']);
});

/** Sends a call to a handler, and returns the reply, the sandbox and `onError`. `prepare` changes the sandbox before. */
async function replyTo(
  call: object,
  { prepare = () => {}, client = {}, ...options }: Options & Partial<ProxyOptions> = {},
) {
  const onError = vi.fn();
  const seed = { contacts: [{ email: 'ada@example.com', firstName: 'Ada', company: 'PRIVATE Ltd' }] };
  const sandbox = createSandbox({ seed });
  const allow = ['tags.create', 'tags.delete', 'legacy.track', 'legacy.identify', 'contacts.list'] as const;
  const { send } = makePage({ allow, onError, ...options }, sandbox, client);
  prepare(sandbox);
  const response = await send(call, { headers: { 'x-call-id': '0123456789abcdef'.repeat(2) } });
  const { headers, status } = response;
  // Here a page may read what the seed marks as private.
  const mayReadAll = (call as typeof create).operation === 'contacts.list';
  const reply = mayReadAll ? { status, body: await response.json() } : await readReply(response);
  return { ...reply, headers, sandbox, onError };
}

interface Options {
  readonly prepare?: (sandbox: Sandbox) => unknown;
  readonly client?: ClientOptions;
}

test('a page gets what `output` returns for the operation and the request', async () => {
  const output: ProxyOptions['output'] = {
    'contacts.list': (contacts, request) =>
      contacts.map(({ firstName }) => `${firstName} for ${request.headers.get('origin')}`),
    'tags.create': () => undefined,
  };
  const listed = await replyTo({ operation: 'contacts.list' }, { output });
  expect(listed.body).toEqual({ data: ['Ada for https://app.test'] });
  expect((await replyTo(create, { output })).body).toEqual({ data: null });
});

const record = { email: 'PRIVATE', firstName: 'PRIVATE' };
const email = 'ada@example.com';

test.each<[string, unknown, object, object]>([
  ['legacy.identify', { email }, { id: 1, status: '200', message: 5 }, { status: '200', message: 5 }],
  ['legacy.identify', { email }, { status: 'success', message: record }, { status: 'success' }],
  ['tags.create', { name: 'new' }, { id: 'tag_1', name: [record] }, { id: 'tag_1' }],
])('a page gets only text, numbers and booleans of %s', async (operation, input, sent, data) => {
  const client = { fetch: async () => Response.json(sent) };
  expect((await replyTo({ operation, input }, { client })).body).toEqual({ data });
});

const fails =
  (status: number, body: unknown = {}) =>
  (sandbox: Sandbox) =>
    sandbox.fail('*', { status, body });

const service = (message: string) => ({ status: 'error', message });

test.each<[number, string, string, (sandbox: Sandbox) => unknown, reported: boolean]>([
  [404, 'the service did not find the resource.', 'a 404', fails(404, service('no such tag')), false],
  [409, 'the name is already in use.', 'a 409', fails(409), false],
  [422, 'the service rejected the request.', 'a 422', fails(422), false],
  [429, 'the service accepts no more requests for now.', 'a 429', fails(429), false],
  [502, "the service rejected the server's credentials.", 'a wrong key', fails(401), true],
  [403, 'the service does not allow this call.', 'a key without permission', fails(403), true],
  [502, 'the service responded with an error.', 'a redirect', fails(302, ''), true],
  [502, "the service's response cannot be used.", 'a login page', fails(200, '<p>'), true],
  [599, 'the service failed.', 'a failure of the service', fails(599), true],
  [502, 'the connection from the server to the service failed.', 'a reset', s => s.drop('*'), true],
  [504, 'the service did not respond in time.', 'a time limit', s => s.stall('*'), true],
])('responds %i with "%s" after %s', async (status, message, _, prepare, reported) => {
  const client = status === 504 ? { timeout: 50 } : {};
  const { body, onError, ...reply } = await replyTo(create, { prepare, client });
  expect(reply.status).toBe(status);
  expect(body.error).toMatchObject({ message: `tags.create: ${message}` });
  const error = expect.objectContaining({ name: body.error.name });
  expect(onError.mock.calls).toEqual(reported ? [[error, 'tags.create']] : []);
});

test('responds 502 if the service sends the status 600, which no response can have', async () => {
  const fetch = async () => Object.defineProperty(new Response('{}'), 'status', { value: 600 });
  const reply = await replyTo(create, { client: { fetch } });
  expect(reply).toMatchObject({ status: 502, body: { error: { status: 600 } } });
});

test('responds 500 if the server lacks a key, and names it only to `onError`', async () => {
  const call = { operation: 'legacy.identify', input: { email } };
  const { status, body, onError } = await replyTo(call, { client: { legacyApiKey: () => '' } });
  const [name, operation] = ['ConfigurationError', 'legacy.identify'];
  const message = 'legacy.identify: the server is not configured for this call.';
  const next = { outcome: 'not-sent', retryable: true, scope: 'account' };
  expect([status, body.error]).toEqual([500, { name, message, operation, ...next }]);
  const error = expect.objectContaining({ name, message: expect.stringContaining('legacyApiKey') });
  expect(onError).toHaveBeenCalledExactlyOnceWith(error, operation);
});

const failure = new Error('PRIVATE: the database at 10.0.0.7 is down');
const fail = () => {
  throw failure;
};
const wrong = { name: 5, owner: 'PRIVATE' };
const hang = vi.fn(() => new Promise<never>(() => {}));
const storing = (own: Partial<CallStore>) => ({ store: { get: () => undefined, set: () => true, ...own } });
const setsOnce: CallStore['set'] = (_id, _value, { ifAbsent }) => ifAbsent || fail();
const noResponse = new Error('The store did not respond within 5000 ms.');
const notFound = new NotFoundError('PRIVATE: no such list', {
  body: 'PRIVATE',
  response: { status: 404, headers: new Headers() },
  outcome: 'refused',
});

test.each<[string, Options & Partial<ProxyOptions>, string, number, unknown?]>([
  ['authorize throws', { authorize: fail }, 'not-sent', 0, failure],
  ['authorize rejects', { authorize: () => Promise.reject(notFound) }, 'not-sent', 0, notFound],
  ['authorize returns an invalid input', { authorize: () => ({ input: wrong as never }) }, 'not-sent', 0],
  ['output rejects', { output: { 'tags.create': async () => fail() } }, 'done', 1, failure],
  ['output returns what JSON cannot hold', { output: { 'tags.create': () => 5n } }, 'done', 1],
  ['the store cannot be read', storing({ get: fail }), 'unknown', 0, failure],
  ['the store cannot be written', storing({ set: fail }), 'unknown', 0, failure],
  ['the store cannot be written afterwards', storing({ set: setsOnce }), 'done', 1, failure],
])(
  'responds 500 without details if %s, and reports it once',
  async (_, options, outcome, requests, thrown) => {
    const { status, body, sandbox, onError } = await replyTo(create, options);
    expect(status).toBe(500);
    expect(body.error).toEqual({ ...serverFailed, outcome });
    expect(sandbox.requests).toHaveLength(requests);
    expect(onError).toHaveBeenCalledExactlyOnceWith(thrown ?? expect.any(Error), 'tags.create');
  },
);

test('responds 500 without details if the call failed and the store cannot be written, and reports both once', async () => {
  const options = { ...storing({ set: setsOnce }), prepare: fails(500) };
  const { status, body, onError } = await replyTo(create, options);
  expect(status).toBe(500);
  expect(body.error).toEqual({ ...serverFailed, outcome: 'unknown' });
  const failed = expect.objectContaining({ name: 'ServerError' });
  expect(onError.mock.calls).toEqual([
    [failed, 'tags.create'],
    [failure, 'tags.create'],
  ]);
});

test.each<[string, Partial<CallStore>, string, number]>([
  ['read', { get: hang }, 'unknown', 0],
  ['written afterwards', { set: (_id, _value, { ifAbsent }) => ifAbsent || hang() }, 'done', 1],
])('responds 500 after five seconds if the store hangs when it is %s', async (_, own, outcome, requests) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  hang.mockClear();
  const replied = replyTo(create, storing(own));
  while (hang.mock.calls.length === 0) await new Promise(resolve => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(4_999);
  expect(await Promise.race([replied, 'waiting'])).toBe('waiting');
  await vi.advanceTimersByTimeAsync(1);
  const { status, body, sandbox, onError } = await replied;
  expect([status, body.error.outcome, sandbox.requests.length]).toEqual([500, outcome, requests]);
  expect(onError).toHaveBeenCalledExactlyOnceWith(noResponse, 'tags.create');
});

test.each<[string, () => unknown]>([
  ['throws', fail],
  ['hangs', () => new Promise(() => {})],
])('responds even if onError %s', async (_, onError) => {
  expect((await replyTo(create, { authorize: fail, onError })).status).toBe(500);
});

test('reports errors to the console by default', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  await replyTo(create, { authorize: fail, onError: undefined });
  expect(log).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('tags.create'), failure);
});
