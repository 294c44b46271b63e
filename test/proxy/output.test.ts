import { expect, test } from 'vitest';
import { createBrowserClient } from '../../src/browser/index.ts';
import type { OperationName } from '../../src/index.ts';
import type { ProxyOptions } from '../../src/proxy/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { rows } from '../operations.ts';
import type { NamedRow } from '../support/operation-row.ts';
import { sandboxForEveryOperation } from '../support/sandbox-seed.ts';
import { makePage } from './page.ts';

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
  const sandbox = createSandbox({ seed, trackOfUnknownContact: 'create' });
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
