import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { type BulkCall, type BulkContext, type BulkProgress, bulk } from '../../src/index.ts';
import { useRejectionWatch } from '../client/support.ts';
import { eventually } from '../support/eventually.ts';
import { runs } from '../support/long-run.ts';
import { bulkScenario, checkBulk } from './bulk-model.ts';

useRejectionWatch();

/** Makes calls that end when the test says so. */
const held = () => {
  const ends = new Map<number, (error?: Error) => void>();
  const aborted: number[] = [];
  const call = (input: number, { signal, index }: BulkContext) =>
    new Promise<string>((resolve, reject) => {
      ends.set(index, error => (error ? reject(error) : resolve(`did ${input}`)));
      signal.addEventListener('abort', () => {
        aborted.push(index);
        reject(signal.reason);
      });
    });
  const end = async (index: number, error?: Error) => {
    ends.get(index)?.(error);
    await settled();
  };
  return { call, end, aborted, started: () => [...ends.keys()] };
};

/** Runs everything that is ready to run. */
const settled = async () => {
  for (let turns = 0; turns < 2; turns++) await new Promise(resolve => setImmediate(resolve));
};

/** Makes a source that counts the items taken from it. */
function counted(length: number) {
  const source = {
    taken: 0,
    async *[Symbol.asyncIterator]() {
      for (; source.taken < length; ) yield source.taken++;
    },
  };
  return source;
}

describe('bulk', () => {
  test('runs to the end with `toArray`, even if a call rejects or throws', async () => {
    const call = (input: number) => {
      if (input === 2) throw new Error('no');
      return input === 3 ? Promise.reject(new Error('never')) : Promise.resolve(input * 10);
    };
    expect(await bulk([1, 2, 3, 4], call, { concurrency: 2 }).toArray()).toEqual([
      { ok: true, index: 0, input: 1, data: 10 },
      { ok: false, index: 1, input: 2, error: new Error('no') },
      { ok: false, index: 2, input: 3, error: new Error('never') },
      { ok: true, index: 3, input: 4, data: 40 },
    ]);
    await expect(bulk([1], call, { concurrency: 0 }).toArray()).rejects.toThrow('concurrency');
  });

  test('fails an item whose function returns no promise, because the call that it started is lost', async () => {
    const forgetsReturn = (input: number) => (input === 2 ? undefined : Promise.resolve(input));
    const results = await bulk([1, 2, 3], forgetsReturn as BulkCall<number, number>).toArray();
    expect(results.map(({ ok }) => ok)).toEqual([true, false, true]);
    const start = /^bulk: the function returned undefined for item 1, not a promise\. Return/;
    const error = { name: 'InvalidRequestError', outcome: 'unknown', retryable: false };
    expect(results[1]?.error).toMatchObject({ ...error, message: expect.stringMatching(start) });
  });

  test('that was left cannot be continued, which would skip items', async () => {
    const results = bulk([1, 2, 3], async input => `did ${input}`);
    const loop = async () => {
      for await (const _ of results) break;
    };
    await loop();
    const message = 'bulk: already iterated. Call `bulk(…)` again with the remaining items.';
    await expect(loop()).rejects.toThrow(message);
    await expect(results.toArray()).rejects.toThrow(message);
  });

  test('makes eight calls at a time by default', async () => {
    const { call, started } = held();
    const results = bulk(counted(100), call);
    void results.next().catch(() => {});
    await settled();
    expect(started()).toHaveLength(8);
  });

  test('reports progress and the calls per second since the start, each time a call ends', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(10_000);
    const reported: BulkProgress[] = [];
    const call = async (input: number) => {
      now.mockReturnValue(10_000 + input);
      if (input === 500) throw new Error('no');
    };
    const onProgress = (progress: BulkProgress) => void reported.push(progress);
    await bulk([0, 500, 2_000], call, { concurrency: 1, onProgress }).toArray();
    now.mockRestore();
    expect(reported).toMatchObject([
      // The start was less than a millisecond ago, which counts as one.
      { done: 1, failed: 0, perSecond: 1_000 },
      { done: 2, failed: 1, perSecond: 4 },
      { done: 3, failed: 1, perSecond: 1.5, inFlight: 0 },
    ]);
  });

  test('ignores an error that onProgress throws or rejects with', async () => {
    const throws = () => {
      throw new Error('bar broke');
    };
    for (const onProgress of [throws, async () => throws()]) {
      const results = await bulk([1, 2], async input => input, { onProgress }).toArray();
      expect(results.map(({ ok }) => ok)).toEqual([true, true]);
    }
  });

  test('with stopOnError aborts the other calls, and leaves no listener', async () => {
    const { call, end, aborted } = held();
    const { signal } = new AbortController();
    const results = bulk(counted(100), call, { concurrency: 4, stopOnError: true, signal }).toArray();
    await settled();
    await end(0, new Error('no'));
    expect(await results).toMatchObject([{ ok: false, index: 0 }]);
    expect(aborted).toEqual(expect.arrayContaining([1, 2, 3]));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test.each([
    [10_000, [0, 10_000]],
    [10_001, [0]],
  ])('with `ordered: false` and %i items of a key that hangs calls for %j', async (slow, called) => {
    const { call, started } = held();
    const controller = new AbortController();
    const key = (index: number) => (index < slow ? 'slow' : index);
    const source = counted(slow + 1);
    const all = bulk(source, call, { key, ordered: false, signal: controller.signal }).toArray();
    await eventually(() => expect(source.taken).toBeGreaterThanOrEqual(10_001));
    await settled();
    expect(started()).toEqual(called);
    controller.abort('enough');
    await expect(all).rejects.toBe('enough');
  });

  test.each([
    [true, [0, 1]],
    [false, [1, 0]],
  ])('yields what is in flight before the error of the source (ordered: %s)', async (ordered, order) => {
    async function* broken() {
      yield 0;
      yield 1;
      throw new Error('disk');
    }
    const { call, end } = held();
    const seen: number[] = [];
    const run = async () => {
      for await (const { index } of bulk(broken(), call, { ordered })) seen.push(index);
    };
    const ran = expect(run()).rejects.toThrow('disk');
    await settled();
    await end(1);
    await end(0);
    await ran;
    expect(seen).toEqual(order);
  });

  test('throws an error of key', async () => {
    const fail = () => {
      throw new Error('no key');
    };
    const call = async () => {};
    await expect(bulk([1], call, { key: fail }).toArray()).rejects.toThrow('no key');
  });

  test.each([
    ['people.csv', async () => {}, {}, 'source'],
    [[1], 'call', {}, 'call'],
    [[1], async () => {}, null, 'options'],
    [[1], async () => {}, { concurency: 2 }, 'concurency'],
    [[1], async () => {}, { concurrency: Number.NaN }, 'concurrency'],
    [[1], async () => {}, { concurrency: 1.5 }, 'concurrency'],
    [[1], async () => {}, { stopOnError: 1 }, 'stopOnError'],
    [[1], async () => {}, { ordered: 'no' }, 'ordered'],
    [[1], async () => {}, { key: 'email' }, 'key'],
  ])('rejects the arguments %o, %o, %o, and names %s', async (source, call, options, path) => {
    const results = bulk(source as [], call as never, options as object);
    await expect(results.next()).rejects.toMatchObject({
      name: 'InvalidRequestError',
      message: expect.stringMatching(/^bulk: /),
      issues: [{ path }],
    });
  });

  test('yields a result while the source is busy, and does not wait for it if the loop is left', async () => {
    async function* slow() {
      yield 1;
      await new Promise(() => {});
    }
    let count = 0;
    for await (const _ of bulk(slow(), async input => input)) {
      count += 1;
      break;
    }
    expect(count).toBe(1);
  });

  test('ends at once by its signal, even if a call ignores its own', async () => {
    const stop = new AbortController();
    const first = bulk([1], () => new Promise(() => {}), { signal: stop.signal }).next();
    await settled();
    stop.abort('enough');
    await expect(first).rejects.toBe('enough');
  });

  test('aborts its calls by its signal while the loop is busy, and takes no more items', async () => {
    const stop = new AbortController();
    const { call, end, aborted } = held();
    const source = counted(100);
    const results = bulk(source, call, { concurrency: 2, signal: stop.signal });
    const first = results.next();
    await settled();
    await end(0);
    await first;
    await settled();
    stop.abort('enough');
    await settled();
    expect(aborted).toEqual(expect.arrayContaining([1, 2]));
    await expect(results.next()).rejects.toBe('enough');
    expect(source.taken).toBe(3);
  });

  test('wraps a thrown value that is not an error', async () => {
    const [result] = await bulk([1], () => Promise.reject('no luck')).toArray();
    expect(result).toMatchObject({ ok: false, error: { message: 'no luck', cause: 'no luck' } });
    expect(result?.ok === false && result.error).toBeInstanceOf(Error);
  });

  test('keeps order, keys, limits, stopOnError and cancellation in a model of random calls', () =>
    fc.assert(fc.asyncProperty(bulkScenario, checkBulk), { numRuns: runs(200, 2_000) }));
});
