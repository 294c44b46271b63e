import { describe, expect, test } from 'vitest';
import { FakeList, type Item, ids, item, items } from './fake-list.ts';

/** A list to whose start `growth` records are added before each response, up to a number of requests. */
const growing = (size: number, cap: number, growth: number, until = 100_000) => {
  const list = new FakeList(items(size), cap);
  let added = 0;
  list.onRequest = request => {
    if (request > until) return;
    list.records = [...Array.from({ length: growth }, () => item(`new${added++}`)), ...list.records];
  };
  return list;
};

describe('a newest-first list that grows while it is read', () => {
  test.each([
    [2, 1],
    [10, 9],
    [30, 29],
    [100, 60],
  ])('by pages of %d is read to the end when %d records are added per request', async (cap, growth) => {
    const list = growing(300, cap, growth);
    const seen = await list.paginate().toArray();
    expect(new Set(ids(seen)).size).toBe(seen.length);
    expect(ids(seen)).toEqual(expect.arrayContaining(ids(items(300))));
  });

  test('is read to the end by pages of 10 once 40 records per request are added no more', async () => {
    const seen = await growing(300, 10, 40, 50).paginate({ concurrency: 4 }).toArray();
    expect(new Set(ids(seen)).size).toBe(seen.length);
    expect(ids(seen)).toEqual(expect.arrayContaining(ids(items(300))));
  });

  test('needs few requests to continue where hundreds of records are added at once', async () => {
    const steady = new FakeList(items(1500), 10);
    await steady.paginate().toArray();
    const list = new FakeList(items(1500), 10);
    list.onRequest = request => {
      if (request === 120) list.records = [...items(500, 10_000), ...list.records];
    };
    expect(ids(await list.paginate().toArray())).toEqual(ids(items(1500)));
    expect(list.requests).toBeLessThan(steady.requests + 10);
  });

  test.each([1, 4])(
    'gives an error, and repeats nothing, where it outgrows what is remembered, %d requests at once',
    async concurrency => {
      const list = growing(2_000, 30, 40, 400);
      const seen: Item[] = [];
      const read = async () => {
        for await (const record of list.paginate({ concurrency })) seen.push(record);
      };
      await expect(read()).rejects.toThrow('grows faster than it is read');
      expect(new Set(ids(seen)).size).toBe(seen.length);
    },
  );

  test('gives an error, and repeats nothing, where it grew by one record and then by more than was read', async () => {
    const list = new FakeList(items(6_000), 100);
    list.onRequest = request => {
      if (request === 3) list.records = [...items(1, 10_000), ...list.records];
      if (request === 46) list.records = [...items(5_000, 20_000), ...list.records];
    };
    const seen: Item[] = [];
    const read = async () => {
      for await (const record of list.paginate()) seen.push(record);
    };
    await expect(read()).rejects.toThrow('grows faster than it is read');
    expect(ids(seen)).toEqual(ids(items(seen.length)));
  });

  test('gives an error, and repeats nothing, where it grows by many pages with every third request', async () => {
    const list = new FakeList(items(300), 10);
    let added = 0;
    list.onRequest = request => {
      const isMany = request >= 10 && request <= 100 && request % 3 === 1;
      const count = request === 9 ? 40 : 700 * Number(isMany);
      list.records = [...Array.from({ length: count }, () => item(`new${added++}`)), ...list.records];
    };
    const seen: Item[] = [];
    const read = async () => {
      for await (const record of list.paginate()) seen.push(record);
    };
    await expect(read()).rejects.toThrow('grows faster than it is read');
    expect(new Set(ids(seen)).size).toBe(seen.length);
  });

  test('gives an error with a checkpoint where it always grows just past what is read, and resumes', async () => {
    const list = new FakeList(items(50), 5);
    const seen: Item[] = [];
    let added = 0;
    list.onRequest = request => {
      const latest = list.records.findIndex(({ id }) => id === seen.at(-1)?.id);
      const { offset } = list.asked.at(-1) ?? { offset: 0 };
      if (request < 4 || request > 120 || offset > 1e6 || latest < 0) return;
      const missing = Math.max(0, offset + 5 - latest);
      list.records = [...Array.from({ length: missing }, () => item(`new${added++}`)), ...list.records];
    };
    const paginator = list.paginate();
    const read = async () => {
      for await (const record of paginator) seen.push(record);
    };
    const error = await read().catch(error => error);
    expect(error).toMatchObject({
      name: 'InvalidResponseError',
      message: expect.stringContaining('grows faster than it is read'),
      outcome: 'done',
      issues: [{ path: '', expected: 'a new record', received: 'the same records again' }],
      checkpoint: paginator.checkpoint,
    });
    expect(list.requests).toBeLessThan(120);
    list.onRequest = () => {};
    await read();
    expect(new Set(ids(seen)).size).toBe(seen.length);
    expect(ids(seen)).toEqual(expect.arrayContaining(ids(items(50))));
  });
});
