// Call ids: a call that is not a read is performed once, even if it arrives twice. A request that `authorize` rejects has the
// outcome `not-sent` only if no other request with its id may have been allowed.
import { afterEach, expect, test, vi } from 'vitest';
import type { ClientOptions } from '../../src/index.ts';
import type { CallStore, ProxyOptions } from '../../src/proxy/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { eventually } from '../support/eventually.ts';
import { makePage, readReply } from './page.ts';

const allow = ['tags.create', 'tags.delete', 'contacts.list', 'legacy.identify'] as const;
const create = { operation: 'tags.create', input: { name: 'vip' } };
const email = 'ada@example.com';
const tagId = `tag_${'a1'.repeat(11)}`;
const withTag = () => createSandbox({ seed: { tags: [{ id: tagId, name: 'old' }] } });
const id = '0123456789abcdef'.repeat(2);
const first = { 'x-call-id': id };
const marked = { 'x-call-retry': '1' };
const retry = { ...first, ...marked };
const idOf = (number: number) => number.toString(16).padStart(32, '0');
/** Result of which the memory has room for two: a character takes two bytes. */
const large = 'x'.repeat(2_400_000);
const createTag = (number: number) => ({ operation: 'tags.create', input: { name: `tag ${number}` } });

/** Reply to an attempt whose call an earlier attempt may have performed. */
const unknown = { status: 409, body: { error: { name: 'ConnectionError', outcome: 'unknown' } } };

/** Creates a handler. `attempt` sends it a call; `createTags` sends it several, and returns the statuses. */
function serve(options: Partial<ProxyOptions> = {}, sandbox = createSandbox(), client: ClientOptions = {}) {
  const page = makePage({ allow, ...options }, sandbox, client);
  const attempt = async (headers: Record<string, string>, call: object = create) =>
    readReply(await page.send(call, { headers }));
  const createTags = async (numbers: readonly number[], headers: Record<string, string> = {}) => {
    const calls = numbers.map(each => attempt({ 'x-call-id': idOf(each), ...headers }, createTag(each)));
    return (await Promise.all(calls)).map(({ status }) => status);
  };
  return { ...page, attempt, createTags, acted: () => sandbox.requests.length };
}

/** Makes a store that several handlers share, like Redis. */
function sharedStore() {
  const values = new Map<string, string>();
  const set = vi.fn<CallStore['set']>((key, value, { ifAbsent }) => {
    if (ifAbsent && values.has(key)) return false;
    values.set(key, value);
    return true;
  });
  return { values, set, get: vi.fn(async (key: string) => values.get(key) ?? null) };
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const identify = { operation: 'legacy.identify', input: { email } };
const remove = { operation: 'tags.delete', input: tagId };
const counting = { email, customFields: { visits: '++1' } };
const notEnded = 'tags.create: an earlier attempt has not ended.';
const notRemembered = 'tags.create: an earlier attempt may have taken effect; its result is unknown.';

test('performs a call that arrives again only once, marked as a retry or not', async () => {
  const { attempt, acted } = serve();
  const one = await attempt(first);
  expect(one).toMatchObject({ status: 200, body: { data: { name: 'vip' } } });
  for (const headers of [first, retry]) expect(await attempt(headers)).toEqual(one);
  expect(acted()).toBe(1);
});

// A server in between that drops unknown headers would also drop the header that marks a retry.
test.each<[string, Record<string, string>]>([
  ['tags.create: the header x-call-id is missing', {}],
  ['tags.create: the header x-call-id is missing', marked],
  ['The header x-call-id is not a call id.', { 'x-call-id': 'g'.repeat(32) }],
  ['The header x-call-id is not a call id.', { 'x-call-id': `${id}00` }],
])('does not perform a call that must not act twice, because "%s": %o', async (start, headers) => {
  const { attempt, acted } = serve();
  const message = expect.stringContaining(start);
  const error = { name: 'BadRequestError', outcome: 'not-sent', message };
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

// Cloudflare Workers end the request of a page that was left: its call never ends.
test('waits 25 s for an attempt that does not end, and does not perform the call again', async () => {
  const fetch = vi.fn(() => new Promise<never>(() => {}));
  const { attempt } = serve({}, undefined, { fetch, timeout: Number.POSITIVE_INFINITY });
  void attempt(first);
  await eventually(() => expect(fetch).toHaveBeenCalled());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const timer = vi.spyOn(globalThis, 'setTimeout');
  const replies = [first, retry].map(headers => attempt(headers));
  while (timer.mock.calls.filter(([, ms]) => ms === 25_000).length < 2)
    await new Promise(resolve => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(24_999);
  expect(await Promise.race([...replies, 'waiting'])).toBe('waiting');
  await vi.advanceTimersByTimeAsync(1);
  for (const reply of replies)
    expect(await reply).toMatchObject({ ...unknown, body: { error: { message: notEnded } } });
  expect(fetch).toHaveBeenCalledOnce();
});

test('remembers what output returns, and nothing else', async () => {
  const store = sharedStore();
  const { attempt } = serve({ store });
  const input = { ...counting, company: 'PRIVATE Ltd' };
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
  const { status, body } = await attempt(first, call);
  const message = expect.stringMatching(/: this call id belongs to another call\.$/);
  const error = { name: 'BadRequestError', message, outcome: 'unknown' };
  expect({ status, body }).toMatchObject({ status: 409, body: { error } });
  expect(body.data).toBeUndefined();
  expect(acted()).toBe(1);
});

/** Puts the signed-in visitor into the input, as `authorize` of a server does. */
const asVisitor: ProxyOptions['authorize'] = (request, { input }) => ({
  input: { ...(input as object), email: `${request.headers.get('x-visitor')}@example.com` },
});

test('gives no visitor the result of a call that authorize allowed for another', async () => {
  const call = { operation: 'legacy.identify', input: counting };
  const store = sharedStore();
  const [here, there] = [serve({ store, authorize: asVisitor }), serve({ store, authorize: asVisitor })];
  const performed = await here.attempt({ ...first, 'x-visitor': 'ada' }, call);
  expect(performed.status).toBe(200);
  for (const { attempt } of [here, there]) {
    for (const headers of [first, retry]) {
      expect(await attempt({ ...headers, 'x-visitor': 'ada' }, call)).toEqual(performed);
      const { status, body } = await attempt({ ...headers, 'x-visitor': 'bob' }, call);
      expect([status, body.error.outcome, body.data]).toEqual([409, 'unknown', undefined]);
    }
  }
  expect(here.acted() + there.acted()).toBe(1);
});

test.each<[string, object, Partial<ProxyOptions>]>([
  ['a creation', create, {}],
  ['a new email', { ...identify, input: { email, newEmail: 'c@d.test' } }, {}],
  ['an identify that authorize makes count', identify, { authorize: () => ({ input: counting }) }],
])('does not perform %s as a retry whose first attempt it does not remember', async (_, call, options) => {
  const { attempt, acted } = serve(options);
  expect(await attempt(retry, call)).toMatchObject(unknown);
  expect(acted()).toBe(0);
});

test.each<[string, number, object, Record<string, string>]>([
  // Chromium sends a POST again by itself when a reused connection closes.
  ['a deletion', 1, remove, first],
  ['a deletion, as a marked retry,', 2, remove, retry],
  ['a plain identify', 2, identify, first],
  ['a plain identify without an id', 2, identify, {}],
  ['a read', 2, { operation: 'contacts.list' }, first],
])('performs %s that arrives twice %i times', async (_, times, call, headers) => {
  const { attempt, acted } = serve({}, withTag());
  const one = await attempt(headers, call);
  expect(one.status).toBe(200);
  const other = await attempt(headers, call);
  if (times === 1) expect(other).toEqual(one);
  expect(acted()).toBe(times);
});

test('servers that share a store perform a call once', async () => {
  const sandbox = createSandbox();
  const { values, set } = sharedStore();
  let looks = 0;
  // Both servers look before either has claimed the id.
  const get = async (key: string) => (looks++ < 2 ? null : values.get(key));
  const servers = [serve({ store: { get, set } }, sandbox), serve({ store: { get, set } }, sandbox)];
  const replies = await Promise.all(servers.map(({ attempt }) => attempt(first)));
  // Either server can be the first to claim the id.
  const [performed, other] = replies.toSorted((one, another) => one.status - another.status);
  expect(performed).toMatchObject({ status: 200 });
  expect(other).toMatchObject(unknown);
  for (const { attempt } of servers) expect(await attempt(retry)).toEqual(performed);
  expect(sandbox.requests).toHaveLength(1);
  expect(set).toHaveBeenCalledWith(id, expect.any(String), { ifAbsent: true });
});

test.each<[string, string, (stored: string, claim: string) => string]>([
  ['of a call that another server has not ended', notEnded, (_, claim) => claim],
  ['that a newer version stored', notRemembered, stored => stored.replace('v2', 'v3')],
  ['that is cut off', notRemembered, stored => stored.slice(0, -1)],
  ['without text', notRemembered, () => ''],
])('performs no call whose id has a value %s', async (_, message, change) => {
  const store = sharedStore();
  await serve({ store }).attempt(first);
  const stored = store.values.get(id) ?? '';
  const changed = change(stored, store.set.mock.calls[0]?.[1] ?? '');
  expect(changed).not.toBe(stored);
  store.values.set(id, changed);
  const { attempt, acted } = serve({ store });
  for (const headers of [first, retry])
    expect(await attempt(headers)).toMatchObject({ ...unknown, body: { error: { message } } });
  expect(acted()).toBe(0);
});

test.each([
  ['truthy', 1, [true, 'OK', 1, ['OK']]],
  ['falsy', 0, [false, null, 0, '', undefined]],
])(
  'a store whose function set returns something %s for an id performs %i calls',
  async (_, calls, results) => {
    for (const returned of results) {
      const { attempt, acted } = serve({ store: { get: () => null, set: async () => returned } });
      expect(await attempt(first), `${returned}`).toMatchObject(calls ? { status: 200 } : unknown);
      expect(acted()).toBe(calls);
    }
  },
);

test('the store may return something falsy for a result, which replaces a value', async () => {
  const set = vi.fn<CallStore['set']>().mockReturnValueOnce('OK').mockReturnValueOnce(null);
  const { attempt } = serve({ store: { get: () => null, set } });
  expect(await attempt(first)).toMatchObject({ status: 200, body: { data: { name: 'vip' } } });
});

test('forgets the oldest results first if they exceed 10 MB', async () => {
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

const fail = () => {
  throw new Error('no session');
};

test.each<[string, object, Record<string, string>]>([
  ['a creation', create, first],
  ['a plain identify', identify, first],
  ['a deletion', remove, first],
  ['a read', { operation: 'contacts.list' }, first],
  ['a creation without an id', create, {}],
])('%s that authorize rejects at once has the outcome not-sent', async (_, call, headers) => {
  for (const authorize of [() => false, () => ({ input: 5 as never }), fail]) {
    const { attempt, acted } = serve({ authorize, onError: () => {} }, withTag());
    expect(await attempt(headers, call)).toMatchObject({ body: { error: { outcome: 'not-sent' } } });
    expect(acted()).toBe(0);
  }
});

// A browser sends a request twice, unseen by the page, and the session has ended meanwhile.
test.each<[string, object, Record<string, string>]>([
  ['a creation', create, first],
  ['a plain identify', identify, first],
  ['a deletion', remove, first],
  ['a deletion, as a marked retry,', remove, retry],
])('%s that authorize allowed before and now rejects has the outcome unknown', async (_, call, headers) => {
  const decisions: ProxyOptions['authorize'][] = [() => false, () => ({ input: 5 as never }), fail];
  for (const reject of decisions) {
    const authorize = vi.fn(reject as () => boolean).mockReturnValueOnce(true);
    const { attempt, acted } = serve({ authorize, onError: () => {} }, withTag());
    await attempt(headers, call);
    expect(await attempt(first, call)).toMatchObject({ body: { error: { outcome: 'unknown' } } });
    expect(acted()).toBe(1);
  }
});

test('a call that another server performed, and that authorize now rejects, has the outcome unknown', async () => {
  const store = sharedStore();
  await serve({ store }).attempt(first);
  const { attempt } = serve({ store, authorize: () => false });
  const rejected = (outcome: string) => ({ status: 403, body: { error: { outcome } } });
  expect(await attempt(first)).toMatchObject(rejected('unknown'));
  expect(await attempt({ 'x-call-id': idOf(1) })).toMatchObject(rejected('not-sent'));
  store.get.mockRejectedValueOnce(new Error('the store is down'));
  expect(await attempt({ 'x-call-id': idOf(1) })).toMatchObject(rejected('unknown'));
});

/** Returns an `authorize` that spends a token: it allows the first request that asks, and takes its time. */
function singleUseToken() {
  let isSpent = false;
  let release = () => {};
  const released = new Promise<void>(resolve => (release = resolve));
  const authorize = vi.fn(async () => {
    const isFirst = !isSpent;
    isSpent = true;
    if (isFirst) await released;
    return isFirst;
  });
  return { authorize, release };
}

test.each<[string, 'one server' | 'two servers', object]>([
  ['a creation', 'one server', create],
  ['a plain identify', 'one server', identify],
  ['a creation', 'two servers', create],
  ['a plain identify', 'two servers', identify],
])(
  'while %s is being authorized, another request with its id has the outcome unknown, on %s',
  async (_, where, call) => {
    const { authorize, release } = singleUseToken();
    const store = sharedStore();
    const sandbox = createSandbox();
    const one = serve(where === 'one server' ? { authorize } : { authorize, store }, sandbox);
    const other = where === 'one server' ? one : serve({ authorize, store }, sandbox);
    const performed = one.attempt(first, call);
    await eventually(() => expect(authorize).toHaveBeenCalledOnce());
    const rejected = { status: 403, body: { error: { outcome: 'unknown' } } };
    expect(await other.attempt(first, call)).toMatchObject(rejected);
    release();
    expect(await performed).toMatchObject({ status: 200 });
    expect(sandbox.requests).toHaveLength(1);
  },
);

test('a request that is rejected while a later one with its id is being authorized has the outcome unknown', async () => {
  let reject = () => {};
  const rejected = new Promise<boolean>(resolve => (reject = () => resolve(false)));
  const { authorize: slow, release } = singleUseToken();
  const authorize = vi.fn<() => Promise<boolean>>(slow).mockReturnValueOnce(rejected);
  const { attempt, acted } = serve({ authorize });
  const earlier = attempt(first);
  await eventually(() => expect(authorize).toHaveBeenCalledTimes(1));
  const later = attempt(first);
  await eventually(() => expect(authorize).toHaveBeenCalledTimes(2));
  reject();
  expect(await earlier).toMatchObject({ status: 403, body: { error: { outcome: 'unknown' } } });
  release();
  expect(await later).toMatchObject({ status: 200 });
  expect(acted()).toBe(1);
});

test('requests of rejected visitors do not make the handler forget a result', async () => {
  const decide = vi
    .fn(() => false)
    .mockReturnValueOnce(true)
    .mockReturnValueOnce(true);
  const output = { 'tags.create': () => 'x'.repeat(2_490_000) };
  const { attempt, createTags } = serve({ authorize: decide, output });
  expect(await createTags([0, 1])).toEqual([200, 200]);
  // The two results leave room for about 200 ids.
  for (let number = 2; number < 300; number += 1) await attempt({ 'x-call-id': idOf(number) }, identify);
  decide.mockReturnValue(true);
  expect(await createTags([0, 1], marked)).toEqual([200, 200]);
});

test('a store that is down does not stop a call that can be repeated', async () => {
  const down = async () => {
    throw new Error('the store is down');
  };
  const { attempt, acted } = serve({ authorize: () => true, store: { get: down, set: down } });
  expect(await attempt(first, identify)).toMatchObject({ status: 200 });
  expect(acted()).toBe(1);
});
