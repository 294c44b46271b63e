// Replies of the handler: what a page sees of results, of errors, and of failures of the server's own functions.
import { afterEach, expect, test, vi } from 'vitest';
import { createBrowserClient } from '../../src/browser/index.ts';
import { NotFoundError, type OperationName } from '../../src/index.ts';
import type { DedupeStore, ProxyOptions } from '../../src/proxy/index.ts';
import { createSandbox, type Sandbox } from '../../src/testing/index.ts';
import { rows } from '../operations.ts';
import type { NamedRow } from '../support/operation-row.ts';
import { sandboxForEveryOperation } from '../support/sandbox-seed.ts';
import { makePage, readReply } from './page.ts';

afterEach(() => vi.restoreAllMocks());

const id = (prefix: string) => `${prefix}_${'a1'.repeat(11)}`;

const seed = {
  contacts: [{ email: 'ada@example.com', firstName: 'Ada', company: 'PRIVATE' }],
  lists: [{ id: id('list'), name: 'News' }],
  tags: [{ id: id('tag'), name: 'vip' }],
  postTags: [{ id: id('post_tag'), name: 'tips' }],
  templates: [{ id: id('template') }],
  campaigns: [{ id: id('campaign') }],
};

/** Sends a call as a page does; the data of the response. */
async function dataOf(operation: OperationName, input: unknown, options: Partial<ProxyOptions> = {}) {
  const sandbox = createSandbox({ seed, ambiguities: { trackOfUnknownContact: 'create' } });
  const { send } = makePage({ allow: [operation], ...options }, sandbox);
  const { data } = await (await send({ operation, input })).json();
  return data;
}

/** Makes a call of the table as a page does; the data of the response. */
async function dataOfCall({ name, call }: NamedRow): Promise<object> {
  const { handler } = makePage({ allow: [name] }, createSandbox(sandboxForEveryOperation));
  let data = {};
  const page = createBrowserClient({
    url: 'https://app.test/api/email-marketing',
    logLevel: 'off',
    fetch: async (url, init) => {
      const response = await handler(new Request(url, init));
      ({ data } = await response.clone().json());
      return response;
    },
  });
  await call(page);
  return data;
}

const writes = rows.filter(({ method }) => method !== 'GET');

test.each(writes.filter(({ returns }) => returns !== 'record'))(
  'shows a page status and message of $name alone',
  async row => {
    expect(Object.keys(await dataOfCall(row)).sort()).toEqual(['message', 'status']);
  },
);

test.each(writes.filter(({ returns }) => returns === 'record'))(
  'shows a page id and name of $name alone',
  async row => {
    const { name } = JSON.parse(row.body ?? '');
    expect(await dataOfCall(row)).toEqual({ id: expect.any(String), name });
  },
);

test('shows a page all of what a read returns', async () => {
  const [contact] = await dataOf('contacts.list', undefined);
  expect(contact).toMatchObject({ email: 'ada@example.com', company: 'PRIVATE', tags: [] });
});

test('shows a page what output returns, by operation and request', async () => {
  const output: ProxyOptions['output'] = {
    'contacts.list': (contacts, request) =>
      contacts.map(({ firstName }) => `${firstName} for ${request.headers.get('origin')}`),
    'tags.create': () => {
      throw new Error('is not called for another operation');
    },
  };
  const data = await dataOf('contacts.list', undefined, { output });
  expect(data).toEqual(['Ada for https://app.test']);
});

test('shows a page null where output returns nothing', async () => {
  expect(
    await dataOf('tags.create', { name: 'new' }, { output: { 'tags.create': () => undefined } }),
  ).toBeNull();
});

test('sends a page no field that the service adds to an acknowledgement', async () => {
  const sandbox = createSandbox({ seed });
  const { send } = makePage({ allow: ['legacy.identify'] }, sandbox);
  const body = { status: 'success', message: 'done', id: 'PRIVATE', data: { company: 'PRIVATE' } };
  sandbox.fail('*', { status: 200, body });
  const response = await send({ operation: 'legacy.identify', input: { email: 'ada@example.com' } });
  expect(await response.json()).toEqual({ data: { status: 'success', message: 'done' } });
});

const record = { email: 'PRIVATE', firstName: 'PRIVATE' };

test.each<[OperationName, unknown, object, object]>([
  [
    'legacy.track',
    { email: 'ada@example.com', addTags: ['vip'] },
    { status: 'success', message: record },
    { status: 'success' },
  ],
  ['tags.delete', id('tag'), { status: ['PRIVATE'], message: 'deleted' }, { message: 'deleted' }],
  ['tags.create', { name: 'new' }, { id: 'tag_1', name: [record] }, { id: 'tag_1' }],
])(
  'shows a page no object in place of text in the result of the write %s',
  async (name, input, body, shown) => {
    const sandbox = createSandbox({ seed });
    sandbox.fail('*', { status: 200, body });
    const { send } = makePage({ allow: [name] }, sandbox);
    expect(await (await send({ operation: name, input })).json()).toEqual({ data: shown });
  },
);

test('shows a page no object in place of text in the result of an endpoint that writes', async () => {
  const fetch = async () => Response.json({ id: '1', status: record, message: 5 });
  const endpoint = { method: 'POST', path: '/contact' } as const;
  const { send } = makePage({ allow: [endpoint] }, undefined, { fetch });
  const response = await send({ operation: 'request', input: { ...endpoint, body: {} } });
  expect(await response.json()).toEqual({ data: { message: 5 } });
});

const create = { operation: 'tags.create', input: { name: 'vip' } };

/** Creates a tag on a service that was prepared; the response of the handler and what was reported. */
async function replyOf(prepare: (sandbox: Sandbox) => unknown, options: Partial<ProxyOptions> = {}) {
  const onError = vi.fn();
  const { sandbox, send } = makePage({ allow: ['tags.create'], onError, ...options });
  prepare(sandbox);
  const response = await send(create);
  return { status: response.status, headers: response.headers, body: await response.json(), onError };
}

test.each([
  [400, 'the service rejected the request.'],
  [403, 'the service does not allow this call.'],
  [404, 'there is no such resource.'],
  [409, 'the name or the email is already used.'],
  [418, 'the service responded with an error.'],
  [422, 'the service rejected the request.'],
  [429, 'the service allows no more requests for now.'],
  [500, 'the service failed.'],
  [503, 'the service failed.'],
  [599, 'the service failed.'],
])('responds with the status %i of the service: %s', async (status, message) => {
  const reply = await replyOf(sandbox => sandbox.fail('*', { status, body: {} }));
  expect(reply).toMatchObject({ status, body: { error: { status, message: `tags.create: ${message}` } } });
});

test.each<[number, string, (sandbox: Sandbox) => unknown]>([
  [502, 'the service rejected the credentials of the server.', made => made.fail('*', { status: 401 })],
  [502, 'the service responded with an error.', made => made.fail('*', { status: 302, body: '' })],
  [502, 'the connection from the server to the service failed.', made => made.drop('*')],
  [502, 'the response of the service cannot be used.', made => made.fail('*', { status: 200, body: '<p>' })],
  [504, 'the service did not respond in time.', made => made.stall('*')],
])('responds %i, and calls no onError: %s', async (status, message, prepare) => {
  const reply = await replyOf(prepare);
  expect(reply).toMatchObject({ status, body: { error: { message: `tags.create: ${message}` } } });
  expect(reply.onError).not.toHaveBeenCalled();
});

test('responds 502 where a function among the options of the client fails, without its words', async () => {
  const acquire = () => Promise.reject(new Error('PRIVATE'));
  const { send } = makePage({ allow: ['tags.create'] }, undefined, { throttle: { acquire } });
  const response = await send(create);
  expect(response.status).toBe(502);
  expect(await response.json()).toEqual({
    error: {
      name: 'EmailMarketingError',
      message: 'tags.create: the call failed.',
      operation: 'tags.create',
      outcome: 'not-sent',
    },
  });
});

test.each([600, 999])(
  'responds 502 to a status %i of the service, which no response can have',
  async sent => {
    const fetch = async () => Object.defineProperty(new Response('{}'), 'status', { value: sent });
    const { send } = makePage({ allow: ['tags.create'] }, undefined, { fetch });
    const response = await send(create);
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ error: { status: sent } });
  },
);

test('responds 500 where the server lacks an option, and reports which to onError alone', async () => {
  const onError = vi.fn();
  const { send } = makePage({ allow: ['legacy.identify'], onError }, undefined, { teamId: undefined });
  const response = await send({ operation: 'legacy.identify', input: { email: 'ada@example.com' } });
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({
    error: {
      name: 'ConfigurationError',
      message: 'the server is not configured for this call.',
      outcome: 'not-sent',
    },
  });
  expect(onError).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ name: 'ConfigurationError', message: expect.stringContaining('teamId') }),
    'legacy.identify',
  );
});

test('shows the issues of a response where details are exposed, and none by default', async () => {
  const html = (sandbox: Sandbox) => sandbox.fail('*', { status: 200, body: '<html>' });
  const exposed = await replyOf(html, { exposeErrorDetails: true });
  expect(exposed.body.error.issues).toEqual([expect.objectContaining({ received: expect.any(String) })]);
  expect((await replyOf(html)).body.error.issues).toBeUndefined();
});

test.each<[string, (sandbox: Sandbox) => unknown]>([
  ['a result', () => {}],
  ['an error', sandbox => sandbox.drop('*')],
])(
  'responds with %s as JSON that no cache keeps and no browser takes for another type',
  async (_, prepare) => {
    const { headers } = await replyOf(prepare);
    expect(Object.fromEntries(headers)).toEqual({
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  },
);

const callId = { 'x-call-id': '0123456789abcdef'.repeat(2) };
const failure = new Error('PRIVATE: the database at 10.0.0.7 is down');
const fail = () => {
  throw failure;
};

/** Sends one call to a handler with these options; the response, the requests to the service and what was reported. */
async function attempt(options: Partial<ProxyOptions>) {
  const onError = vi.fn();
  const { send, sandbox } = makePage({ allow: ['tags.create'], onError, ...options });
  const { status, body } = await readReply(await send(create, { headers: callId }));
  return { status, error: body.error, requests: sandbox.requests.length, onError };
}

const unused = { get: () => undefined, set: () => true };

test.each<[string, Partial<ProxyOptions>, string, number]>([
  ['authorize throws', { authorize: fail }, 'not-sent', 0],
  ['authorize rejects', { authorize: async () => fail() }, 'not-sent', 0],
  [
    'authorize returns a visitor that is no text',
    { authorize: () => ({ input: create.input, visitor: 5 as never }) },
    'not-sent',
    0,
  ],
  [
    'authorize returns an empty visitor',
    { authorize: () => ({ input: create.input, visitor: '' }) },
    'not-sent',
    0,
  ],
  ['output throws', { output: { 'tags.create': fail } }, 'done', 1],
  ['output rejects', { output: { 'tags.create': async () => fail() } }, 'done', 1],
  ['output returns what JSON cannot hold', { output: { 'tags.create': () => 5n } }, 'done', 1],
  ['the store cannot be read', { dedupe: { store: { ...unused, get: fail } } }, 'not-sent', 0],
  [
    'the store returns another text',
    { dedupe: { store: { ...unused, get: () => 'PRIVATE' } } },
    'not-sent',
    0,
  ],
  ['the store cannot be written', { dedupe: { store: { ...unused, set: fail } } }, 'not-sent', 0],
  [
    'the store cannot be written afterwards',
    { dedupe: { store: { ...unused, set: (_id, _value, { ifAbsent }) => ifAbsent || fail() } } },
    'done',
    1,
  ],
])('responds 500 without details where %s, and reports it once', async (_, options, outcome, requests) => {
  const result = await attempt(options);
  expect(result).toMatchObject({ status: 500, requests });
  expect(result.error).toMatchObject({ name: 'ServerError', message: 'The server failed.', outcome });
  expect(result.onError).toHaveBeenCalledExactlyOnceWith(expect.any(Error), 'tags.create');
});

test('reports an unknown outcome where the call failed and the store cannot be written afterwards', async () => {
  const sandbox = createSandbox();
  sandbox.fail('*', { status: 500 });
  const set: DedupeStore['set'] = (_id, _value, { ifAbsent }) => ifAbsent || fail();
  const { send } = makePage(
    { allow: ['tags.create'], dedupe: { store: { ...unused, set } }, onError: () => {} },
    sandbox,
  );
  const { status, body } = await readReply(await send(create, { headers: callId }));
  expect(status).toBe(500);
  expect(body.error).toMatchObject({ message: 'The server failed.', outcome: 'unknown' });
});

test('reports to onError what a function threw, as it is', async () => {
  const { onError } = await attempt({ authorize: fail });
  expect(onError.mock.calls[0]?.[0]).toBe(failure);
});

test.each<[string, Partial<ProxyOptions>, string]>([
  [
    'a visitor that is no text',
    { authorize: () => ({ input: create.input, visitor: 5 as never }) },
    'authorize must return visitor as text that is not empty.',
  ],
  [
    'another value of the store',
    { dedupe: { store: { ...unused, get: () => '{}' } } },
    'dedupe.store.get must return what dedupe.store.set stored.',
  ],
])('reports %s to onError in words', async (_, options, message) => {
  const { onError } = await attempt(options);
  expect(onError.mock.calls[0]?.[0]).toEqual(new TypeError(message));
});

test('sends a page nothing of an error of the library that authorize throws', async () => {
  const details = { status: 404, body: 'PRIVATE', headers: new Headers(), outcome: 'refused' } as const;
  const authorize = () => Promise.reject(new NotFoundError('PRIVATE: no such list', details));
  const { status, error } = await attempt({ authorize });
  expect(status).toBe(500);
  expect(error).toEqual({
    name: 'ServerError',
    message: 'The server failed.',
    outcome: 'not-sent',
    status: 500,
  });
});

test('counts an input of authorize that is not valid as a failure of the server', async () => {
  const authorize = () => ({ input: { name: 5, owner: 'PRIVATE' } });
  const { status, error, onError, requests } = await attempt({ authorize });
  expect(status).toBe(500);
  expect(error).toMatchObject({ name: 'ServerError', outcome: 'not-sent' });
  expect(error.issues).toBeUndefined();
  expect(requests).toBe(0);
  expect(onError.mock.calls[0]?.[0]).toMatchObject({ name: 'InvalidRequestError' });
});

test.each<[string, () => unknown]>([
  ['throws', fail],
  ['rejects', async () => fail()],
  ['hangs', () => new Promise(() => {})],
])('responds all the same where onError %s', async (_, onError) => {
  expect((await attempt({ authorize: fail, onError })).status).toBe(500);
});

test('reports to the console by default', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  await attempt({ authorize: fail, onError: undefined });
  expect(log).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('tags.create'), failure);
});
