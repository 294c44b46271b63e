// Loops over a paginator: how they end, and what they report.
import { getEventListeners } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { ConnectionError, PermissionError } from '../../src/errors.ts';
import type { PaginatorProgress } from '../../src/pagination/paginator-options.ts';
import { useRejectionWatch } from '../client/support.ts';
import { FakeList, type Item, ids, items, partsOf, readInto, refusal, settled } from './fake-list.ts';

useRejectionWatch();

/** A list of 250 records whose request with this number fails. */
const failing = (at: number, error: Error = new ConnectionError('gone', { outcome: 'unknown' })) => {
  const list = new FakeList(items(250), 100);
  list.onRequest = request => {
    if (request === at) throw error;
  };
  return list;
};

describe('an iteration', () => {
  test('sends nothing before it starts', async () => {
    const list = new FakeList(items(5), 10);
    list.paginate()[Symbol.asyncIterator]();
    list.paginate().pages();
    await settled();
    expect(list.requests).toBe(0);
  });

  test('starts at the beginning, or at `checkpoint`, whatever other loops of the paginator do', async () => {
    const list = new FakeList(items(95), 30);
    const paginator = list.paginate();
    expect(await paginator.toArray()).toEqual(list.records);
    const outer: Item[] = [];
    for await (const record of paginator) {
      outer.push(record);
      if (outer.length === 40) for await (const _ of paginator.pages()) break;
    }
    expect(outer).toEqual(list.records);
    // The checkpoint belongs to the latest loop, which was left after one page.
    const rest = list.paginate({ checkpoint: paginator.checkpoint });
    for (let loops = 0; loops < 2; loops++) expect(await rest.toArray()).toEqual(items(65, 30));
  });

  test('yields no more than max', async () => {
    const list = new FakeList(items(500), 100);
    expect(await list.paginate().toArray({ max: 0 })).toEqual([]);
    expect(list.requests).toBe(0);
    expect(await list.paginate().toArray({ max: 3 })).toHaveLength(3);
  });

  test.each([Number.NaN, -1, 1.5, null, '5'])('rejects a max of %s', async max => {
    const list = new FakeList(items(5), 10);
    await expect(list.paginate().toArray({ max: max as number })).rejects.toMatchObject({
      name: 'InvalidRequestError',
      issues: [{ path: 'max' }],
    });
    expect(list.requests).toBe(0);
  });

  test('rejects with the reason of its signal, even between records', async () => {
    const list = new FakeList(items(1000), 10);
    const stop = new AbortController();
    const reason = { mine: true };
    const seen: Item[] = [];
    const run = async () => {
      for await (const record of list.paginate({ concurrency: 8, signal: stop.signal })) {
        seen.push(record);
        if (seen.length === 35) stop.abort(reason);
      }
    };
    await expect(run()).rejects.toBe(reason);
    expect(seen).toHaveLength(35);
    await expect(list.paginate({ signal: stop.signal }).toArray()).rejects.toBe(reason);
    expect(reason).toEqual({ mine: true });
  });

  test('stops listening to its signal when it ends', async () => {
    const { signal } = new AbortController();
    await new FakeList(items(5), 10).paginate({ signal }).toArray();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('an error of a page', () => {
  test('of the library gets the checkpoint, and names the call that failed', async () => {
    const paginator = failing(3, refusal(PermissionError, 403)).paginate();
    const error = await readInto([], paginator).catch(error => error);
    expect(error).toMatchObject({ name: 'PermissionError', operation: 'contacts.list' });
    expect(error.checkpoint).toEqual(paginator.checkpoint);
    expect(partsOf(paginator.checkpoint).offset).toBe(199);
  });

  test('of another kind is thrown unchanged', async () => {
    const foreign = new RangeError('mine');
    await expect(failing(2, foreign).paginate().toArray()).rejects.toBe(foreign);
    expect(Object.keys(foreign)).toEqual([]);
  });

  test('loses nothing of toArray: position and checkpoint are where it started', async () => {
    const before = new FakeList(items(250), 100).paginate();
    await before.toArray({ max: 50 });
    const { checkpoint } = before;
    const paginator = failing(3).paginate({ checkpoint });
    const error = await paginator.toArray().catch(error => error);
    expect(error).toMatchObject({ name: 'ConnectionError', checkpoint });
    expect(paginator.checkpoint).toEqual(checkpoint);
    expect(ids(await paginator.toArray())).toEqual(ids(items(200, 50)));
  });
});

describe('progress', () => {
  test('is reported after each page, with the records per second since the iteration began', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(10_000);
    const list = new FakeList(items(6), 3);
    const reports: PaginatorProgress[] = [];
    list.onRequest = request => void now.mockReturnValue(10_000 + (request - 1) * 500);
    for await (const _ of list.paginate({ onProgress: progress => void reports.push(progress) }))
      await undefined;
    now.mockRestore();
    // Each page is requested before the report of the page before it.
    expect(reports.map(({ records, pages, perSecond }) => [records, pages, perSecond])).toEqual([
      [3, 1, 6],
      [5, 2, 5],
      [6, 3, 4],
    ]);
  });

  test('changes nothing when onProgress throws or rejects', async () => {
    const throws = () => {
      throw new Error('bar broke');
    };
    for (const onProgress of [throws, async () => throws()])
      expect(await new FakeList(items(5), 10).paginate({ onProgress }).toArray()).toHaveLength(5);
  });
});
