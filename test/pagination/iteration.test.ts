import { expect, test } from 'vitest';
import { ConnectionError } from '../../src/errors.ts';
import type { PaginatorProgress } from '../../src/pagination/paginator.ts';
import { FakeList, ids, items } from './fake-list.ts';

const failing = (at: number) => {
  const list = new FakeList(items(250), 100);
  list.onRequest = request => {
    if (request === at) throw new ConnectionError('gone', { outcome: 'unknown' });
  };
  return list;
};

test('refuses a second iteration while one runs, and leaves the first as it is', async () => {
  const list = new FakeList(items(50), 10);
  const paginator = list.paginate();
  let count = 0;
  for await (const _ of paginator) {
    if (count++ > 0) continue;
    const second = paginator[Symbol.asyncIterator]().next();
    await expect(second).rejects.toMatchObject({
      name: 'InvalidRequestError',
      issues: [{ path: 'iteration' }],
    });
    await expect(paginator.toArray()).rejects.toThrow('call all() for each');
  }
  expect(count).toBe(50);
  expect(await paginator.toArray()).toEqual([]);
});

test('leaves the running iteration as it is when another that never began is left', async () => {
  const paginator = new FakeList(items(5), 10).paginate();
  const other = paginator[Symbol.asyncIterator]();
  const first = paginator[Symbol.asyncIterator]().next();
  await other.return();
  expect(await first).toEqual({ done: false, value: items(1)[0] });
});

test('loses nothing when toArray rejects: position and checkpoint are where it started', async () => {
  const list = failing(4);
  const paginator = list.paginate();
  const first = await paginator.toArray({ max: 50 });
  const start = paginator.checkpoint;
  const error = await paginator.toArray().catch(error => error);
  expect(error).toMatchObject({ name: 'ConnectionError', checkpoint: start });
  expect(paginator.checkpoint).toEqual(start);
  expect(ids([...first, ...(await paginator.toArray())])).toEqual(ids(items(250)));
});

test.each([Number.NaN, -1, 1.5, null, '5'])('refuses toArray with a max of %s', async max => {
  const list = new FakeList(items(5), 10);
  await expect(list.paginate().toArray({ max: max as number })).rejects.toMatchObject({
    name: 'InvalidRequestError',
    issues: [{ path: 'max' }],
  });
  expect(list.requests).toBe(0);
});

test('reports progress after each page', async () => {
  const reports: PaginatorProgress[] = [];
  await new FakeList(items(95), 30)
    .paginate({ onProgress: progress => void reports.push(progress) })
    .toArray();
  expect(reports.map(({ records, pages }) => [records, pages])).toEqual([
    [30, 1],
    [59, 2],
    [88, 3],
    [95, 4],
  ]);
  expect(reports.every(({ perSecond }) => perSecond > 0)).toBe(true);
});

test('ignores an error that onProgress throws or rejects with', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  const throws = () => {
    throw new Error('bar broke');
  };
  for (const onProgress of [throws, async () => throws()])
    expect(await new FakeList(items(5), 10).paginate({ onProgress }).toArray()).toHaveLength(5);
  await new Promise(resolve => setTimeout(resolve, 5));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

test.each([
  [{ concurrent: 4 }, 'concurrent', 'Did you mean "concurrency"?'],
  [{ offset: 20 }, 'offset', 'Unknown option "offset"'],
  [{ pageSize: 0 }, 'pageSize', 'a whole number from 1 to 100'],
  [{ pageSize: 1e9 }, 'pageSize', 'a whole number from 1 to 100'],
  [{ onProgress: 5 }, 'onProgress', 'a function'],
  [{ signal: {} }, 'signal', 'an AbortSignal'],
])('refuses the option %o by name', (options, path, text) => {
  const make = () => new FakeList([], 1).paginate(options as object);
  expect(make).toThrow(text);
  expect(make).toThrow(path);
});

/** The name shows in a stack only where the frame of this function does. */
function theCallersOwnFunction(list: FakeList) {
  return list.paginate({ concurrency: 4 });
}

test('shows the caller of the paginator in the stack of an error of the iteration', async () => {
  const run = async () => {
    for await (const _ of theCallersOwnFunction(failing(3)));
  };
  const error: Error = await run().catch(error => error);
  expect(error.stack).toContain('theCallersOwnFunction');
  expect(error.stack).toContain('iteration.test.ts');
});
