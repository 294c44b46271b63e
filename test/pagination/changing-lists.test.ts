// Iterations over lists that change: what they yield, and how many requests they make.
import { describe, expect, test } from 'vitest';
import { FakeList, type Item, ids, item, items, readInto } from './fake-list.ts';
import { checkExactlyOnce } from './service-model.ts';

/** Maximum number of requests, whatever changes: two per page of a list that does not change, and ten. */
const enough = (size: number, cap: number): number => 2 * Math.ceil(size / (cap - 1)) + 10;

/** Returns a list to whose start `growth` records are added before each response. */
const growing = (size: number, cap: number, growth: number) => {
  const list = new FakeList(items(size), cap);
  let added = 0;
  list.onRequest = () => {
    list.records = [...Array.from({ length: growth }, () => item(`new${added++}`)), ...list.records];
  };
  return list;
};

describe('an iteration over a newest-first list that grows', () => {
  test.each([
    [2, 1],
    [10, 9],
    [100, 60],
  ])('reads it to the end in pages of %d when %d records are added per request', async (cap, growth) => {
    for (const concurrency of [1, 4]) {
      const seen = ids(await growing(300, cap, growth).paginate({ concurrency }).toArray());
      checkExactlyOnce({ yielded: seen, throughout: ids(items(300)) });
    }
  });

  test('finds its position in few requests after 500 records are added at once', async () => {
    const steady = new FakeList(items(1500), 10);
    await steady.paginate().toArray();
    const list = new FakeList(items(1500), 10);
    list.onRequest = request => {
      if (request === 120) list.records = [...items(500, 10_000), ...list.records];
    };
    expect(ids(await list.paginate().toArray())).toEqual(ids(items(1500)));
    expect(list.requests).toBeLessThan(steady.requests + 10);
  });

  test('reads it to the end when more records are added at once than were read, up to 8 000 of them', async () => {
    const list = new FakeList(items(6_000), 100);
    list.onRequest = request => {
      if (request === 46) list.records = [...items(10_000, 20_000), ...list.records];
    };
    const seen = ids(await list.paginate().toArray());
    checkExactlyOnce({ yielded: seen, throughout: ids(items(6_000)) });
  });

  test('throws, then resumes, when more records are added at once than it remembers, after 8 000 of them', async () => {
    const list = new FakeList(items(20_000), 100);
    list.onRequest = request => {
      if (request === 86) list.records = [...items(5_000, 20_000), ...list.records];
    };
    const seen: Item[] = [];
    const paginator = list.paginate();
    await expect(readInto(seen, paginator)).rejects.toThrow('grows faster than it is read');
    expect(ids(seen)).toEqual(ids(items(seen.length)));
    await readInto(seen, list.paginate({ checkpoint: paginator.checkpoint }));
    expect(ids(seen)).toEqual(ids(items(20_000)));
  });

  test.each([
    [100, 200],
    [10, 20],
  ])(
    'throws, and repeats nothing, when in pages of %d it always grows by %d records per request',
    async (cap, growth) => {
      const list = growing(300, cap, growth);
      const seen: Item[] = [];
      await expect(readInto(seen, list.paginate())).rejects.toThrow('grows faster than it is read');
      checkExactlyOnce({ yielded: ids(seen), throughout: [] });
    },
  );
});

test('does not repeat a yielded record that follows added ones when it resumes', async () => {
  const list = new FakeList(items(6), 3);
  let paginator = list.paginate();
  const seen = await paginator.toArray({ max: 3 });
  // The last record yielded is deleted; four are added before the one yielded before it.
  list.records = [item(0), ...items(4, 100), item(1), ...items(3, 3)];
  for (const max of [2, 100]) {
    paginator = list.paginate({ checkpoint: paginator.checkpoint });
    seen.push(...(await paginator.toArray({ max })));
  }
  expect(ids(seen)).toEqual(ids([...items(3), ...items(4, 100), ...items(3, 3)]));
});

test('finds its position in few requests after 15 000 records before it are deleted at once', async () => {
  const list = new FakeList(items(40_000), 100);
  const seen: Item[] = [];
  for await (const record of list.paginate()) {
    seen.push(record);
    if (seen.length === 30_000) list.records = list.records.slice(15_000);
  }
  expect(ids(seen)).toEqual(ids(items(40_000)));
  // 99 new records per page, and the search.
  expect(list.requests).toBeLessThan(40_000 / 99 + 30);
});

/** Maximum number of requests of an iteration that ends. */
const maxRequests = 5_000;

test.each([30, 100])('in pages of %d reads a list to the end that shrinks there', async cap => {
  const list = new FakeList(items(400), cap);
  list.onRequest = request => {
    if (request > maxRequests) throw new Error('endless');
    // The first records are never deleted.
    if (list.records.length > 20) list.records = list.records.slice(0, -1);
  };
  const seen = ids(await list.paginate().toArray());
  checkExactlyOnce({ yielded: seen, throughout: ids(list.records) });
});

describe.each([
  [6_000, 30],
  [10_000, 100],
])('a loop that deletes %d records in pages of %d', (size, cap) => {
  const deleteAll = async (list: FakeList): Promise<void> => {
    for await (const page of list.paginate().pages()) {
      const deleted = new Set(ids(page));
      list.records = list.records.filter(({ id }) => !deleted.has(id));
    }
  };

  test('makes about two requests per page', async () => {
    const list = new FakeList(items(size), cap);
    await deleteAll(list);
    expect(list.records).toEqual([]);
    expect(list.requests).toBeLessThanOrEqual(enough(size, cap));
  });

  test.each([
    ['one record is added', (request: number) => request === 2],
    [
      'a record is added before every third response',
      (request: number) => request % 3 === 0 && request < 3_000,
    ],
  ])('deletes them all when %s at the start of the list', async (_, isAdded) => {
    const list = new FakeList(items(size), cap);
    const added: Item[] = [];
    list.onRequest = request => {
      if (request > maxRequests) throw new Error('endless');
      if (!isAdded(request)) return;
      added.push(item(`new${request}`));
      list.records = [...added.slice(-1), ...list.records];
    };
    await deleteAll(list);
    expect(ids(list.records).filter(id => !id.includes('new'))).toEqual([]);
    expect(list.requests).toBeLessThan((5 * size) / cap);
  });
});

/** Replaces the records right before the response to the first request at `offset`. */
const changeAt = (list: FakeList, offset: number, records: FakeList['records']) => {
  let isChanged = false;
  list.onRequest = () => {
    if (isChanged || list.asked.at(-1)?.offset !== offset) return;
    isChanged = true;
    list.records = records;
  };
};

describe('an iteration whose yielded records are all deleted at once', () => {
  test('reads the list to the end from more than 64 pages further back', async () => {
    const list = new FakeList(items(1_500), 10);
    changeAt(list, 999, items(500, 1_000));
    expect(ids(await list.paginate().toArray())).toEqual(ids(items(1_500)));
  });

  test('reads the list to the end after more than 4 096 records', async () => {
    const list = new FakeList(items(9_000), 100);
    changeAt(list, 5_940, items(9_000 - 5_941, 5_941));
    expect(ids(await list.paginate().toArray())).toEqual(ids(items(9_000)));
    expect(list.asked.filter(({ offset }) => offset === 0)).toHaveLength(2);
  });

  test('reads the list to the end after it grew before the iteration resumed', async () => {
    const list = new FakeList(items(600), 10);
    const paginator = list.paginate();
    await paginator.toArray({ max: 300 });
    list.records = [...items(50, 5_000), ...list.records];
    changeAt(list, 376, items(600 - 327, 327));
    const rest = await list.paginate({ checkpoint: paginator.checkpoint }).toArray();
    expect(ids(rest)).toEqual(ids(items(300, 300)));
  });
});
