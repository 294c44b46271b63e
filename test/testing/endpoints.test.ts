// Endpoints and their errors: rules 8.1 to 13.2 of docs/service-rules.md.
import { expect, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';
import { rows } from '../endpoints.ts';
import { fieldsOf, legacy, outcome, rest, send } from './http.ts';

const nameUsed = { status: 'error', message: 'resource with this name already exists' };
const notFound = { status: 'error', message: 'resource not found' };
const refused = (message: string) => [403, { status: 'error', message }];
const deleted = (kind: string) => [200, { status: 'success', message: `${kind} was deleted` }];

test.each(rows.filter(({ name }) => name.endsWith('.create')))(
  'names in $name are unique only for domains and tags',
  async ({ name, method, path, authentication, body }) => {
    const sandbox = createSandbox();
    const create = () =>
      send(sandbox, method, path, { [authentication]: sandbox.apiKey }, JSON.parse(`${body}`));
    expect((await create()).status).toBe(200);
    const isUnique = ['domains.create', 'tags.create'].includes(name);
    expect(outcome(await create())).toEqual(isUnique ? [409, nameUsed] : [200, expect.anything()]);
  },
);

test('DELETE /list hides the list, and keeps its contacts and data', async () => {
  const sandbox = createSandbox({ seed: { contacts: [{ email: 'a@x.test', lists: ['News'] }] } });
  const [id] = fieldsOf(await rest(sandbox, 'GET /list'), 'id');
  expect(outcome(await rest(sandbox, `DELETE /list/${id}`))).toEqual(deleted('list'));
  expect((await rest(sandbox, 'GET /list')).body).toEqual([]);
  expect(fieldsOf(await rest(sandbox, 'GET /contact'), 'lists')).toEqual([[id]]);
  expect(sandbox.state.lists.get(`${id}`)).toMatchObject({ name: 'News', deleted: true });
  for (const other of [sandbox, createSandbox()])
    expect(outcome(await rest(other, `DELETE /list/${id}`))).toEqual([404, notFound]);
});

test('DELETE /tag removes the tag from its contacts, and its name can be used again', async () => {
  const sandbox = createSandbox({ seed: { contacts: [{ email: 'a@x.test', tags: ['vip', 'new'] }] } });
  const [vip, fresh] = sandbox.state.tags.all.map(tag => tag.id);
  expect(outcome(await rest(sandbox, `DELETE /tag/${vip}`))).toEqual(deleted('tag'));
  expect(fieldsOf(await rest(sandbox, 'GET /contact'), 'tags')).toEqual([[fresh]]);
  expect(outcome(await rest(sandbox, `DELETE /tag/${vip}`))).toEqual([404, notFound]);
  expect((await rest(sandbox, 'POST /tag', { name: 'vip' })).status).toBe(200);
});

const used = 'template is used in an active or scheduled campaign';
const campaigns = (['active', 'scheduled', 'sending', 'sent', 'archived', 'draft'] as const).map(state => ({
  name: state,
  state,
  template: `of campaign: ${state}`,
}));
const templates = [
  { name: 'free' },
  { name: 'system', system: true },
  { name: 'shared', shared: true },
  ...campaigns.map(({ template }) => ({ name: template })),
];

test.each([
  ['lists', 'system', 'system lists can not be deleted'],
  ['templates', 'system', 'system and default templates can not be deleted'],
  ['templates', 'shared', 'template is shared with other teams'],
  ['templates', 'of campaign: active', used],
  ['templates', 'of campaign: scheduled', used],
  ['templates', 'of campaign: sending', used],
  ['templates', 'of campaign: sent', undefined],
  ['templates', 'free', undefined],
  ['campaigns', 'sent', 'a sent campaign can not be deleted'],
  ['campaigns', 'sending', 'a sending campaign can not be deleted'],
  ['campaigns', 'scheduled', 'a scheduled campaign can not be deleted'],
  ['campaigns', 'archived', undefined],
  ['campaigns', 'draft', undefined],
] as const)('the error of a DELETE in %s that are %s is %s', async (kind, name, error) => {
  const lists = [{ name: 'system', system: true }];
  const { state, ...sandbox } = createSandbox({ seed: { lists, templates, campaigns } });
  const path = { lists: 'list', templates: 'template/email', campaigns: 'campaign' }[kind];
  const { id } = state[kind].named(name) ?? expect.fail();
  const remove = () => rest({ state, ...sandbox }, `DELETE /${path}/${id}`);
  expect(outcome(await remove())).toEqual(error ? refused(error) : deleted(kind.slice(0, -1)));
  expect(state[kind].get(id) === undefined).toBe(error === undefined);
  if (error === undefined) expect(outcome(await remove())).toEqual([404, notFound]);
});

test('POST /events/custom records an event by contact id or by email', async () => {
  const success = { status: 'success', message: 'event tracked' };
  const sandbox = createSandbox({ seed: { contacts: [{ email: 'ada@x.test' }] } });
  const contact = sandbox.state.contacts.all[0]?.id ?? '';
  const event = { name: 'bought', data: { plan: 'pro' }, time: 1_700_000_000 };
  for (const identifier of [contact, 'ada@x.test']) {
    const answer = await rest(sandbox, 'POST /events/custom', { ...event, identifier });
    expect(outcome(answer)).toEqual([200, success]);
    const id = expect.stringMatching(/^event_/);
    expect(sandbox.state.events.all.at(-1)).toEqual({ ...event, id, contact, identifier });
  }
});

test('an event without a time for an unknown contact is recorded at the time of the request, or gets 404 by option', async () => {
  const event = { name: 'a', identifier: 'nobody@x.test', data: {} };
  const sandbox = createSandbox({ now: () => new Date('2025-06-01T00:00:00.900Z') });
  expect((await rest(sandbox, 'POST /events/custom', event)).status).toBe(200);
  expect(sandbox.state.events.all).toMatchObject([{ ...event, contact: '', time: 1_748_736_000 }]);
  const refusing = createSandbox({ ambiguities: { eventOfUnknownContact: 'refuse' } });
  expect(outcome(await rest(refusing, 'POST /events/custom', event))).toEqual([404, notFound]);
});

const person = { email: 'a@x.test' };
const track = 'POST /contact/track?email=a%40x.test';
const event = { name: 'a', identifier: 'a@x.test' };

test.each<[request: string, body: unknown, status: number]>([
  ['POST /domain', { name: 'bücher.example' }, 400],
  ['POST /domain', { name: 'localhost' }, 400],
  ['POST /domain', { name: 'x.com.' }, 400],
  ['POST /domain', { name: '*.x.com' }, 400],
  ['POST /tag', { name: '   ' }, 400],
  ['POST /events/custom', { ...event, name: '   ' }, 400],
  ['POST /events/custom', { name: 'a' }, 400],
  ['POST /events/custom', { identifier: 'a' }, 400],
  ['POST /events/custom', { ...event, data: { ' ': 'a' } }, 400],
  ['POST /contact/identify', { ...person, tags: [' '] }, 400],
  ['POST /contact/identify', { ...person, customFields: { '': 'a' } }, 400],
  ['POST /contact/identify', { email: 'a b@x.test' }, 400],
  ['POST /contact/identify', { email: '@x.test' }, 400],
  ['POST /contact/identify', { ...person, birthday: '2025-02-30' }, 400],
  ['DELETE /list/A1b2C3d4E5f6G7h8I9j0K1', '[]', 400],
  ['POST /tag', { name: 'a', colour: 'red' }, 200],
  ['GET /sender?page=2', undefined, 200],
  [track, {}, 200],
  ['POST /events/custom', { ...event, data: {}, time: -1 }, 200],
  ['POST /events/custom', event, 200],
  ['POST /tag', { name: 'a'.repeat(100_000) }, 200],
])('%s with the body %j, which the documentation does not decide, gets %d', async (request, body, status) => {
  const call = request.startsWith('POST /contact') ? legacy : rest;
  expect((await call(createSandbox({ seed: { contacts: [person] } }), request, body)).status).toBe(status);
});
