// Endpoints and what they refuse: rules 8.1 to 12.3 of docs/service.md.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';
import { published, schemaChecks } from '../openapi/published.ts';
import { legacy, rest } from './http.ts';

const idOf = (body: unknown) => (body as { id: string }).id;
const nameUsed = { status: 'error', message: 'resource with this name already exists' };
const notFound = { status: 'error', message: 'resource not found' };
const refused = { status: 'error', message: expect.any(String) };
const deleted = { status: 'success', message: expect.stringContaining('deleted') };

describe('names', () => {
  test.each(['/domain', '/tag'])('POST %s responds with an error to a name that is in use', async path => {
    const sandbox = createSandbox();
    await rest(sandbox, `POST ${path}`, { name: 'vip.example.com' });
    expect(await rest(sandbox, `POST ${path}`, { name: 'vip.example.com' })).toMatchObject({
      status: 409,
      body: nameUsed,
    });
  });

  test.each(['/list', '/post/category'])('POST %s takes a name again', async path => {
    const sandbox = createSandbox();
    const [first, second] = [
      await rest(sandbox, `POST ${path}`, { name: 'a' }),
      await rest(sandbox, `POST ${path}`, { name: 'a' }),
    ];
    expect(idOf(second.body)).not.toBe(idOf(first.body));
  });

  test('names of lists and categories are unique too by option', async () => {
    const sandbox = createSandbox({ ambiguities: { uniqueNames: ['list', 'postCategory'] } });
    for (const path of ['/list', '/post/category']) {
      const { body } = await rest(sandbox, `POST ${path}`, { name: 'a' });
      expect((await rest(sandbox, `POST ${path}`, { name: 'a' })).body).toEqual(nameUsed);
      if (path === '/list') await rest(sandbox, `DELETE /list/${idOf(body)}`);
    }
    expect((await rest(sandbox, 'POST /list', { name: 'a' })).body).toMatchObject({ name: 'a' });
    expect((await rest(sandbox, 'POST /tag', { name: 'a' })).body).toMatchObject({ name: 'a' });
    expect((await rest(sandbox, 'POST /tag', { name: 'a' })).body).toMatchObject({ name: 'a' });
  });

  test('a deleted tag leaves its name free', async () => {
    const sandbox = createSandbox();
    const { body } = await rest(sandbox, 'POST /tag', { name: 'vip' });
    await rest(sandbox, `DELETE /tag/${idOf(body)}`);
    expect((await rest(sandbox, 'POST /tag', { name: 'vip' })).body).toMatchObject({ name: 'vip' });
  });
});

describe('DELETE /list', () => {
  test('is a soft delete: the list is no longer listed, and its contacts and data stay', async () => {
    const sandbox = createSandbox({ seed: { contacts: [{ email: 'a@x.test', lists: ['News'] }] } });
    const id = idOf(((await rest(sandbox, 'GET /list')).body as unknown[])[0]);
    expect((await rest(sandbox, `DELETE /list/${id}`)).body).toEqual(deleted);
    expect((await rest(sandbox, 'GET /list')).body).toEqual([]);
    expect((await rest(sandbox, 'GET /contact')).body).toMatchObject([{ email: 'a@x.test' }]);
    expect(sandbox.state.lists.get(id)).toMatchObject({ name: 'News', deleted: true });
    expect((await rest(sandbox, `DELETE /list/${id}`)).body).toEqual(notFound);
  });

  test('system lists cannot be deleted', async () => {
    const sandbox = createSandbox({ seed: { lists: [{ name: 'All contacts', system: true }] } });
    const id = sandbox.state.lists.all[0]?.id;
    expect(await rest(sandbox, `DELETE /list/${id}`)).toMatchObject({ status: 403, body: refused });
    expect((await rest(sandbox, 'GET /list')).body).toHaveLength(1);
  });
});

test('a deleted tag is removed from its contacts', async () => {
  const sandbox = createSandbox({ seed: { contacts: [{ email: 'a@x.test', tags: ['vip', 'new'] }] } });
  const [vip, fresh] = sandbox.state.tags.all.map(tag => tag.id);
  expect((await rest(sandbox, `DELETE /tag/${vip}`)).body).toEqual(deleted);
  expect((await rest(sandbox, 'GET /contact')).body).toMatchObject([{ tags: [fresh] }]);
  expect((await rest(sandbox, `DELETE /tag/${vip}`)).body).toEqual(notFound);
});

describe('DELETE /template/email', () => {
  const seed = {
    templates: [
      { name: 'free' },
      { name: 'system', system: true },
      { name: 'shared', shared: true },
      { name: 'active' },
      { name: 'scheduled' },
      { name: 'sent' },
    ],
    campaigns: (['active', 'scheduled', 'sent'] as const).map(state => ({
      name: state,
      state,
      template: state,
    })),
  };

  test.each(['system', 'shared', 'active', 'scheduled'])(
    'a template that is %s, or used so, cannot be deleted',
    async name => {
      const sandbox = createSandbox({ seed });
      const id = sandbox.state.templates.named(name)?.id;
      expect(await rest(sandbox, `DELETE /template/email/${id}`)).toMatchObject({
        status: 403,
        body: refused,
      });
      expect(sandbox.state.templates.named(name)).toBeDefined();
    },
  );

  test.each(['free', 'sent'])('a template that is %s, or used so, is deleted for good', async name => {
    const sandbox = createSandbox({ seed });
    const id = sandbox.state.templates.named(name)?.id;
    expect((await rest(sandbox, `DELETE /template/email/${id}`)).body).toEqual(deleted);
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
  ] as const)('a campaign that is %s can be deleted: %s', async (state, can) => {
    const sandbox = createSandbox({ seed: { campaigns: [{ name: 'c', state }] } });
    const { body } = await rest(sandbox, `DELETE /campaign/${sandbox.state.campaigns.all[0]?.id}`);
    expect(body).toEqual(can ? deleted : refused);
    expect(sandbox.state.campaigns.size).toBe(can ? 0 : 1);
  });

  test('a campaign that does not exist is not found, or counts as deleted by option', async () => {
    const path = 'DELETE /campaign/campaign_ABCDEFGHIJKLMNOPQRSTUV';
    expect((await rest(createSandbox(), path)).body).toEqual(notFound);
    expect((await rest(createSandbox({ ambiguities: { unknownCampaign: 'succeed' } }), path)).body).toEqual(
      deleted,
    );
  });
});

describe('POST /events/custom', () => {
  const seed = { contacts: [{ email: 'ada@x.test' }] };

  test('records an event by contact id or by email, interchangeably', async () => {
    const sandbox = createSandbox({ seed });
    const id = sandbox.state.contacts.all[0]?.id ?? '';
    for (const identifier of [id, 'ada@x.test']) {
      const event = { name: 'bought', identifier, data: { plan: 'pro' }, time: 1_700_000_000 };
      expect((await rest(sandbox, 'POST /events/custom', event)).body).toEqual({
        status: 'success',
        message: expect.stringContaining('tracked'),
      });
    }
    const recorded = { name: 'bought', contact: id, data: { plan: 'pro' }, time: 1_700_000_000 };
    expect(sandbox.state.events.all).toMatchObject([recorded, recorded]);
  });

  test('`time` defaults to the time of the request, in Unix seconds', async () => {
    const sandbox = createSandbox({ seed, now: () => new Date('2025-06-01T00:00:00.900Z') });
    await rest(sandbox, 'POST /events/custom', { name: 'a', identifier: 'ada@x.test', data: {} });
    expect(sandbox.state.events.all[0]?.time).toBe(1_748_736_000);
  });

  test('`name` and `identifier` are required, and an option changes what is', async () => {
    const strict = createSandbox({ ambiguities: { eventRequires: ['name', 'identifier', 'data'] } });
    const event = { name: 'a', identifier: 'ada@x.test' };
    expect((await rest(strict, 'POST /events/custom', event)).status).toBe(400);
    expect((await rest(createSandbox(), 'POST /events/custom', event)).status).toBe(200);
    expect((await rest(createSandbox(), 'POST /events/custom', { name: 'a' })).status).toBe(400);
    expect(
      (await rest(createSandbox({ ambiguities: { eventRequires: [] } }), 'POST /events/custom', {})).status,
    ).toBe(200);
  });

  test('an event for an unknown contact is recorded, or an error by option', async () => {
    const event = { name: 'a', identifier: 'nobody@x.test', data: {} };
    const sandbox = createSandbox();
    expect((await rest(sandbox, 'POST /events/custom', event)).status).toBe(200);
    expect(sandbox.state.events.all).toMatchObject([{ identifier: 'nobody@x.test', contact: '' }]);
    expect(
      (
        await rest(
          createSandbox({ ambiguities: { eventOfUnknownContact: 'refuse' } }),
          'POST /events/custom',
          event,
        )
      ).body,
    ).toEqual(notFound);
  });

  test.each([
    { time: '1' },
    { time: 1.5 },
    { time: null },
    { data: { a: 1 } },
    { data: [] },
    { name: '' },
    { name: 3 },
  ])('%j in an event is malformed', async wrong => {
    const event = { name: 'a', identifier: 'ada@x.test', data: {}, ...wrong };
    expect((await rest(createSandbox(), 'POST /events/custom', event)).body).toEqual({
      status: 'error',
      message: 'request body not in proper format',
    });
  });
});

const guide = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8');
const check = schemaChecks(published().document);

/** Tells whether the OpenAPI document's schema of a body accepts a value. */
const documentAccepts = (schema: string, body: unknown) =>
  check({ $ref: `#/components/schemas/${schema}` }, body) === '';

/** What the OpenAPI document accepts and the sandbox does not; docs/sandbox.md lists each. */
test.each([
  ['CreateDomainParams', 'POST /domain', { name: 'bücher.example' }],
  ['CreateDomainParams', 'POST /domain', { name: 'localhost' }],
  ['CreateTagParams', 'POST /tag', { name: '   ' }],
  ['CreateListParams', 'POST /list', { name: '   ' }],
  ['CreatePostCategoryParams', 'POST /post/category', { name: '   ' }],
  ['RecordEventParams', 'POST /events/custom', { name: '   ', identifier: 'a@x.test', data: {} }],
])('%s: the document accepts what is an error of the sandbox: %j', async (schema, request, body) => {
  expect(documentAccepts(schema, body)).toBe(true);
  expect((await rest(createSandbox(), request, body)).status).toBe(400);
});

test('text that is not a number is an error in a number field, though the document accepts it', async () => {
  const body = { email: 'a@x.test', customFields: { points: 'many' } };
  expect(documentAccepts('IdentifyParams', body)).toBe(true);
  const sandbox = createSandbox({ seed: { customFields: [{ name: 'points', type: 'number' }] } });
  expect((await legacy(sandbox, 'POST /contact/identify', body)).status).toBe(400);
});

test('the guide lists what the sandbox is stricter in', () => {
  const section =
    guide.split('\n## ').find(part => part.startsWith('Stricter than its OpenAPI document')) ?? '';
  for (const words of ['ASCII', 'blank', 'number field']) expect(section).toContain(words);
});
