// Requests that wait: holds, latencies, stalls and handlers that take time, and what a reset or an abort does to them.
import { expect, onTestFinished, test, vi } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/testing/index.ts';
import { collectGarbage } from '../support/memory.ts';
import { rest } from './http.ts';

const newTag = (sandbox: Sandbox, name: string) => rest(sandbox, 'POST /tag', { name });
const names = ({ state }: Sandbox) => state.tags.all.map(({ name }) => name);

/** Waits until everything that needs no timer has happened. */
const settled = () => new Promise(resolve => setImmediate(resolve));

function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

test('a hold keeps requests until its release, and none after it', async () => {
  const sandbox = createSandbox();
  const held = sandbox.hold('tags.create');
  const first = newTag(sandbox, 'a');
  await held.arrived;
  const second = newTag(sandbox, 'b');
  expect((await rest(sandbox, 'GET /sender')).status).toBe(200);
  await settled();
  expect([names(sandbox), held.hits, held.kind]).toEqual([[], 2, 'hold']);
  held.release();
  await Promise.all([first, second]);
  await newTag(sandbox, 'c');
  expect([names(sandbox), held.hits, sandbox.faults()]).toEqual([['a', 'b', 'c'], 2, []]);
  const applied = sandbox.requests.to('tags.create').map(({ appliedFaults }) => appliedFaults?.length);
  expect(applied).toEqual([1, 1, undefined]);
});

test('a hold with `acted` and `times` keeps the response of only one performed request', async () => {
  const sandbox = createSandbox();
  const held = sandbox.hold('*', { acted: true, times: 1 });
  const call = newTag(sandbox, 'a');
  await held.arrived;
  await settled();
  expect([names(sandbox), sandbox.requests.last()?.status]).toEqual([['a'], undefined]);
  expect((await newTag(sandbox, 'b')).status).toBe(200);
  sandbox.clearFaults();
  expect((await call).status).toBe(200);
});

test('`arrived` resolves if a hold ends without a request', async () => {
  const sandbox = createSandbox();
  const [cancelled, reset] = [sandbox.hold('tags.create'), sandbox.hold('tags.create')];
  cancelled.cancel();
  await cancelled.arrived;
  sandbox.reset();
  await reset.arrived;
  expect([cancelled.hits, reset.hits]).toEqual([0, 0]);
});

test('latencies add up, and one with `acted` delays the response of a performed request', async () => {
  fakeTimers();
  const sandbox = createSandbox();
  sandbox.latency('*', 30);
  sandbox.latency('tags.create', { ms: 27, times: 1 });
  sandbox.latency('*', { ms: 200, acted: true });
  const call = newTag(sandbox, 'a');
  await vi.advanceTimersByTimeAsync(55);
  expect(names(sandbox)).toEqual([]);
  await vi.advanceTimersByTimeAsync(5);
  expect(names(sandbox)).toEqual(['a']);
  await vi.advanceTimersByTimeAsync(189);
  expect(sandbox.requests.last()?.status).toBeUndefined();
  await vi.advanceTimersByTimeAsync(11);
  expect((await call).status).toBe(200);
  expect(sandbox.requests.last()?.appliedFaults).toHaveLength(3);
});

/** Makes requests wait. Each returns what lets the request continue. */
const waits: Readonly<Record<string, (sandbox: Sandbox) => () => void>> = {
  'a latency': sandbox => {
    sandbox.latency('*', { ms: 30, acted: true });
    sandbox.latency('*', 30);
    return () => vi.advanceTimersByTime(30);
  },
  'a hold': sandbox => sandbox.hold('*').release,
  'a stall': sandbox => sandbox.stall('*').cancel,
  'a handler that returns undefined': sandbox => {
    let proceed = (_?: undefined) => {};
    const waiting = new Promise<undefined>(resolve => {
      proceed = resolve;
    });
    sandbox.on('POST /tag', () => waiting);
    return () => proceed();
  },
};

test.each(Object.entries(waits))(
  'after a reset, a request that waits for %s changes nothing, and its connection is cut',
  async (_, begin) => {
    fakeTimers();
    const seen: unknown[] = [];
    const sandbox = createSandbox({ seed: { tags: 1 }, onResponse: ({ status }) => seen.push(status) });
    const proceed = begin(sandbox);
    const call = newTag(sandbox, 'late');
    await settled();
    sandbox.reset();
    expect(vi.getTimerCount()).toBe(0);
    proceed();
    await expect(call).rejects.toMatchObject({ name: 'TypeError', cause: { code: 'ECONNRESET' } });
    await settled();
    expect([names(sandbox), sandbox.requests, seen]).toEqual([['tag-1'], [], [undefined]]);
  },
);

test('after a reset, a request whose body was not read yet changes nothing', async () => {
  const sandbox = createSandbox();
  const call = newTag(sandbox, 'late');
  sandbox.reset();
  await expect(call).rejects.toThrow(TypeError);
  expect([names(sandbox), sandbox.requests]).toEqual([[], []]);
  expect((await newTag(sandbox, 'next')).status).toBe(200);
});

test('after a reset, a response whose body stalls loses its connection, with `fetch` as over HTTP', async () => {
  const sandbox = createSandbox();
  await using server = await sandbox.listen();
  for (const call of [sandbox.fetch, fetch]) {
    sandbox.stall('*', { at: 'body' });
    const response = await call(`${server.url}/api/v1/rest/sender`, {
      headers: { 'X-Team-ApiKey': sandbox.apiKey },
    });
    sandbox.reset();
    await expect(response.text()).rejects.toThrow(TypeError);
  }
});

test.each<[wait: string, begin: (sandbox: Sandbox) => unknown]>([
  ['a stall', sandbox => sandbox.stall('*')],
  ['a stall in the body', sandbox => sandbox.stall('*', { at: 'body' })],
  ['a hold', sandbox => sandbox.hold('*')],
])('an abort ends %s, even after memory was freed', async (_, begin) => {
  const sandbox = createSandbox();
  begin(sandbox);
  const controller = new AbortController();
  const { signal } = controller;
  const call = (input: string | Request, init?: RequestInit) =>
    sandbox.fetch(input, init).then(response => response.text());
  const url = 'https://sandbox.test/api/v1/rest/sender';
  const calls = [call(url, { signal }), call(new Request(url, { signal }))];
  await new Promise(resolve => setTimeout(resolve, 10));
  collectGarbage();
  await settled();
  controller.abort(new Error('enough'));
  for (const ended of calls) await expect(ended).rejects.toThrow('enough');
});
