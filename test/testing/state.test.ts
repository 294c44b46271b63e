import { expect, expectTypeOf, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';
import { legacy, rest } from './http.ts';

const suffix = 'A1b2C3d4E5f6G7h8I9j0K1';
/** A contact, and a campaign, that refer to records of every kind. */
const references = {
  contacts: [{ email: 'a@x.test', tags: ['vip'], lists: ['News'], customFields: { plan: 'pro' } }],
  templates: [{ name: 'May' }],
  campaigns: [{ template: 'May' }],
};

test('a seed by number is the same on every run, and numbers its records', () => {
  const kinds = Object.keys(createSandbox().state).filter(
    kind => !['contacts', 'events', 'tagChanges'].includes(kind),
  ) as 'tags'[];
  const seed = Object.fromEntries([...kinds, 'contacts'].map(kind => [kind, 2]));
  const { state, ...sandbox } = createSandbox({ seed });
  expect(createSandbox({ seed }).snapshot().contacts).toEqual(sandbox.snapshot().contacts);
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

test('numbered contacts vary in each field that a dashboard shows', () => {
  const { all } = createSandbox({ seed: { contacts: 300 } }).state.contacts;
  /** Share of the contacts in which a field is not empty. */
  const share = (field: keyof (typeof all)[number]) =>
    all.filter(({ [field]: value }) => (typeof value === 'object' ? Object.keys(value).length : value))
      .length / 300;
  for (const flag of ['unsubscribed', 'bounced', 'spam', 'blocked', 'dropped'] as const)
    expect(share(flag), flag).toSatisfy(found => found > 0 && found < 0.1);
  const texts = ['company', 'birthday', 'ltv', 'trackData', 'pageSource', 'lastTrackedIp'] as const;
  for (const field of [...texts, 'tags', 'lists', 'customFields'] as const)
    expect(share(field), field).toSatisfy(found => found > 0.2 && found < 0.95);
  expect(new Set(all.map(({ id }) => id)).size).toBe(300);
  expect(new Set(all.map(({ contactSource }) => contactSource))).toEqual(new Set([1, 2, 3, 4]));
  const times = all.map(({ created }) => created);
  expect(times).toEqual(times.toSorted());
  expect(all.every(({ created, updated }) => updated >= created)).toBe(true);
});

test.each([
  [{ tags: [], lists: [], customFields: [] }, 0],
  [{ tags: 1, lists: [{ name: 'News' }], customFields: [{ name: 'points', type: 'number' }] }, 1],
] as const)(
  'a few numbered contacts can all be emailed, and have only what the seed %j has',
  (kinds, size) => {
    const { state } = createSandbox({ seed: { contacts: 11, ...kinds } });
    expect([state.tags.size, state.lists.size, state.customFields.size]).toEqual([size, size, size]);
    expect(state.contacts.filter({ unsubscribed: false, bounced: false, blocked: false })).toHaveLength(11);
    const values = state.contacts.all.flatMap(({ customFields }) => Object.values(customFields));
    expect([values.length > 0, values.every(value => /^\d+$/.test(value))]).toEqual([size > 0, true]);
  },
);

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
  expect(state.contacts.delete('a@x.test')).toBe(false);
  expect(state.contacts.delete(contact.id)).toBe(true);
  expect(state.contacts.delete(contact.id)).toBe(false);
  expect([...state.contacts]).toEqual([]);
});

test('records are found by value, and contacts by the names of their tags', () => {
  const contacts = [
    { email: 'a@x.test', tags: ['vip', 'new'], customFields: { plan: 'pro' } },
    { email: 'b@x.test', tags: ['vip'] },
  ];
  const { state } = createSandbox({ seed: { contacts } });
  const [ada, bob] = state.contacts.all;
  expect(state.contacts.find({ tags: [...(bob?.tags ?? [])] })).toBe(bob);
  expect(state.contacts.find({ tags: [] })).toBeUndefined();
  expect(state.contacts.find({ customFields: { ...ada?.customFields } })).toBe(ada);
  expect(state.contacts.filter({ tagNames: ['vip', 'new'] })).toEqual([ada]);
  state.tags.update(state.tags.named('vip') ?? expect.fail(), { name: 'VIP' });
  expect([ada?.tagNames, bob?.tagNames]).toEqual([['VIP', 'new'], ['VIP']]);
  expect(JSON.stringify(state.contacts.all)).not.toContain('tagNames');
  // @ts-expect-error Tags are set by `tags`.
  expect(() => state.contacts.add({ email: 'c@x.test', tagNames: ['vip'] })).toThrow(
    'Unknown field of a contact',
  );
});

test.each(['delete', 'clear'] as const)('records lose their references to records that %s removes', way => {
  const { state } = createSandbox({ seed: references });
  for (const kind of ['tags', 'lists', 'customFields', 'templates'] as const)
    way === 'clear' ? state[kind].clear() : state[kind].delete(state[kind].all[0]?.id ?? '');
  expect(state.contacts.all[0]).toMatchObject({ tags: [], tagNames: [], lists: [], customFields: {} });
  expect(state.campaigns.all[0]?.template).toBe('');
});

test('an id is never reused after a reset or a restore', async () => {
  const sandbox = createSandbox({ seed: { tags: 2 } });
  const tagIds = async (name: string) => {
    await rest(sandbox, 'POST /tag', { name });
    return sandbox.state.tags.all.map(({ id }) => id);
  };
  const before = await tagIds('a');
  sandbox.reset();
  const after = await tagIds('b');
  expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
  expect(after[2]).not.toBe(before[2]);
  const other = createSandbox();
  other.restore(sandbox.snapshot());
  for (const name of ['c', 'd', 'e']) await rest(other, 'POST /tag', { name });
  expect(new Set(other.state.tags.all.map(({ id }) => id)).size).toBe(6);
});

test('a reset restores the seed and its ids, and clears the request log and the faults', async () => {
  const sandbox = createSandbox({ seed: { contacts: 2 }, now: () => new Date(0) });
  const { state, requests } = sandbox;
  const before = sandbox.snapshot();
  await rest(sandbox, 'POST /tag', { name: 'a' });
  sandbox.fail('*');
  sandbox.reset();
  expect(sandbox.snapshot()).toEqual(before);
  expect([state.contacts.size, requests.length, sandbox.faults()]).toEqual([2, 0, []]);
  expect((await rest(sandbox, 'GET /sender')).status).toBe(200);
  expect(requests[0]?.number).toBe(1);
});

test('a snapshot is a deep copy as JSON, with every kind of record and every digit', async () => {
  const domains = [{ name: 'x.test', created: 1_766_394_250_613_907_001n }];
  const kinds = { domains, senders: 1, postTags: 1, postCategories: 1 };
  const sandbox = createSandbox({ seed: { ...references, ...kinds } });
  // Values that a record of the service can have, but an added one cannot.
  const customFields = { points: '++5', plan: 'XL', '<b>': '' };
  await legacy(sandbox, 'POST /contact/identify', { email: 'a@x.test', tags: ['<b>'], customFields });
  await rest(sandbox, 'POST /events/custom', { name: 'a', identifier: 'nobody', data: { k: 'v' } });
  sandbox.state.customFields.update(sandbox.state.customFields.named('plan') ?? expect.fail(), {
    type: 'number',
  });
  const snapshot = sandbox.snapshot();
  const before = JSON.parse(JSON.stringify(snapshot));
  for (const records of Object.values(before)) expect(records).not.toEqual([]);
  for (const _ of [1, 2]) {
    await legacy(sandbox, 'POST /contact/identify', { email: 'a@x.test', newEmail: 'b@x.test', tags: ['x'] });
    const [contact] = sandbox.state.contacts.all;
    if (contact) contact.firstName = 'Ada';
    expect(snapshot).toEqual(before);
    sandbox.restore(before);
    expect(sandbox.snapshot()).toEqual(before);
    expect(sandbox.state.contacts.named('b@x.test')).toBeUndefined();
    expect(sandbox.state.domains.all).toMatchObject(domains);
  }
});

test('a reset restores the snapshot of the option, with ids for records that lack one', async () => {
  const { domains: _, ...earlier } = createSandbox({ seed: { ...references, domains: 1 } }).snapshot();
  const file = JSON.parse(JSON.stringify({ ...earlier, senders: [{ name: 'Ada' }] }));
  const sandbox = createSandbox({ snapshot: file });
  const before = sandbox.snapshot();
  expect(before).toMatchObject({ ...file, domains: [] });
  sandbox.state.contacts.clear();
  await rest(sandbox, 'POST /tag', { name: 'a' });
  sandbox.reset();
  expect(sandbox.snapshot()).toEqual(before);
});

const tags = [{ id: `tag_${suffix}`, name: 'a' }];

test.each<[snapshot: unknown, message: string]>([
  [{}, 'A snapshot must be an object with records by kind.'],
  [{ contacts: 5 }, 'contacts must be an array of records (got number).'],
  [
    { contacts: [], segments: [] },
    'Unknown kind of record "segments". To restore a snapshot from a newer version, use that version.',
  ],
  [
    { contacts: [{ email: 'a@x.test' }, { email: 'A@x.test' }] },
    'contacts[1]: Another contact already has this email.',
  ],
  [
    { contacts: [{ email: 'a@x.test', tags: [suffix] }], tags },
    `contacts[0]: tags: no tag has the id "${suffix}".`,
  ],
  [
    { templates: [{ name: 'May' }], campaigns: [{ template: 'May' }] },
    'campaigns[0]: template: no template has the id "May".',
  ],
])('restore throws for %j, and changes nothing', (snapshot, message) => {
  const sandbox = createSandbox({ seed: { contacts: 1 } });
  const before = sandbox.snapshot();
  expect(() => sandbox.restore(snapshot as never)).toThrow(message);
  expect(sandbox.snapshot()).toEqual(before);
});
