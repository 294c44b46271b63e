// Endpoints and their errors: rules 8.1 to 12.3 of docs/service-rules.md.
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';
import { rows } from '../endpoints.ts';
import { fieldsOf, legacy, outcome, rest, send } from './http.ts';

const idOf = (body: unknown) => (body as { id: string }).id;
const nameUsed = { status: 'error', message: 'resource with this name already exists' };
const notFound = { status: 'error', message: 'resource not found' };
const refused = (message: string) => ({ status: 'error', message });
const deleted = (kind: string) => ({ status: 'success', message: `${kind} was deleted` });

describe('a name', () => {
  test.each(rows.filter(({ name }) => name.endsWith('.create')))(
    'in $name is unique for domains and tags, and for no other kind',
    async ({ name, method, path, authentication, body }) => {
      const sandbox = createSandbox();
      const create = () =>
        send(sandbox, method, path, { [authentication]: sandbox.apiKey }, JSON.parse(`${body}`));
      expect((await create()).status).toBe(200);
      const isUnique = ['domains.create', 'tags.create'].includes(name);
      expect(outcome(await create())).toEqual(isUnique ? [409, nameUsed] : [200, expect.anything()]);
    },
  );
});

describe('DELETE /list', () => {
  test('hides the list and keeps its contacts and data', async () => {
    const sandbox = createSandbox({ seed: { contacts: [{ email: 'a@x.test', lists: ['News'] }] } });
    const id = idOf(((await rest(sandbox, 'GET /list')).body as unknown[])[0]);
    expect((await rest(sandbox, `DELETE /list/${id}`)).body).toEqual(deleted('list'));
    expect((await rest(sandbox, 'GET /list')).body).toEqual([]);
    expect(fieldsOf(await rest(sandbox, 'GET /contact'), 'email')).toEqual(['a@x.test']);
    const list = sandbox.state.lists.get(id);
    expect([list?.name, list?.deleted]).toEqual(['News', true]);
    expect((await rest(sandbox, `DELETE /list/${id}`)).body).toEqual(notFound);
    expect((await rest(createSandbox(), `DELETE /list/${id}`)).body).toEqual(notFound);
  });

  test('responds 403 for a system list', async () => {
    const sandbox = createSandbox({ seed: { lists: [{ name: 'All contacts', system: true }] } });
    const id = sandbox.state.lists.all[0]?.id;
    expect(outcome(await rest(sandbox, `DELETE /list/${id}`))).toEqual([
      403,
      refused('system lists can not be deleted'),
    ]);
    expect((await rest(sandbox, 'GET /list')).body).toHaveLength(1);
  });
});

test('DELETE /tag removes the tag from its contacts, and its name is free', async () => {
  const sandbox = createSandbox({ seed: { contacts: [{ email: 'a@x.test', tags: ['vip', 'new'] }] } });
  const [vip, fresh] = sandbox.state.tags.all.map(tag => tag.id);
  expect((await rest(sandbox, `DELETE /tag/${vip}`)).body).toEqual(deleted('tag'));
  expect(fieldsOf(await rest(sandbox, 'GET /contact'), 'tags')).toEqual([[fresh]]);
  expect((await rest(sandbox, `DELETE /tag/${vip}`)).body).toEqual(notFound);
  expect((await rest(sandbox, 'POST /tag', { name: 'vip' })).status).toBe(200);
});

describe('DELETE /template/email', () => {
  const seed = {
    templates: [
      { name: 'free' },
      { name: 'system', system: true },
      { name: 'shared', shared: true },
      { name: 'active' },
      { name: 'scheduled' },
      { name: 'sending' },
      { name: 'sent' },
    ],
    campaigns: (['active', 'scheduled', 'sending', 'sent'] as const).map(state => ({
      name: state,
      state,
      template: state,
    })),
  };

  const used = 'template is used in an active or scheduled campaign';
  test.each([
    ['system', 'system and default templates can not be deleted'],
    ['shared', 'template is shared with other teams'],
    ['active', used],
    ['scheduled', used],
    ['sending', used],
  ])('responds 403 if the template or its campaign is %s', async (name, message) => {
    const sandbox = createSandbox({ seed });
    const response = await rest(sandbox, `DELETE /template/email/${sandbox.state.templates.named(name)?.id}`);
    expect(outcome(response)).toEqual([403, refused(message)]);
    expect(sandbox.state.templates.named(name)).toBeDefined();
  });

  test.each(['free', 'sent'])('deletes the template if it or its campaign is %s', async name => {
    const sandbox = createSandbox({ seed });
    const id = sandbox.state.templates.named(name)?.id;
    expect((await rest(sandbox, `DELETE /template/email/${id}`)).body).toEqual(deleted('template'));
    expect((await rest(sandbox, `DELETE /template/email/${id}`)).body).toEqual(notFound);
  });
});

describe('DELETE /campaign', () => {
  test.each([
    ['sent', false],
    ['sending', false],
    ['scheduled', false],
    ['archived', true],
    ['draft', true],
  ] as const)('can delete a campaign in the state %s: %s', async (state, can) => {
    const sandbox = createSandbox({ seed: { campaigns: [{ name: 'c', state }] } });
    const { body } = await rest(sandbox, `DELETE /campaign/${sandbox.state.campaigns.all[0]?.id}`);
    expect(body).toEqual(can ? deleted('campaign') : refused(`a ${state} campaign can not be deleted`));
    expect(sandbox.state.campaigns.size).toBe(can ? 0 : 1);
  });

  test('an unknown campaign is not found', async () => {
    const path = 'DELETE /campaign/campaign_ABCDEFGHIJKLMNOPQRSTUV';
    expect((await rest(createSandbox(), path)).body).toEqual(notFound);
  });
});

describe('POST /events/custom', () => {
  const seed = { contacts: [{ email: 'ada@x.test' }] };

  test('records an event by contact id or by email', async () => {
    const sandbox = createSandbox({ seed });
    const contact = sandbox.state.contacts.all[0]?.id ?? '';
    const event = { name: 'bought', data: { plan: 'pro' }, time: 1_700_000_000 };
    const success = { status: 'success', message: 'event tracked' };
    for (const identifier of [contact, 'ada@x.test'])
      expect((await rest(sandbox, 'POST /events/custom', { ...event, identifier })).body).toEqual(success);
    const recorded = { ...event, id: expect.stringMatching(/^event_/), contact };
    expect(sandbox.state.events.all).toEqual([
      { ...recorded, identifier: contact },
      { ...recorded, identifier: 'ada@x.test' },
    ]);
  });

  test('sets a missing `time` to the time of the request, in Unix seconds', async () => {
    const sandbox = createSandbox({ seed, now: () => new Date('2025-06-01T00:00:00.900Z') });
    await rest(sandbox, 'POST /events/custom', { name: 'a', identifier: 'ada@x.test', data: {} });
    expect(sandbox.state.events.all[0]?.time).toBe(1_748_736_000);
  });

  test.each<[object, number]>([
    [{ name: 'a', identifier: 'ada@x.test' }, 200],
    [{ name: 'a' }, 400],
    [{ identifier: 'ada@x.test' }, 400],
  ])('an event %j gets %d', async (event, status) => {
    expect((await rest(createSandbox(), 'POST /events/custom', event)).status).toBe(status);
  });

  test('records an event for an unknown contact, or responds 404 by option', async () => {
    const event = { name: 'a', identifier: 'nobody@x.test', data: {} };
    const sandbox = createSandbox();
    expect((await rest(sandbox, 'POST /events/custom', event)).status).toBe(200);
    const recorded = sandbox.state.events.all.map(({ identifier, contact }) => [identifier, contact]);
    expect(recorded).toEqual([['nobody@x.test', '']]);
    const refusing = createSandbox({ ambiguities: { eventOfUnknownContact: 'refuse' } });
    expect((await rest(refusing, 'POST /events/custom', event)).body).toEqual(notFound);
  });
});

const person = { email: 'a@x.test' };
const track = 'POST /contact/track?email=a%40x.test';

test.each<[string, string, unknown]>([
  ['not ASCII', 'POST /domain', { name: 'bücher.example' }],
  ['no dot', 'POST /domain', { name: 'localhost' }],
  ['end with one', 'POST /domain', { name: 'x.com.' }],
  ['begin with `*.`', 'POST /domain', { name: '*.x.com' }],
  ['blank names', 'POST /tag', { name: '   ' }],
  ['blank names', 'POST /events/custom', { name: '   ', identifier: 'a@x.test', data: {} }],
  ['blank names', 'POST /contact/identify', { ...person, tags: [' '] }],
  ['blank keys of `customFields`', 'POST /contact/identify', { ...person, customFields: { '': 'a' } }],
  ['and `data`', 'POST /events/custom', { name: 'a', identifier: 'a@x.test', data: { ' ': 'a' } }],
  ['emails with white space', 'POST /contact/identify', { email: 'a b@x.test' }],
  ['`@` between two parts', 'POST /contact/identify', { email: '@x.test' }],
  ['`birthday` that does not exist', 'POST /contact/identify', { ...person, birthday: '2025-02-30' }],
  ['`DELETE /list/{identifier}` that is not', 'DELETE /list/A1b2C3d4E5f6G7h8I9j0K1', '[]'],
])('the sandbox is stricter than the service may be: %s, %s %j', async (_, request, body) => {
  const call = request.startsWith('POST /contact') ? legacy : rest;
  expect((await call(createSandbox(), request, body)).status).toBe(400);
});

test.each<[string, string, unknown]>([
  ['not documented, which it ignores', 'POST /tag', { name: 'a', colour: 'red' }],
  ['query parameters that are not documented', 'GET /sender?page=2', undefined],
  ['without `addTags`', track, { removeTags: ['a'] }],
  ['without `removeTags`', track, { addTags: ['a'] }],
  ['without both', track, {}],
  ['before 1970', 'POST /events/custom', { name: 'a', identifier: 'b', data: {}, time: -1 }],
  ['without `data`', 'POST /events/custom', { name: 'a', identifier: 'b' }],
  ['any length', 'POST /tag', { name: 'a'.repeat(100_000) }],
])('the sandbox is less strict than the service may be: %s, %s %j', async (_, request, body) => {
  const call = request.startsWith('POST /contact') ? legacy : rest;
  expect((await call(createSandbox({ seed: { contacts: [person] } }), request, body)).status).toBe(200);
});
