// Iterations over lists that change: what they yield, and how many requests they make.
import { describe, expect, test } from 'vitest';
import { FakeList, type Item, ids, item, items, readInto } from './fake-list.ts';
import { checkExactlyOnce } from './service-model.ts';

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
    [2, 1, [1]],
    [10, 9, [1]],
    [100, 60, [1, 4]],
  ])('reads it to the end in pages of %d when %d records are added per request', async (cap, growth, all) => {
    for (const concurrency of all) {
      const seen = ids(await growing(300, cap, growth).paginate({ concurrency }).toArray());
      checkExactlyOnce({ yielded: seen, throughout: ids(items(300)) });
    }
  });

  test('reads it to the end when more records are added at once than were read, up to 8 000 of them', async () => {
    const list = new FakeList(items(6_000), 100);
    list.onRequest = request => {
      if (request === 46) list.records = [...items(10_000, 20_000), ...list.records];
    };
    const seen = ids(await list.paginate().toArray());
    checkExactlyOnce({ yielded: seen, throughout: ids(items(6_000)) });
  });

  test('reads it to the end when 5 000 records are added at once, after 8 000 of them', async () => {
    const list = new FakeList(items(20_000), 100);
    list.onRequest = request => {
      if (request === 86) list.records = [...items(5_000, 20_000), ...list.records];
    };
    const seen = ids(await list.paginate().toArray());
    // Those that were added are yielded last, when the start is read again.
    expect(seen).toEqual(ids(items(25_000)));
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
  // Those that were added before the position are yielded last, when the start is read again.
  expect(ids(seen)).toEqual(ids([...items(3), ...items(3, 3), ...items(4, 100)]));
});

test('finds its position again after 15 000 records before it are deleted at once', async () => {
  const list = new FakeList(items(40_000), 100);
  const seen: Item[] = [];
  for await (const record of list.paginate()) {
    seen.push(record);
    if (seen.length === 30_000) list.records = list.records.slice(15_000);
  }
  expect(ids(seen)).toEqual(ids(items(40_000)));
  // 99 new records per page, the search, and at most as many known records as the list has moved up. Then the list is read
  // again, because known records far from where they were read can also have been moved by a change.
  expect(list.requests).toBeLessThan((40_000 + 15_000 + 25_000) / 99 + 30);
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

test.each([
  ['one record is added', (request: number) => request === 2],
  [
    'a record is added before every third response',
    (request: number) => request % 3 === 0 && request < 3_000,
  ],
])('a loop deletes 6 000 records in pages of 30 when %s at the start of the list', async (_, isAdded) => {
  const list = new FakeList(items(6_000), 30);
  const added: Item[] = [];
  list.onRequest = request => {
    if (request > maxRequests) throw new Error('endless');
    if (!isAdded(request)) return;
    added.push(item(`new${request}`));
    list.records = [...added.slice(-1), ...list.records];
  };
  for await (const page of list.paginate().pages()) {
    const deleted = new Set(ids(page));
    list.records = list.records.filter(({ id }) => !deleted.has(id));
  }
  expect(ids(list.records).filter(id => !id.includes('new'))).toEqual([]);
  expect(list.requests).toBeLessThan((5 * 6_000) / 30);
});

test('reads the list to the end if all of more than 4 096 yielded records are deleted at once', async () => {
  const list = new FakeList(items(9_000), 100);
  let isChanged = false;
  list.onRequest = () => {
    if (isChanged || list.asked.at(-1)?.offset !== 5_940) return;
    isChanged = true;
    list.records = items(9_000 - 5_941, 5_941);
  };
  expect(ids(await list.paginate().toArray())).toEqual(ids(items(9_000)));
  // At first, after they were deleted, and to look for records that have moved to the start.
  expect(list.asked.filter(({ offset }) => offset === 0)).toHaveLength(3);
});
