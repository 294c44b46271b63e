import { expect, expectTypeOf, test } from 'vitest';
import { createSandbox } from '../../src/testing/index.ts';
import { legacy, rest } from './http.ts';

test('a counted seed is the same on every run', () => {
  const seed = { contacts: 50, lists: 3, tags: 3, domains: 1, senders: 2, templates: 1, campaigns: 1 };
  const [first, second] = [createSandbox({ seed }), createSandbox({ seed })];
  expect(first.state.contacts.all).toEqual(second.state.contacts.all);
  expect(new Set(first.state.contacts.all.map(contact => contact.id)).size).toBe(50);
  expect(createSandbox({ seed, randomSeed: 2 }).state.contacts.all).not.toEqual(first.state.contacts.all);
});

test('records of a seed need only what matters; names of tags, lists and fields are enough', async () => {
  const sandbox = createSandbox({
    seed: {
      contacts: [
        { email: 'a@x.test', tags: ['vip'], lists: ['News'], customFields: { plan: 'pro' }, ltv: 5 },
      ],
    },
  });
  expect(sandbox.state.tags.named('vip')?.name).toBe('vip');
  expect(sandbox.state.lists.named('News')?.deleted).toBe(false);
  expect((await rest(sandbox, 'GET /contact')).body).toMatchObject([{ ltv: 5, unsubscribed: false }]);
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
  expect([...state.contacts]).toEqual([]);
});

test('a snapshot shares nothing with the state, and restore goes back to it', async () => {
  const sandbox = createSandbox({ seed: { contacts: [{ email: 'a@x.test', tags: ['vip'] }], domains: 1 } });
  const snapshot = sandbox.snapshot();
  const before = structuredClone(snapshot);
  await legacy(sandbox, 'POST /contact/identify', {
    email: 'a@x.test',
    newEmail: 'b@x.test',
    tags: ['x'],
    customFields: { k: '1' },
  });
  await rest(sandbox, 'POST /domain', { name: 'new.example.com' });
  expect(snapshot).toEqual(before);
  sandbox.restore(snapshot);
  expect(sandbox.snapshot()).toEqual(before);
  expect(sandbox.state.contacts.named('b@x.test')).toBeUndefined();
  expect((await rest(sandbox, 'GET /contact?search=a@x')).body).toMatchObject([{ email: 'a@x.test' }]);
});

test('reset puts back the seed, ids, journal and faults', async () => {
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

test('a hundred thousand contacts are walked in pages within seconds', async () => {
  const sandbox = createSandbox({ seed: { contacts: 100_000 } });
  const seen = new Set<string>();
  for (let offset = 0; offset < 100_000; offset += 100) {
    const { body } = await rest(sandbox, `GET /contact?limit=100&offset=${offset}`);
    for (const contact of body as { id: string }[]) seen.add(contact.id);
  }
  expect(seen.size).toBe(100_000);
});
