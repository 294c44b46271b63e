import { expect, test, vi } from 'vitest';
import type { ProxyOptions } from '../../src/proxy/index.ts';
import { createSandbox } from '../../src/testing/index.ts';
import { create, first, id, retry, serve, sharedStore, unknown } from './attempts.ts';

test.each<[string, Record<string, string>?]>([['again'], ['marked as a retry', retry]])(
  'performs a call once that arrives %s',
  async (_, second = first) => {
    const { attempt, acted } = serve();
    const [one, two] = [await attempt(first), await attempt(second)];
    expect(one).toMatchObject({ status: 200, body: { data: { name: 'vip' } } });
    expect(two).toEqual(one);
    expect(acted()).toBe(1);
  },
);

test('performs calls with different ids, and calls without an id, each', async () => {
  const { attempt, acted } = serve();
  const call = { operation: 'legacy.identify', input: { email: 'ada@example.com' } };
  await attempt(first, call);
  await attempt({ 'x-call-id': 'f'.repeat(32) }, call);
  await attempt({}, call);
  await attempt({}, call);
  expect(acted()).toBe(4);
});

/** A promise, and the function that resolves it. */
function makeSignal() {
  let resolve = () => {};
  const promise = new Promise<void>(settle => (resolve = settle));
  return { promise, resolve };
}

/** A handler that remembers one call, whose first call is running: `end` lets it end, and `endOther` every other. */
async function serveRunningCall() {
  const [created, other] = [makeSignal(), makeSignal()];
  const output: ProxyOptions['output'] = {
    'tags.create': async ({ name }) => {
      await (name === create.input.name ? created : other).promise;
      return name;
    },
  };
  const made = serve({ dedupe: { max: 1 }, output });
  const performed = made.attempt(first);
  await vi.waitFor(() => expect(made.acted()).toBe(1));
  return { ...made, performed, end: created.resolve, endOther: other.resolve };
}

test('refuses a call id that another visitor uses while the call is running', async () => {
  const { attempt, acted, performed, end } = await serveRunningCall();
  expect((await attempt({ ...first, cookie: 'session=eve' })).status).toBe(409);
  end();
  expect(await performed).toEqual({ status: 200, body: { data: 'vip' } });
  expect(acted()).toBe(1);
});

test('replies to an attempt that arrives while the first is running with the result of the first', async () => {
  const { attempt, acted, performed, end } = await serveRunningCall();
  const replies = [attempt(first), attempt(retry)];
  await attempt({ ...first, cookie: 'session=eve' });
  end();
  for (const reply of await Promise.all(replies)) expect(reply).toEqual(await performed);
  expect(acted()).toBe(1);
});

test('performs a running call once, though other calls leave no room for it in the memory', async () => {
  const { attempt, acted, performed, end, endOther } = await serveRunningCall();
  const call = { operation: 'tags.create', input: { name: 'new' } };
  const other = attempt({ 'x-call-id': 'f'.repeat(32) }, call);
  await vi.waitFor(() => expect(acted()).toBe(2));
  const again = attempt(retry);
  await attempt({ ...first, cookie: 'session=eve' });
  end();
  expect(await again).toEqual(await performed);
  endOther();
  expect((await other).status).toBe(200);
  expect(acted()).toBe(2);
});

test('remembers an error, so that a call with an unknown outcome is not performed again', async () => {
  const sandbox = createSandbox();
  sandbox.fail('*', { status: 500, times: 1 });
  const { attempt, acted } = serve({}, sandbox);
  const [one, two] = [await attempt(first), await attempt(retry)];
  expect(one).toMatchObject({ status: 500, body: { error: { name: 'ServerError', outcome: 'unknown' } } });
  expect(two).toEqual(one);
  expect(acted()).toBe(1);
});

test('remembers what output shows, and nothing else', async () => {
  const store = sharedStore();
  const { attempt } = serve({ dedupe: { store } });
  const call = { operation: 'legacy.identify', input: { email: 'ada@example.com', company: 'PRIVATE Ltd' } };
  await attempt(first, call);
  expect([...store.values.keys()]).toEqual([id]);
  expect(store.values.get(id)).toContain('contact created');
  expect(store.values.get(id)).not.toMatch(/PRIVATE|ada@/);
});

test('calls authorize for every attempt', async () => {
  const authorize = vi.fn(() => true);
  authorize.mockReturnValueOnce(true).mockReturnValueOnce(false);
  const { attempt } = serve({ authorize });
  expect((await attempt(first)).status).toBe(200);
  expect((await attempt(first)).status).toBe(403);
  expect((await attempt(first)).status).toBe(200);
  expect(authorize).toHaveBeenCalledTimes(3);
});

test.each<[string, object, Record<string, string>]>([
  ['operation', { operation: 'tags.delete', input: `tag_${'a1'.repeat(11)}` }, {}],
  ['input', { operation: 'tags.create', input: { name: 'other' } }, {}],
  ['cookie', create, { cookie: 'session=eve' }],
  ['authorization', create, { authorization: 'Bearer eve' }],
  ['authorized input', create, { 'x-user': 'eve' }],
])('refuses a call id that comes again with another %s', async (_, call, headers) => {
  const authorize: ProxyOptions['authorize'] = (request, asked) =>
    asked.operation === 'tags.create'
      ? { input: { name: `${asked.input.name} of ${request.headers.get('x-user')}` } }
      : true;
  const { attempt, acted } = serve({ authorize });
  await attempt({ ...first, cookie: 'session=ada', authorization: 'Bearer ada' });
  const reply = await attempt(
    { ...first, cookie: 'session=ada', authorization: 'Bearer ada', ...headers },
    call,
  );
  expect(reply).toMatchObject({
    status: 409,
    body: { error: { name: 'BadRequestError', outcome: 'unknown' } },
  });
  expect(reply.body.data).toBeUndefined();
  expect(acted()).toBe(1);
});

test.each<[string, object]>([
  ['operation', { operation: 'lists.create', input: { name: 'vip' } }],
  ['input', { operation: 'tags.create', input: { name: 'other' } }],
])(
  'refuses a call id that comes again with another %s from a visitor whom authorize names',
  async (_, call) => {
    const authorize = () => ({ input: { name: 'the same' }, visitor: 'ada' });
    const { attempt, acted } = serve({ allow: ['tags.create', 'lists.create'], authorize });
    await attempt(first);
    expect((await attempt(first, call)).status).toBe(409);
    expect(acted()).toBe(1);
  },
);

test('knows a visitor by the name that authorize returns, whatever else changes', async () => {
  let now = 0;
  const authorize: ProxyOptions['authorize'] = request => ({
    input: { name: `tag ${now++}` },
    visitor: request.headers.get('x-user') ?? '',
  });
  const { attempt, acted } = serve({ authorize });
  const one = await attempt({ ...first, 'x-user': 'ada', cookie: 'ga=1' });
  expect(await attempt({ ...first, 'x-user': 'ada', cookie: 'ga=2' })).toEqual(one);
  expect((await attempt({ ...first, 'x-user': 'eve', cookie: 'ga=1' })).status).toBe(409);
  expect(acted()).toBe(1);
});

test.each([
  ['', 'short'],
  ['g'.repeat(32), 'not hexadecimal'],
  [`${id}00`, 'long'],
  [id.toUpperCase().replace('0', 'Ä'), 'not ASCII'],
])('refuses the call id %j: it is %s', async value => {
  const { attempt, acted } = serve();
  expect(await attempt({ 'x-call-id': value })).toMatchObject({ status: 400 });
  expect(acted()).toBe(0);
});

test.each<[string, object, Record<string, string>]>([
  ['a creation', create, retry],
  ['a creation without an id', create, { 'x-call-retry': '1' }],
  [
    'a count',
    { operation: 'legacy.identify', input: { email: 'a@b.test', customFields: { points: '++5' } } },
    retry,
  ],
  [
    'a new email',
    { operation: 'legacy.identify', input: { email: 'a@b.test', newEmail: 'c@d.test' } },
    retry,
  ],
])('does not perform %s as a retry whose first attempt it does not remember', async (_, call, headers) => {
  const { attempt, acted } = serve();
  expect(await attempt(headers, call)).toMatchObject(unknown);
  expect(acted()).toBe(0);
});

test('decides by the input that goes to the service if a retry is performed', async () => {
  const authorize = () => ({ input: { email: 'ada@example.com', customFields: { visits: '++1' } } });
  const { attempt, acted } = serve({ authorize });
  const call = { operation: 'legacy.identify', input: { email: 'ada@example.com' } };
  expect(await attempt(retry, call)).toMatchObject(unknown);
  expect(acted()).toBe(0);
});

test.each<[string, object]>([
  ['a listing', { operation: 'contacts.list' }],
  ['a deletion', { operation: 'tags.delete', input: `tag_${'a1'.repeat(11)}` }],
  ['a plain identify', { operation: 'legacy.identify', input: { email: 'ada@example.com' } }],
])('performs %s as a retry whose first attempt it does not remember', async (_, call) => {
  const { attempt, acted } = serve(
    {},
    createSandbox({ seed: { tags: [{ id: `tag_${'a1'.repeat(11)}`, name: 'vip' }] } }),
  );
  expect((await attempt(retry, call)).status).toBe(200);
  expect(acted()).toBe(1);
});

test('keeps a result of 100 000 characters', async () => {
  // `{"data":"…"}` has 11 characters more than its text.
  const { attempt, acted } = serve({ output: { 'tags.create': () => 'x'.repeat(99_989) } });
  await attempt(first);
  expect((await attempt(first)).status).toBe(200);
  expect(acted()).toBe(1);
});

test('forgets a result after its time', async () => {
  vi.useFakeTimers();
  try {
    const { attempt } = serve({ dedupe: { ttl: 1000 } });
    await attempt(first);
    vi.advanceTimersByTime(999);
    expect((await attempt(retry)).status).toBe(200);
    vi.advanceTimersByTime(1);
    expect(await attempt(retry)).toMatchObject(unknown);
  } finally {
    vi.useRealTimers();
  }
});

test('keeps no result of more than 100 000 characters: a creation is not performed again, a listing is', async () => {
  const large = () => 'x'.repeat(99_990);
  const { attempt, acted } = serve({ output: { 'tags.create': large, 'contacts.list': large } });
  const list = { operation: 'contacts.list' };
  const listId = { 'x-call-id': 'a'.repeat(32) };
  await attempt(first);
  expect(await attempt(first)).toMatchObject({ status: 409, body: { error: { outcome: 'done' } } });
  await attempt(listId, list);
  expect((await attempt(listId, list)).status).toBe(200);
  expect(acted()).toBe(3);
});
