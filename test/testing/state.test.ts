import { expect, expectTypeOf, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';
import { memoryInUse } from '../support/memory.ts';
import { legacy, rest } from './http.ts';

const suffix = 'A1b2C3d4E5f6G7h8I9j0K1';

test('a counted seed is the same on every run', () => {
  const seed = { contacts: 50, lists: 3, tags: 3, domains: 1, senders: 2, templates: 1, campaigns: 1 };
  const [first, second] = [createSandbox({ seed }), createSandbox({ seed })];
  expect(first.state.contacts.all).toEqual(second.state.contacts.all);
  expect(new Set(first.state.contacts.all.map(contact => contact.id)).size).toBe(50);
});

test('a contact takes about a kilobyte, beside another sandbox too', () => {
  const other = createSandbox({ seed: { contacts: 1 } });
  const before = memoryInUse();
  const { state } = createSandbox({ seed: { contacts: 20_000 } });
  expect((memoryInUse() - before) / state.contacts.size).toBeLessThan(1500);
  expect(other.state.contacts.size).toBe(1);
});

test('a counted seed numbers its records', () => {
  const nameless = ['contacts', 'events', 'tagChanges'];
  const kinds = Object.keys(createSandbox().state).filter(kind => !nameless.includes(kind)) as 'tags'[];
  const { state } = createSandbox({
    seed: Object.fromEntries([...kinds, 'contacts'].map(kind => [kind, 2])),
  });
  for (const kind of kinds) {
    const names = state[kind].all.map(({ name }) => name);
    expect(names, kind).toEqual([expect.stringMatching(/1\b/), names[0]?.replace('1', '2')]);
  }
  expect([state.tags.all[1]?.name, state.domains.all[1]?.name]).toEqual(['tag-2', 'mail2.example.com']);
  expect(state.campaigns.all.map(campaign => campaign.state)).toEqual(['draft', 'scheduled']);
  expect(state.senders.all).toMatchObject([
    { email: 'sender1@example.com', isWhitelisted: true },
    { email: 'sender2@example.com', isWhitelisted: false },
  ]);
  expect(state.contacts.all[1]?.email).toBe('person2@example.com');
});

test('contacts by number vary in each field that a dashboard shows', () => {
  const { state, ...sandbox } = createSandbox({ seed: { contacts: 300 } });
  const contacts = state.contacts.all;
  const share = (is: (contact: (typeof contacts)[number]) => unknown) => contacts.filter(is).length / 300;
  for (const flag of ['unsubscribed', 'bounced', 'spam', 'blocked', 'dropped'] as const)
    expect(
      share(contact => contact[flag]),
      flag,
    ).toSatisfy(found => found > 0 && found < 0.1);
  const texts = ['company', 'birthday', 'ltv', 'trackData', 'pageSource', 'lastTrackedIp'] as const;
  const lengths = ['tags', 'lists', 'customFields'] as const;
  const filled = [
    ...texts.map(field => share(contact => contact[field])),
    ...lengths.map(field => share(contact => Object.keys(contact[field]).length > 0)),
  ];
  for (const found of filled) expect(found).toSatisfy(found => found > 0.2 && found < 0.95);
  expect(new Set(contacts.map(({ contactSource }) => contactSource))).toEqual(new Set([1, 2, 3, 4]));
  for (const collection of [state.tags, state.lists, state.customFields])
    expect(collection.size).toBeGreaterThan(1);
  const months = contacts.map(({ created }) => created.slice(0, 7));
  expect([months[0], months.at(-1), new Set(months).size]).toEqual(['2024-01', '2025-12', 24]);
  expect(months).toEqual(months.toSorted());
  expect(contacts.every(({ created, updated }) => updated >= created)).toBe(true);
  sandbox.restore(sandbox.snapshot());
});

test('few contacts can all be mailed, and have the tags, lists and custom fields of the seed', () => {
  const none = { tags: [], lists: [], customFields: [] };
  const own = {
    tags: 1,
    lists: [{ name: 'News' }],
    customFields: [{ name: 'points', type: 'number' }],
  } as const;
  for (const [kinds, size] of [
    [none, 0],
    [own, 1],
  ] as const) {
    const { state } = createSandbox({ seed: { contacts: 11, ...kinds } });
    expect([state.tags.size, state.lists.size, state.customFields.size]).toEqual([size, size, size]);
    expect(state.contacts.filter({ unsubscribed: false, bounced: false, blocked: false })).toHaveLength(11);
    const values = state.contacts.all.flatMap(({ customFields }) => Object.values(customFields));
    expect([values.length > 0, values.every(value => /^\d+$/.test(value))]).toEqual([size > 0, true]);
  }
});

test('an event that is added has the time of the clock, in Unix seconds', () => {
  const { state } = createSandbox({ now: () => new Date('2025-06-01T00:00:00.900Z') });
  const defaults = { identifier: '', contact: '', data: {}, time: 1_748_736_000 };
  expect(state.events.add({ name: 'a' })).toEqual({ id: state.events.all[0]?.id, name: 'a', ...defaults });
});
test('the state can be read and changed while the sandbox serves', async () => {
  const { state, ...sandbox } = createSandbox();
  const contact = state.contacts.add({ email: 'a@x.test' });
  contact.unsubscribed = true;
  state.contacts.update(contact, { email: 'b@x.test' });
  expect([state.contacts.named('a@x.test'), state.contacts.named('B@x.test')]).toEqual([undefined, contact]);
  expectTypeOf(contact.ltv).toEqualTypeOf<number>();
  expect((await rest({ state, ...sandbox }, 'GET /contact')).body).toMatchObject([
    { email: 'b@x.test', unsubscribed: true },
  ]);
  expect(state.contacts.find({ unsubscribed: true })).toBe(contact);
  expect(state.contacts.filter({ unsubscribed: false })).toEqual([]);
  expect(state.contacts.delete(contact.id)).toBe(true);
  expect(state.contacts.delete(contact.id)).toBe(false);
  expect(state.contacts.delete('a@x.test')).toBe(false);
  expect([...state.contacts]).toEqual([]);
});

test('records are found by value, and contacts by the names of their tags', () => {
  const { contacts, tags } = createSandbox({
    seed: {
      contacts: [
        { email: 'a@x.test', tags: ['vip', 'new'], customFields: { plan: 'pro' } },
        { email: 'b@x.test', tags: ['vip'] },
      ],
    },
  }).state;
  const [ada, bob] = contacts.all;
  expect(contacts.find({ tags: [...(bob?.tags ?? [])] })).toBe(bob);
  expect(contacts.find({ tags: [] })).toBeUndefined();
  expect(contacts.find({ customFields: { ...ada?.customFields } })).toBe(ada);
  expect(contacts.filter({ tagNames: ['vip', 'new'] })).toEqual([ada]);
  expect([ada?.tagNames, bob?.tagNames]).toEqual([['vip', 'new'], ['vip']]);
  tags.update(tags.named('vip') ?? expect.fail(), { name: 'VIP' });
  expect(bob?.tagNames).toEqual(['VIP']);
  expect(JSON.stringify(contacts.all)).not.toContain('tagNames');
  // @ts-expect-error Tags are set by `tags`.
  expect(() => contacts.add({ email: 'c@x.test', tagNames: ['vip'] })).toThrow('unknown field of a contact');
});

test('a snapshot is a deep copy, which restore brings back, again and again', async () => {
  const contact = { email: 'a@x.test', tags: ['vip'], customFields: { plan: 'pro' } };
  const sandbox = createSandbox({ seed: { contacts: [contact], domains: 1 } });
  const snapshot = sandbox.snapshot();
  const before = structuredClone(snapshot);
  const changes = { newEmail: 'b@x.test', tags: ['x'], customFields: { plan: 'free', k: '1' } };
  for (const _ of [1, 2]) {
    await legacy(sandbox, 'POST /contact/identify', { email: 'a@x.test', ...changes });
    await rest(sandbox, 'POST /domain', { name: 'new.example.com' });
    const { tags } = sandbox.state.contacts.all[0] ?? expect.fail();
    (tags as string[]).push('tag');
    expect(snapshot).toEqual(before);
    sandbox.restore(snapshot);
    expect(sandbox.snapshot()).toEqual(before);
    expect(sandbox.state.contacts.named('b@x.test')).toBeUndefined();
  }
});

test('a restore accepts whatever the service has stored', async () => {
  const sandbox = createSandbox({ seed: { customFields: [{ name: 'size', type: 'string' }] } });
  const customFields = { points: '++5', size: 'XL', '<b>': '' };
  await legacy(sandbox, 'POST /contact/identify', { email: 'a@x.test', tags: ['<b>'], customFields });
  await rest(sandbox, 'POST /events/custom', { name: 'a', identifier: 'nobody' });
  sandbox.state.customFields.update(sandbox.state.customFields.named('size') ?? expect.fail(), {
    type: 'number',
  });
  const snapshot = sandbox.snapshot();
  sandbox.reset();
  sandbox.restore(snapshot);
  expect(sandbox.snapshot()).toEqual(snapshot);
});

test('an id is never drawn again after a reset or a restore', async () => {
  const again = createSandbox({ seed: { tags: 2 } });
  const idsOf = async (name: string) => {
    await rest(again, 'POST /tag', { name });
    return again.state.tags.all.map(({ id }) => id);
  };
  const before = await idsOf('a');
  again.reset();
  const after = await idsOf('b');
  expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
  expect(after[2]).not.toBe(before[2]);
  const first = createSandbox();
  await rest(first, 'POST /tag', { name: 'first' });
  await legacy(first, 'POST /contact/identify', { email: 'ada@x.test', tags: ['first'] });
  const second = createSandbox();
  second.restore(first.snapshot());
  for (const name of ['second', 'third']) await rest(second, 'POST /tag', { name });
  expect(new Set(second.state.tags.all.map(({ id }) => id)).size).toBe(3);
  expect(second.state.contacts.named('ada@x.test')?.tagNames).toEqual(['first']);
  const snapshot = first.snapshot();
  first.reset();
  first.restore(snapshot);
  await rest(first, 'POST /tag', { name: 'second' });
  expect(new Set(first.state.tags.all.map(({ id }) => id)).size).toBe(2);
});

test.each(['delete', 'clear'] as const)('no record refers to one that %s removed', async way => {
  const { state, ...sandbox } = createSandbox({
    seed: {
      contacts: [{ email: 'a@x.test', tags: ['vip'], lists: ['News'], customFields: { plan: 'pro' } }],
      templates: [{ name: 'May' }],
      campaigns: [{ template: 'May' }],
    },
  });
  for (const kind of ['tags', 'lists', 'customFields', 'templates'] as const)
    way === 'clear' ? state[kind].clear() : state[kind].delete(state[kind].all[0]?.id ?? '');
  const [contact] = state.contacts.all;
  expect([contact?.tagNames, contact?.lists, contact?.customFields]).toEqual([[], [], {}]);
  expect(state.campaigns.all[0]?.template).toBe('');
  const { body } = await legacy({ state, ...sandbox }, 'POST /contact/identify', { email: 'a@x.test' });
  expect(body).toMatchObject({ data: { tags: [] } });
});

test('reset restores the seed and its ids, and clears the request log and the faults', async () => {
  const sandbox = createSandbox({ seed: { contacts: 2 } });
  const { state, requests } = sandbox;
  const before = sandbox.snapshot();
  sandbox.fail('*');
  await rest(sandbox, 'POST /tag', { name: 'a' });
  sandbox.clearFaults();
  await rest(sandbox, 'POST /tag', { name: 'a' });
  sandbox.fail('*');
  sandbox.reset();
  expect(sandbox.snapshot()).toEqual(before);
  expect([state.contacts.size, requests.length, sandbox.faults()]).toEqual([2, 0, []]);
  expect((await rest(sandbox, 'GET /sender')).status).toBe(200);
  expect(requests[0]?.number).toBe(1);
});

test('reset restores a sandbox of a snapshot, with every kind of record, and the ids of records that had none', async () => {
  const first = createSandbox({ seed: { contacts: 3, domains: 1 } });
  await rest(first, 'POST /events/custom', { name: 'a', identifier: 'x' });
  const file = JSON.parse(JSON.stringify({ ...first.snapshot(), senders: [{ name: 'Ada' }] }));
  const sandbox = createSandbox({ snapshot: file });
  const before = sandbox.snapshot();
  expect(before).toMatchObject(file);
  sandbox.state.contacts.clear();
  await rest(sandbox, 'POST /tag', { name: 'a' });
  sandbox.reset();
  expect(sandbox.snapshot()).toEqual(before);
});

test('a snapshot holds every kind of record and every digit as JSON, and restore reads it', async () => {
  const domains = [{ name: 'x.test', created: 1_766_394_250_613_907_001n }];
  const kinds = { lists: 2, tags: 2, domains, senders: 1, postTags: 1, postCategories: 1 };
  const seed = { contacts: 3, ...kinds, templates: 1, campaigns: 1, customFields: [{ name: 'plan' }] };
  const sandbox = createSandbox({ seed });
  await rest(sandbox, 'POST /events/custom', { name: 'a', identifier: 'x', data: { k: 'v' } });
  const snapshot = JSON.parse(JSON.stringify(sandbox.snapshot()));
  const other = createSandbox({ seed: { contacts: 50 } });
  other.restore(snapshot);
  expect(other.state.domains.all).toMatchObject(domains);
  expect(other.snapshot()).toEqual(sandbox.snapshot());
});

test.each([
  ['{"contacts":[{"email":5}]}', 'contacts[0]: email must be an email address'],
  [
    '{"contacts":[{"email":"a@x.test"},{"email":"A@x.test"}]}',
    'contacts[1]: another contact already has this email',
  ],
  [
    `{"contacts":[{"email":"a@x.test","tags":["${suffix}"]}],"tags":[{"id":"tag_${suffix}","name":"a"}]}`,
    `contacts[0]: tags: no tag has the id "${suffix}"`,
  ],
  [
    '{"templates":[{"name":"May"}],"campaigns":[{"template":"May"}]}',
    'campaigns[0]: template: no template has the id "May"',
  ],
])('restore rejects %j, and keeps the state', (text, message) => {
  const sandbox = createSandbox({ seed: { tags: 1 } });
  const snapshot = { ...createSandbox().snapshot(), ...JSON.parse(text) };
  expect(() => sandbox.restore(snapshot)).toThrow(message);
  expect(sandbox.state.tags.size).toBe(1);
});

test.each<[snapshot: unknown, message: string]>([
  ...[{}, null, 'state', []].map((value): [unknown, string] => [
    value,
    'a snapshot must be an object with records by kind',
  ]),
  [{ contacts: 5 }, 'contacts must be an array of records (got number)'],
  [{ contacts: [], segments: [] }, 'unknown kind of record "segments"; valid: contacts, lists, '],
  [
    { ...createSandbox().snapshot(), version: 2 },
    'unknown kind of record "version"; valid: contacts, lists, ',
  ],
  [{ contacts: [{ email: 'a@x.test', phone: '1' }] }, 'contacts[0]: unknown field of a contact "phone"'],
])('restore throws for %o, and keeps the state', (snapshot, message) => {
  const sandbox = createSandbox({ seed: { contacts: 1 } });
  const before = sandbox.snapshot();
  expect(() => sandbox.restore(snapshot as never)).toThrow(message);
  expect(sandbox.snapshot()).toEqual(before);
});

test('restore takes a snapshot of before a kind of record existed', () => {
  const sandbox = createSandbox({ seed: { contacts: 1, domains: 1 } });
  const { domains: _, ...earlier } = createSandbox({ seed: { tags: [{ name: 'vip' }] } }).snapshot();
  sandbox.restore(earlier);
  expect(sandbox.state.tags.named('vip')).toBeDefined();
  expect([sandbox.state.contacts.size, sandbox.state.domains.size]).toEqual([0, 0]);
});

test('update throws for what is not a record of the state, and changes nothing', () => {
  const { contacts } = createSandbox({ seed: { contacts: 1 } }).state;
  expect(() => contacts.update(structuredClone(contacts.all[0]) as never, { firstName: 'Grace' })).toThrow(
    'update requires a record of the state',
  );
});

test('a campaign refers to a template that exists, by name or id', () => {
  const withTemplate = (template: string) =>
    createSandbox({ seed: { templates: [{ name: 'May' }], campaigns: [{ template }] } });
  const message = 'seed.campaigns[0]: template: no template has the name or id "Mai"';
  expect(() => withTemplate('Mai')).toThrow(message);
  const { campaigns, templates } = withTemplate('May').state;
  const template = templates.named('May')?.id ?? '';
  expect(campaigns.update([...campaigns][0] ?? expect.fail(), { template })).toMatchObject({ template });
});
