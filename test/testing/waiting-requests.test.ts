// Requests that wait: holds, latencies, handlers that take time, and what a reset does to them.
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/testing/index.ts';
import { rest } from './http.ts';

const newTag = (sandbox: Sandbox, name: string) => rest(sandbox, 'POST /tag', { name });
const names = ({ state }: Sandbox) => state.tags.all.map(({ name }) => name);

/** Waits until everything that needs no timer has happened. */
const settled = () => new Promise(resolve => setImmediate(resolve));

function fakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
}

describe('hold', () => {
  test('keeps requests until release, and none after it', async () => {
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
    expect(sandbox.requests.to('tags.create').map(({ appliedFaults }) => appliedFaults?.length)).toEqual([
      1,
      1,
      undefined,
    ]);
  });

  test('with `acted` and `times`, keeps the response of one performed request, and no other', async () => {
    const sandbox = createSandbox();
    const held = sandbox.hold('*', { acted: true, times: 1 });
    const call = newTag(sandbox, 'a');
    await held.arrived;
    await settled();
    expect([names(sandbox), sandbox.requests.last()?.status]).toEqual([['a'], undefined]);
    expect((await newTag(sandbox, 'b')).status).toBe(200);
    held.cancel();
    expect((await call).status).toBe(200);
  });

  test('ends when all faults are cleared', async () => {
    const sandbox = createSandbox();
    const { arrived } = sandbox.hold('*');
    const cleared = rest(sandbox, 'GET /sender');
    await arrived;
    sandbox.clearFaults();
    expect((await cleared).status).toBe(200);
  });

  test('lets nobody wait for a request if it ends without one', async () => {
    const sandbox = createSandbox();
    const [cancelled, reset] = [sandbox.hold('tags.create'), sandbox.hold('tags.create')];
    cancelled.cancel();
    await cancelled.arrived;
    sandbox.reset();
    await reset.arrived;
    expect([cancelled.hits, reset.hits]).toEqual([0, 0]);
  });
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

describe('after a reset, a request of before it changes nothing, and its connection is cut', () => {
  /** Each returns what lets the request continue. */
  const waits: Readonly<Record<string, (sandbox: Sandbox) => () => void>> = {
    'a latency': sandbox => {
      sandbox.latency('*', 30);
      return () => vi.advanceTimersByTime(30);
    },
    'a latency with `acted`': sandbox => {
      sandbox.latency('*', { ms: 30, acted: true });
      return () => vi.advanceTimersByTime(30);
    },
    'a hold': sandbox => sandbox.hold('*').release,
    'a stall': sandbox => {
      sandbox.stall('*');
      return () => {};
    },
    'a handler that falls through': sandbox => {
      let proceed = () => {};
      const waiting = new Promise<undefined>(resolve => {
        proceed = () => resolve(undefined);
      });
      sandbox.on('POST /tag', () => waiting);
      return () => proceed();
    },
  };

  test.each(Object.entries(waits))('if it waits for %s', async (_, begin) => {
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
  });

  test('if its body was not read yet', async () => {
    const sandbox = createSandbox();
    const call = newTag(sandbox, 'late');
    sandbox.reset();
    await expect(call).rejects.toThrow(TypeError);
    expect([names(sandbox), sandbox.requests]).toEqual([[], []]);
    expect((await newTag(sandbox, 'next')).status).toBe(200);
  });
});
