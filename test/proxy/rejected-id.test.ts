// Requests that `authorize` rejects, and whose id arrives, or has arrived, with another request.
import { expect, test, vi } from 'vitest';
import type { ProxyOptions } from '../../src/proxy/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { eventually } from '../support/eventually.ts';
import {
  create,
  email,
  first,
  idOf,
  marked,
  retry,
  serve,
  sharedStore,
  tagId,
  withTag,
} from './calls-with-ids.ts';

const identify = { operation: 'legacy.identify', input: { email } };
const remove = { operation: 'tags.delete', input: tagId };
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
  'while %s is being authorized, another request with its id does not hear not-sent: %s',
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

test('a request that is rejected while a later one with its id is being authorized does not hear not-sent', async () => {
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
