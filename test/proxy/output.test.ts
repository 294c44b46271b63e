import { expect, test } from 'vitest';
import type { OperationName } from '../../src/index.ts';
import type { ProxyOptions } from '../../src/proxy/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
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

test.each<[OperationName, unknown]>([
  ['legacy.identify', { email: 'ada@example.com' }],
  ['legacy.track', { email: 'ada@example.com', addTags: ['vip'] }],
  ['events.record', { name: 'seen', identifier: 'ada@example.com' }],
  ['lists.delete', id('list')],
  ['tags.delete', id('tag')],
  ['templates.delete', id('template')],
  ['campaigns.delete', id('campaign')],
])('shows a page status and message of %s alone', async (operation, input) => {
  const data = await dataOf(operation, input);
  expect(Object.keys(data).sort()).toEqual(['message', 'status']);
});

test.each<[OperationName]>([
  ['domains.create'],
  ['lists.create'],
  ['tags.create'],
  ['postCategories.create'],
])('shows a page id and name of %s alone', async operation => {
  const data = await dataOf(operation, { name: 'new.example.com' });
  expect(data).toEqual({ id: expect.any(String), name: 'new.example.com' });
});

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
