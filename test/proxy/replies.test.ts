// Replies of the handler: what a page sees of results, of errors, and of failures of the server's functions.
import { afterEach, expect, test, vi } from 'vitest';
import { createBrowserClient } from '../../src/browser/index.ts';
import { type ClientOptions, NotFoundError } from '../../src/index.ts';
import type { DedupeStore, ProxyOptions } from '../../src/proxy/index.ts';
import { createSandbox, type Sandbox } from '../../src/testing/index.ts';
import { rows } from '../operations.ts';
import type { NamedRow } from '../support/operation-row.ts';
import { sandboxForEveryOperation } from '../support/sandbox-seed.ts';
import { makePage, readReply } from './page.ts';

afterEach(() => vi.restoreAllMocks());

const create = { operation: 'tags.create', input: { name: 'vip' } };
const serverFailed = { name: 'ServerError', message: 'The server failed.', status: 500 };

/** Makes a call of the table as a page does; the data of the response. */
async function dataOfCall({ name, call }: NamedRow): Promise<object> {
  const { handler } = makePage({ allow: [name] }, createSandbox(sandboxForEveryOperation));
  let data = {};
  const fetch = async (url: string, init: RequestInit) => {
    const response = await handler(new Request(url, init));
    ({ data } = await response.clone().json());
    return response;
  };
  await call(createBrowserClient({ url: 'https://app.test/api/email-marketing', logLevel: 'off', fetch }));
  return data;
}

const writes = rows.filter(({ method }) => method !== 'GET');

test.each(writes)('shows a page of the write $name only what it needs', async row => {
  const data = await dataOfCall(row);
  if (row.returns === 'record')
    expect(data).toEqual({ id: expect.any(String), name: JSON.parse(row.body ?? '').name });
  else expect(Object.keys(data).sort()).toEqual(['message', 'status']);
});

/** Sends calls to a handler of everything whose service was prepared; replies, requests and what was reported. */
async function replyTo(
  call: object,
  { prepare = () => {}, client = {}, ...options }: Options & Partial<ProxyOptions> = {},
) {
  const onError = vi.fn();
  const seed = { contacts: [{ email: 'ada@example.com', firstName: 'Ada', company: 'PRIVATE Ltd' }] };
  const sandbox = createSandbox({ seed });
  const allow = ['tags.create', 'tags.delete', 'legacy.track', 'legacy.identify', 'contacts.list'] as const;
  const endpoint = { method: 'POST', path: '/contact' } as const;
  const { send } = makePage({ allow: [...allow, endpoint], onError, ...options }, sandbox, client);
  prepare(sandbox);
  const response = await send(call, { headers: { 'x-call-id': '0123456789abcdef'.repeat(2) } });
  const { headers } = response;
  if ('contacts.list' === (call as typeof create).operation)
    return { status: response.status, headers, body: await response.json(), sandbox, onError };
  return { ...(await readReply(response)), headers, sandbox, onError };
}

interface Options {
  readonly prepare?: (sandbox: Sandbox) => unknown;
  readonly client?: ClientOptions;
}

test('shows a page all of what a read returns', async () => {
  const { body } = await replyTo({ operation: 'contacts.list' });
  expect(body.data).toMatchObject([{ email: 'ada@example.com', company: 'PRIVATE Ltd', tags: [] }]);
});

test('shows a page what output returns, by operation and request', async () => {
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
  [
    'legacy.identify',
    { email },
    { status: '200', message: 'done', id: 1, data: record },
    { status: '200', message: 'done' },
  ],
  [
    'legacy.track',
    { email, addTags: ['vip'] },
    { status: 'success', message: record },
    { status: 'success' },
  ],
  [
    'tags.delete',
    `tag_${'a1'.repeat(11)}`,
    { status: ['PRIVATE'], message: 'deleted' },
    { message: 'deleted' },
  ],
  ['tags.create', { name: 'new' }, { id: 'tag_1', name: [record] }, { id: 'tag_1' }],
  [
    'request',
    { method: 'POST', path: '/contact', body: {} },
    { id: '1', status: record, message: 5 },
    { message: 5 },
  ],
])('shows a page of %s only text, numbers and booleans', async (operation, input, sent, data) => {
  const client = { fetch: async () => Response.json(sent) };
  expect((await replyTo({ operation, input }, { client })).body).toEqual({ data });
});

test.each<[number, string, (sandbox: Sandbox) => unknown]>([
  [400, 'the service rejected the request.', made => made.fail('*', { status: 400, body: {} })],
  [403, 'the service does not allow this call.', made => made.fail('*', { status: 403, body: {} })],
  [404, 'there is no such resource.', made => made.fail('*', { status: 404, body: {} })],
  [409, 'the name or the email is already used.', made => made.fail('*', { status: 409, body: {} })],
  [418, 'the service responded with an error.', made => made.fail('*', { status: 418, body: {} })],
  [422, 'the service rejected the request.', made => made.fail('*', { status: 422, body: {} })],
  [429, 'the service allows no more requests for now.', made => made.fail('*', { status: 429, body: {} })],
  [500, 'the service failed.', made => made.fail('*', { status: 500, body: {} })],
  [599, 'the service failed.', made => made.fail('*', { status: 599, body: {} })],
  [502, 'the service rejected the credentials of the server.', made => made.fail('*', { status: 401 })],
  [502, 'the service responded with an error.', made => made.fail('*', { status: 302, body: '' })],
  [502, 'the connection from the server to the service failed.', made => made.drop('*')],
  [502, 'the response of the service cannot be used.', made => made.fail('*', { status: 200, body: '<p>' })],
  [504, 'the service did not respond in time.', made => made.stall('*')],
])('responds %i, and calls no onError: %s', async (status, message, prepare) => {
  const reply = await replyTo(create, { prepare });
  expect(reply).toMatchObject({ status, body: { error: { message: `tags.create: ${message}` } } });
  expect(reply.onError).not.toHaveBeenCalled();
});

test('responds 502 if a function among the options of the client fails, without its text', async () => {
  const acquire = () => Promise.reject(new Error('PRIVATE'));
  const { status, body } = await replyTo(create, { client: { throttle: { acquire } } });
  expect(status).toBe(502);
  expect(body.error).toEqual({
    name: 'EmailMarketingError',
    message: 'tags.create: the call failed.',
    operation: 'tags.create',
    outcome: 'not-sent',
  });
});

test.each([600, 999])(
  'responds 502 to a status %i of the service, which no response can have',
  async sent => {
    const fetch = async () => Object.defineProperty(new Response('{}'), 'status', { value: sent });
    const reply = await replyTo(create, { client: { fetch } });
    expect(reply).toMatchObject({ status: 502, body: { error: { status: sent } } });
  },
);

test('responds 500 if the server lacks an option, and reports which only to onError', async () => {
  const call = { operation: 'legacy.identify', input: { email } };
  const { status, body, onError } = await replyTo(call, { client: { teamId: undefined } });
  expect(status).toBe(500);
  expect(body.error).toEqual({
    name: 'ConfigurationError',
    message: 'the server is not configured for this call.',
    outcome: 'not-sent',
  });
  const message = expect.stringContaining('teamId');
  const error = expect.objectContaining({ name: 'ConfigurationError', message });
  expect(onError).toHaveBeenCalledExactlyOnceWith(error, 'legacy.identify');
});

test('shows the issues of a response if details are exposed, and none by default', async () => {
  const prepare = (sandbox: Sandbox) => sandbox.fail('*', { status: 200, body: '<html>' });
  const exposed = await replyTo(create, { prepare, exposeErrorDetails: true });
  expect(exposed.body.error.issues).toEqual([expect.objectContaining({ received: expect.any(String) })]);
  expect((await replyTo(create, { prepare })).body.error.issues).toBeUndefined();
});

test.each<[string, (sandbox: Sandbox) => unknown]>([
  ['a result', () => {}],
  ['an error', sandbox => sandbox.drop('*')],
])(
  'responds with %s as JSON that no cache keeps and no browser takes for another type',
  async (_, prepare) => {
    const { headers } = await replyTo(create, { prepare });
    expect(Object.fromEntries(headers)).toEqual({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  },
);

const failure = new Error('PRIVATE: the database at 10.0.0.7 is down');
const fail = () => {
  throw failure;
};
const returning = (visitor: unknown, input: unknown = create.input) => ({
  authorize: () => ({ input, visitor }) as never,
});
const storing = (own: Partial<DedupeStore>) => ({
  dedupe: { store: { get: () => undefined, set: () => true, ...own } },
});
const setsOnce: DedupeStore['set'] = (_id, _value, { ifAbsent }) => ifAbsent || fail();

const notText = new TypeError('authorize must return visitor as text that is not empty.');
const notFound = new NotFoundError('PRIVATE: no such list', {
  ...{ status: 404, body: 'PRIVATE', headers: new Headers(), outcome: 'refused' },
});

test.each<[string, Options & Partial<ProxyOptions>, string, number, unknown?]>([
  ['authorize throws', { authorize: fail }, 'not-sent', 0, failure],
  ['authorize rejects', { authorize: async () => fail() }, 'not-sent', 0, failure],
  [
    'authorize rejects with an error of the library',
    { authorize: () => Promise.reject(notFound) },
    'not-sent',
    0,
    notFound,
  ],
  ['authorize returns a visitor that is not text', returning(5), 'not-sent', 0, notText],
  ['authorize returns an empty visitor', returning(''), 'not-sent', 0, notText],
  [
    'authorize returns an input that is not valid',
    returning('ada', { name: 5, owner: 'PRIVATE' }),
    'not-sent',
    0,
  ],
  ['output throws', { output: { 'tags.create': fail } }, 'done', 1, failure],
  ['output rejects', { output: { 'tags.create': async () => fail() } }, 'done', 1, failure],
  ['output returns what JSON cannot hold', { output: { 'tags.create': () => 5n } }, 'done', 1],
  ['the store cannot be read', storing({ get: fail }), 'not-sent', 0, failure],
  ['the store cannot be written', storing({ set: fail }), 'not-sent', 0, failure],
  ['the store cannot be written afterwards', storing({ set: setsOnce }), 'done', 1, failure],
  [
    'the call failed, and the store cannot be written afterwards',
    { ...storing({ set: setsOnce }), prepare: made => made.fail('*', { status: 500 }) },
    'unknown',
    1,
    failure,
  ],
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

test.each<[string, () => unknown]>([
  ['throws', fail],
  ['rejects', async () => fail()],
  ['hangs', () => new Promise(() => {})],
])('responds even if onError %s', async (_, onError) => {
  expect((await replyTo(create, { authorize: fail, onError })).status).toBe(500);
});

test('reports to the console by default', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  await replyTo(create, { authorize: fail, onError: undefined });
  expect(log).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('tags.create'), failure);
});
