// Call ids: a call that is not a read is performed once, even if it arrives twice.
import { expect, test, vi } from 'vitest';
import type { CallStore, ProxyOptions } from '../../src/proxy/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { eventually } from '../support/eventually.ts';
import {
  create,
  createTag,
  email,
  first,
  id,
  idOf,
  large,
  marked,
  retry,
  serve,
  sharedStore,
  tagId,
  unknown,
  withTag,
} from './calls-with-ids.ts';

test('performs a call once that arrives again, marked as a retry or not', async () => {
  const { attempt, acted } = serve();
  const one = await attempt(first);
  expect(one).toMatchObject({ status: 200, body: { data: { name: 'vip' } } });
  expect(await attempt(first)).toEqual(one);
  expect(await attempt(retry)).toEqual(one);
  expect(acted()).toBe(1);
});

// A server in between that drops unknown headers would also drop the header that marks a retry.
test('does not perform a call without an id that must not act twice, and names the header', async () => {
  const { attempt, acted } = serve();
  const message = expect.stringContaining('tags.create: the header x-call-id is missing');
  const error = { name: 'BadRequestError', outcome: 'not-sent', message };
  for (const headers of [{}, marked])
    expect(await attempt(headers)).toMatchObject({ status: 400, body: { error } });
  expect(acted()).toBe(0);
});

test('replies with the result of the first attempt to those that arrive while it runs', async () => {
  let end = () => {};
  const held = new Promise<void>(resolve => (end = resolve));
  const output: ProxyOptions['output'] = {
    'tags.create': async ({ name }) => {
      if (name === create.input.name) await held;
      return name === create.input.name ? name : large;
    },
  };
  const { attempt, acted, createTags } = serve({ output });
  const performed = attempt(first);
  await eventually(() => expect(acted()).toBe(1));
  // Another result fills the memory.
  expect(await createTags([1])).toEqual([200]);
  const replies = [attempt(first), attempt(retry)];
  expect((await attempt(first, createTag(2))).status).toBe(409);
  end();
  expect(await performed).toEqual({ status: 200, body: { data: 'vip' } });
  for (const reply of await Promise.all(replies)) expect(reply).toEqual(await performed);
  expect(acted()).toBe(2);
});

test('remembers what output returns, and nothing else', async () => {
  const store = sharedStore();
  const { attempt } = serve({ store });
  const input = { email, company: 'PRIVATE Ltd', customFields: { visits: '++1' } };
  await attempt(first, { operation: 'legacy.identify', input });
  expect([...store.values.keys()]).toEqual([id]);
  expect(store.values.get(id)).toContain('contact created');
  expect(store.values.get(id)).not.toMatch(/PRIVATE|ada@/);
});

test.each<[string, object]>([
  ['operation', { operation: 'lists.create', input: { name: 'vip' } }],
  ['input', { operation: 'tags.create', input: { name: 'other' } }],
])('rejects a call id that arrives again with another %s', async (_, call) => {
  const { attempt, acted } = serve({ allow: ['tags.create', 'lists.create'] });
  await attempt(first);
  const reply = await attempt(first, call);
  expect(reply).toMatchObject({
    status: 409,
    body: {
      error: {
        name: 'BadRequestError',
        message: expect.stringMatching(/: this call id belongs to another call\.$/),
        outcome: 'unknown',
      },
    },
  });
  expect(reply.body.data).toBeUndefined();
  expect(acted()).toBe(1);
});

/** Puts the signed-in visitor into the input, as `authorize` of a server does. */
const asVisitor: ProxyOptions['authorize'] = (request, { input }) => ({
  input: { ...(input as object), email: `${request.headers.get('x-visitor')}@example.com` },
});

test('gives no visitor the result of a call that authorize allowed for another', async () => {
  const call = { operation: 'legacy.identify', input: { email, customFields: { visits: '++1' } } };
  const store = sharedStore();
  const [here, there] = [serve({ store, authorize: asVisitor }), serve({ store, authorize: asVisitor })];
  const performed = await here.attempt({ ...first, 'x-visitor': 'ada' }, call);
  expect(performed.status).toBe(200);
  for (const { attempt } of [here, there]) {
    for (const headers of [first, retry]) {
      expect(await attempt({ ...headers, 'x-visitor': 'ada' }, call)).toEqual(performed);
      const reply = await attempt({ ...headers, 'x-visitor': 'bob' }, call);
      const error = { name: 'BadRequestError', outcome: 'unknown' };
      expect(reply).toMatchObject({ status: 409, body: { error } });
      expect(reply.body.data).toBeUndefined();
    }
  }
  expect(here.acted() + there.acted()).toBe(1);
});

test.each(['g'.repeat(32), `${id}00`])('rejects the call id %j', async value => {
  const { attempt, acted } = serve();
  const message = 'The header x-call-id is not a call id.';
  expect(await attempt({ 'x-call-id': value })).toMatchObject({ status: 400, body: { error: { message } } });
  expect(acted()).toBe(0);
});

test.each<[string, object, Record<string, string>]>([
  ['a creation', create, retry],
  ['a new email', { operation: 'legacy.identify', input: { email, newEmail: 'c@d.test' } }, retry],
])('does not perform %s as a retry whose first attempt it does not remember', async (_, call, headers) => {
  const { attempt, acted } = serve();
  expect(await attempt(headers, call)).toMatchObject(unknown);
  expect(acted()).toBe(0);
});

test('decides whether to perform a retry by the input that the service would get', async () => {
  const authorize = () => ({ input: { email, customFields: { visits: '++1' } } });
  const { attempt, acted } = serve({ authorize });
  const call = { operation: 'legacy.identify', input: { email } };
  expect(await attempt(retry, call)).toMatchObject(unknown);
  expect(acted()).toBe(0);
});

// Chromium sends a POST again by itself when a reused connection closes.
test('performs a deletion once if the same request arrives twice', async () => {
  const call = { operation: 'tags.delete', input: tagId };
  const { attempt, acted } = serve({}, withTag());
  const one = await attempt(first, call);
  expect(one).toMatchObject({ status: 200, body: { data: { status: 'success' } } });
  expect(await attempt(first, call)).toEqual(one);
  expect(acted()).toBe(1);
});

test.each<[string, object, Record<string, string>]>([
  ['a deletion, as a marked retry,', { operation: 'tags.delete', input: tagId }, retry],
  ['a plain identify', { operation: 'legacy.identify', input: { email } }, first],
  ['a plain identify without an id', { operation: 'legacy.identify', input: { email } }, {}],
])('performs %s every time', async (_, call, headers) => {
  const { attempt, acted } = serve({}, withTag());
  expect(await attempt(headers, call)).toMatchObject({ status: 200 });
  await attempt(headers, call);
  expect(acted()).toBe(2);
});

test('performs a read every time, and does not remember it', async () => {
  const { attempt, acted } = serve();
  for (const headers of [first, first, retry])
    expect(await attempt(headers, { operation: 'contacts.list' })).toMatchObject({ status: 200 });
  expect(acted()).toBe(3);
  expect(await attempt(first)).toMatchObject({ status: 200, body: { data: { name: 'vip' } } });
});

test.each([
  ['false', false],
  ['null, as Redis does,', null],
])(
  'servers that share a store perform a call once if it returns %s for an id that is taken',
  async (_, taken) => {
    const sandbox = createSandbox();
    const { values } = sharedStore();
    let looks = 0;
    // Both servers look before either has claimed the id.
    const get = async (key: string) => (looks++ < 2 ? null : values.get(key));
    const set = vi.fn<CallStore['set']>(async (key, value, { ifAbsent }) => {
      if (ifAbsent && values.has(key)) return taken;
      values.set(key, value);
      return 'OK';
    });
    const store = { get, set };
    const servers = [serve({ store }, sandbox), serve({ store }, sandbox)];
    const replies = await Promise.all(servers.map(({ attempt }) => attempt(first)));
    // Either server can be the first to claim the id.
    const [performed, other] = replies.toSorted((one, another) => one.status - another.status);
    expect(performed).toMatchObject({ status: 200 });
    expect(other).toMatchObject(unknown);
    for (const { attempt } of servers) expect(await attempt(retry)).toEqual(performed);
    expect(sandbox.requests).toHaveLength(1);
    expect(set).toHaveBeenCalledWith(id, expect.any(String), { ifAbsent: true });
  },
);

test('does not perform a call that another server has begun and not ended', async () => {
  const store = sharedStore();
  await serve({ store }).attempt(first);
  // What the store holds while the call runs.
  store.values.set(id, store.set.mock.calls[0]?.[1] ?? '');
  const { attempt, acted } = serve({ store });
  const message = 'tags.create: an earlier attempt has not ended.';
  for (const headers of [first, retry])
    expect(await attempt(headers)).toMatchObject({ ...unknown, body: { error: { message } } });
  expect(acted()).toBe(0);
});

test.each<[string, (stored: string) => string]>([
  ['that a newer version stored', stored => stored.replace('v2', 'v3')],
  ['that is cut off', stored => stored.slice(0, -1)],
  ['without text', () => ''],
])('performs no call whose id has a value %s', async (_, change) => {
  const store = sharedStore();
  await serve({ store }).attempt(first);
  const changed = change(store.values.get(id) ?? '');
  expect(changed).not.toBe(store.values.get(id));
  store.values.set(id, changed);
  const { attempt, acted } = serve({ store });
  const message = 'tags.create: an earlier attempt may have taken effect; its result is unknown.';
  for (const headers of [first, retry])
    expect(await attempt(headers)).toMatchObject({ ...unknown, body: { error: { message } } });
  expect(acted()).toBe(0);
});

test.each<[unknown, number]>([
  [true, 1],
  ['OK', 1],
  [1, 1],
  [['OK'], 1],
  [false, 0],
  [null, 0],
  [0, 0],
  ['', 0],
  [undefined, 0],
])('a store whose function set returns %j for an id performs %i calls', async (returned, calls) => {
  const { attempt, acted } = serve({ store: { get: () => null, set: async () => returned } });
  expect(await attempt(first)).toMatchObject(calls ? { status: 200 } : unknown);
  expect(acted()).toBe(calls);
});

test.each([[false], [null], [undefined]])(
  'does not mind that the store returns %s for a result, which replaces a value',
  async returned => {
    const set = vi.fn().mockReturnValueOnce('OK').mockReturnValueOnce(returned);
    const { attempt, acted } = serve({ store: { get: () => null, set } });
    expect(await attempt(first)).toMatchObject({ status: 200, body: { data: { name: 'vip' } } });
    expect(acted()).toBe(1);
  },
);

test('forgets the oldest results first, of more than 10 MB', async () => {
  const output: ProxyOptions['output'] = { 'tags.create': ({ name }) => (name === 'tag 0' ? name : large) };
  const { createTags } = serve({ output });
  for (const number of [0, 1, 2]) expect(await createTags([number])).toEqual([200]);
  expect(await createTags([0, 1, 2], marked)).toEqual([200, 200, 200]);
  expect(await createTags([3])).toEqual([200]);
  expect(await createTags([0, 1, 2, 3], marked)).toEqual([409, 409, 200, 200]);
});

// Each id takes 200 bytes and two bytes for each character of its value: 10 MB in all.
test.each([
  ['as long as they fit', 2_499_900, 200],
  ['and no more, with the bytes of their ids', 2_499_950, 409],
])('remembers two large results %s', async (_, characters, status) => {
  const store = sharedStore();
  await serve({ store, output: { 'tags.create': () => '' } }).createTags([0]);
  const around = store.values.get(idOf(0))?.length ?? 0;
  const output = { 'tags.create': () => 'x'.repeat(characters - around) };
  const { createTags } = serve({ output });
  await createTags([0]);
  await createTags([1]);
  expect(await createTags([0, 1], marked)).toEqual([status, 200]);
});
