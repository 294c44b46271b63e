// Endpoints and their errors: rules 8.1 to 12.3 of docs/service.md.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../src/testing/index.ts';
import { published, schemaChecks } from '../openapi/published.ts';
import { legacy, rest } from './http.ts';

const idOf = (body: unknown) => (body as { id: string }).id;
const nameUsed = { status: 'error', message: 'resource with this name already exists' };
const notFound = { status: 'error', message: 'resource not found' };
const refused = { status: 'error', message: expect.any(String) };
const deleted = { status: 'success', message: expect.stringContaining('deleted') };

describe('a name', () => {
  test.each(['/domain', '/tag'])('that is in use is an error of POST %s', async path => {
    const sandbox = createSandbox();
    const body = { name: 'vip.example.com' };
    await rest(sandbox, `POST ${path}`, body);
    expect(await rest(sandbox, `POST ${path}`, body)).toMatchObject({ status: 409, body: nameUsed });
  });

  test.each(['/list', '/post/category'])('that is in use is accepted by POST %s', async path => {
    const sandbox = createSandbox();
    const first = await rest(sandbox, `POST ${path}`, { name: 'a' });
    const second = await rest(sandbox, `POST ${path}`, { name: 'a' });
    expect(idOf(second.body)).not.toBe(idOf(first.body));
  });

  test('is unique among the kinds in uniqueNames only, and free once its list is deleted', async () => {
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

  test('is free once its tag is deleted', async () => {
    const sandbox = createSandbox();
    const { body } = await rest(sandbox, 'POST /tag', { name: 'vip' });
    await rest(sandbox, `DELETE /tag/${idOf(body)}`);
    expect((await rest(sandbox, 'POST /tag', { name: 'vip' })).body).toMatchObject({ name: 'vip' });
  });
});

describe('DELETE /list', () => {
  test('hides the list and keeps its contacts and data', async () => {
    const sandbox = createSandbox({ seed: { contacts: [{ email: 'a@x.test', lists: ['News'] }] } });
    const id = idOf(((await rest(sandbox, 'GET /list')).body as unknown[])[0]);
    expect((await rest(sandbox, `DELETE /list/${id}`)).body).toEqual(deleted);
    expect((await rest(sandbox, 'GET /list')).body).toEqual([]);
    expect((await rest(sandbox, 'GET /contact')).body).toMatchObject([{ email: 'a@x.test' }]);
    expect(sandbox.state.lists.get(id)).toMatchObject({ name: 'News', deleted: true });
    expect((await rest(sandbox, `DELETE /list/${id}`)).body).toEqual(notFound);
  });

  test('responds 403 for a system list', async () => {
    const sandbox = createSandbox({ seed: { lists: [{ name: 'All contacts', system: true }] } });
    const id = sandbox.state.lists.all[0]?.id;
    expect(await rest(sandbox, `DELETE /list/${id}`)).toMatchObject({ status: 403, body: refused });
    expect((await rest(sandbox, 'GET /list')).body).toHaveLength(1);
  });
});

test('DELETE /tag removes the tag from its contacts', async () => {
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
    'responds 403 if the template or its campaign is %s',
    async name => {
      const sandbox = createSandbox({ seed });
      const response = await rest(
        sandbox,
        `DELETE /template/email/${sandbox.state.templates.named(name)?.id}`,
      );
      expect(response).toMatchObject({ status: 403, body: refused });
      expect(sandbox.state.templates.named(name)).toBeDefined();
    },
  );

  test.each(['free', 'sent'])('deletes the template if it or its campaign is %s', async name => {
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
  ] as const)('can delete a campaign in the state %s: %s', async (state, can) => {
    const sandbox = createSandbox({ seed: { campaigns: [{ name: 'c', state }] } });
    const { body } = await rest(sandbox, `DELETE /campaign/${sandbox.state.campaigns.all[0]?.id}`);
    expect(body).toEqual(can ? deleted : refused);
    expect(sandbox.state.campaigns.size).toBe(can ? 0 : 1);
  });

  test.each([
    ['refuse', notFound],
    ['succeed', deleted],
  ] as const)('with unknownCampaign %s, an unknown campaign gets %j', async (unknownCampaign, body) => {
    const sandbox = createSandbox({ ambiguities: { unknownCampaign } });
    const path = 'DELETE /campaign/campaign_ABCDEFGHIJKLMNOPQRSTUV';
    expect((await rest(sandbox, path)).body).toEqual(body);
  });
});

describe('POST /events/custom', () => {
  const seed = { contacts: [{ email: 'ada@x.test' }] };

  test('records an event by contact id or by email', async () => {
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

  test('sets a missing `time` to the time of the request, in Unix seconds', async () => {
    const sandbox = createSandbox({ seed, now: () => new Date('2025-06-01T00:00:00.900Z') });
    await rest(sandbox, 'POST /events/custom', { name: 'a', identifier: 'ada@x.test', data: {} });
    expect(sandbox.state.events.all[0]?.time).toBe(1_748_736_000);
  });

  test.each<[SandboxOptions['ambiguities'], object, number]>([
    [{}, { name: 'a', identifier: 'ada@x.test' }, 200],
    [{}, { name: 'a' }, 400],
    [{ eventRequires: ['name', 'identifier', 'data'] }, { name: 'a', identifier: 'ada@x.test' }, 400],
    [{ eventRequires: [] }, {}, 200],
  ])('with the options %j, an event %j gets %d', async (ambiguities, event, status) => {
    expect((await rest(createSandbox({ ambiguities }), 'POST /events/custom', event)).status).toBe(status);
  });

  test('records an event for an unknown contact, or responds 404 by option', async () => {
    const event = { name: 'a', identifier: 'nobody@x.test', data: {} };
    const sandbox = createSandbox();
    expect((await rest(sandbox, 'POST /events/custom', event)).status).toBe(200);
    expect(sandbox.state.events.all).toMatchObject([{ identifier: 'nobody@x.test', contact: '' }]);
    const refusing = createSandbox({ ambiguities: { eventOfUnknownContact: 'refuse' } });
    expect((await rest(refusing, 'POST /events/custom', event)).body).toEqual(notFound);
  });

  test.each([
    { time: '1' },
    { time: 1.5 },
    { time: null },
    { data: { a: 1 } },
    { data: { '': 'a' } },
    { data: [] },
    { name: '' },
    { name: 3 },
  ])('responds 400 to an event with %j', async wrong => {
    const event = { name: 'a', identifier: 'ada@x.test', data: {}, ...wrong };
    expect((await rest(createSandbox(), 'POST /events/custom', event)).body).toEqual({
      status: 'error',
      message: 'request body not in proper format',
    });
  });
});

const guide = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8');
const check = schemaChecks(published().document);

/** Whether a schema of the OpenAPI document accepts a value. */
const documentAccepts = (schema: string, body: unknown) =>
  check({ $ref: `#/components/schemas/${schema}` }, body) === '';

test.each([
  ['CreateDomainParams', 'POST /domain', { name: 'bücher.example' }],
  ['CreateDomainParams', 'POST /domain', { name: 'localhost' }],
  ['CreateTagParams', 'POST /tag', { name: '   ' }],
  ['CreateListParams', 'POST /list', { name: '   ' }],
  ['CreatePostCategoryParams', 'POST /post/category', { name: '   ' }],
  ['RecordEventParams', 'POST /events/custom', { name: '   ', identifier: 'a@x.test', data: {} }],
])('the schema %s accepts a body to which %s responds 400: %j', async (schema, request, body) => {
  expect(documentAccepts(schema, body)).toBe(true);
  expect((await rest(createSandbox(), request, body)).status).toBe(400);
});

test('the schema of Identify accepts text in a number field, to which the sandbox responds 400', async () => {
  const body = { email: 'a@x.test', customFields: { points: 'many' } };
  expect(documentAccepts('IdentifyParams', body)).toBe(true);
  const sandbox = createSandbox({ seed: { customFields: [{ name: 'points', type: 'number' }] } });
  expect((await legacy(sandbox, 'POST /contact/identify', body)).status).toBe(400);
});

test('the guide lists where the sandbox is stricter than the document', () => {
  const section = guide.split('\n## ').find(part => part.startsWith('Stricter than its OpenAPI document'));
  for (const words of ['ASCII', 'blank', 'number field']) expect(section).toContain(words);
});
