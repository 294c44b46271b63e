import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DedupeStore, ProxyOptions } from '../../src/proxy/index.ts';
import { ResultMemory } from '../../src/proxy/result-memory.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { first, id, serve, sharedStore, unknown } from './attempts.ts';

afterEach(() => {
  vi.useRealTimers();
});

test('servers that share a store perform a call once, also at the same time', async () => {
  const [sandbox, store] = [createSandbox(), sharedStore()];
  sandbox.latency('*', 30);
  const servers = [
    serve({ dedupe: { store, ttl: 5000 } }, sandbox),
    serve({ dedupe: { store, ttl: 5000 } }, sandbox),
  ];
  const replies = await Promise.all(servers.map(({ attempt }) => attempt(first)));
  expect(replies[0]).toMatchObject({ status: 200 });
  expect(replies[1]).toEqual(replies[0]);
  expect(sandbox.requests).toHaveLength(1);
  expect(store.set).toHaveBeenCalledWith(id, expect.any(String), { ttl: 5000, ifAbsent: true });
});

test.each([
  ['false', false],
  ['null, as Redis does,', null],
])(
  'a call is performed once where the store returns %s for an id that another server claims',
  async (_, taken) => {
    const sandbox = createSandbox();
    const { values } = sharedStore();
    let looks = 0;
    // Both servers look before either has claimed the id.
    const get = async (key: string) => (looks++ < 2 ? null : values.get(key));
    const set: DedupeStore['set'] = async (key, value, { ifAbsent }) => {
      if (ifAbsent && values.has(key)) return taken;
      values.set(key, value);
      return 'OK';
    };
    const dedupe = { store: { get, set } };
    const servers = [serve({ dedupe }, sandbox), serve({ dedupe }, sandbox)];
    const replies = await Promise.all(servers.map(({ attempt }) => attempt(first)));
    expect(replies[0]).toMatchObject({ status: 200 });
    expect(replies[1]).toEqual(replies[0]);
    expect(sandbox.requests).toHaveLength(1);
  },
);

test('does not perform a call that another server began and has not ended after 25 s', async () => {
  vi.useFakeTimers();
  const store = sharedStore();
  const [one, two] = [
    serve({
      dedupe: { store },
      callbackTimeout: Number.POSITIVE_INFINITY,
      output: { 'tags.create': () => new Promise(() => {}) },
    }),
    serve({ dedupe: { store } }),
  ];
  void one.attempt(first);
  await vi.waitFor(() => expect(store.values.size).toBe(1));
  store.get.mockClear();
  const reply = two.attempt(first);
  await vi.waitFor(() => expect(store.get).toHaveBeenCalled());
  await vi.advanceTimersByTimeAsync(40_000);
  expect(await reply).toMatchObject(unknown);
  expect(store.get).toHaveBeenCalledTimes(250);
  expect(two.acted()).toBe(0);
});

test.each(['{}', 'null', '"PRIVATE"', '{"fingerprint":5}', 'PRIVATE'])(
  'performs no call where the store returns %s, which is none of its values',
  async value => {
    const onError = vi.fn();
    const store: DedupeStore = { get: () => value, set: () => true };
    const { attempt, acted } = serve({ dedupe: { store }, onError });
    expect(await attempt(first)).toMatchObject({ status: 500, body: { error: { outcome: 'not-sent' } } });
    expect(onError).toHaveBeenCalledOnce();
    expect(acted()).toBe(0);
  },
);

const ids = ['a', 'b', 'c'].map(letter => letter.repeat(32));

test.each<[string, ProxyOptions['dedupe']]>([
  ['number', { max: 2 }],
  ['size', { maxLength: 400 }],
])('forgets the oldest result first when the %s of results is over the limit', async (_, dedupe) => {
  const { attempt } = serve({ dedupe });
  for (const each of ids)
    await attempt({ 'x-call-id': each }, { operation: 'tags.create', input: { name: `tag ${each}` } });
  const again = async (each = '') =>
    (
      await attempt(
        { 'x-call-id': each, 'x-call-retry': '1' },
        { operation: 'tags.create', input: { name: `tag ${each}` } },
      )
    ).status;
  expect(await again(ids[0])).toBe(409);
  expect(await again(ids[2])).toBe(200);
});

describe('the memory of one process', () => {
  const memory = (max = 3, maxLength = 10) => new ResultMemory(max, maxLength);
  const kept = { ttl: 1000, ifAbsent: false };
  const claim = { ttl: 1000, ifAbsent: true };

  beforeEach(() => {
    vi.useFakeTimers();
  });

  test('claims an id once, until its time is over', () => {
    const store = memory();
    expect(store.set('a', 'one', claim)).toBe(true);
    expect(store.set('a', 'two', claim)).toBe(false);
    expect(store.get('a')).toBe('one');
    vi.advanceTimersByTime(1000);
    expect(store.set('a', 'two', claim)).toBe(true);
    expect(store.get('a')).toBe('two');
  });

  test('replaces the value of an id, which then counts once', () => {
    const store = memory(2);
    store.set('a', '12345', kept);
    for (const value of ['one', 'two', 'three']) store.set('b', value, kept);
    expect([store.get('a'), store.get('b')]).toEqual(['12345', 'three']);
  });

  test('holds as many values as its limit, and forgets the oldest beyond it', () => {
    const store = memory(3);
    for (const key of ['a', 'b', 'c']) store.set(key, key, kept);
    expect(store.get('a')).toBe('a');
    store.set('d', 'd', kept);
    expect(['a', 'b', 'c', 'd'].map(key => store.get(key))).toEqual([undefined, 'b', 'c', 'd']);
  });

  test('holds as many characters as its limit, and forgets the oldest beyond it', () => {
    const store = memory(9, 10);
    store.set('a', '12345', kept);
    store.set('b', '67890', kept);
    expect(store.get('a')).toBe('12345');
    store.set('c', '1', kept);
    expect(['a', 'b', 'c'].map(key => store.get(key))).toEqual([undefined, '67890', '1']);
  });

  test('counts no value that it forgot', () => {
    const store = memory(9, 10);
    store.set('a', '1234567890', kept);
    vi.advanceTimersByTime(1000);
    store.set('b', '12345', kept);
    store.set('c', '12345', kept);
    expect([store.get('b'), store.get('c')]).toEqual(['12345', '12345']);
  });
});
