// Iterations over lists that change: what they yield, and how many requests they make.
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../support/seeded-random.ts';
import { iterate, type Kind, mistakesOf, none } from './changing-list.ts';
import { FakeList, type Item, ids, item, items, readInto } from './fake-list.ts';

/** Returns a list that changes before each response. */
function changing(size: number, cap: number, change: (list: FakeList, request: number) => void): FakeList {
  const list = new FakeList(items(size), cap);
  list.onRequest = request => {
    if (request > 5_000) throw new Error('endless');
    change(list, request);
  };
  return list;
}

/** Adds this many records at the start of a list. */
function addInFront(count: number) {
  let added = 0;
  return (list: FakeList) =>
    void list.records.unshift(...Array.from({ length: count }, () => item(`new${added++}`)));
}

/** Deletes this many records, which the first page contained. */
const deleteBehind = (count: number) => (list: FakeList, request: number) =>
  void (request > 1 && list.records.splice(0, count));

/** Deletes this many records, anywhere in a list. */
function deleteAnywhere(count: number) {
  const random = seededRandom(1);
  return ({ records }: FakeList) => {
    for (let left = count; left > 0; left--) records.splice(Math.floor(random() * records.length), 1);
  };
}

test.each([
  [60, 30, 3, 55, 57],
  [201, 100, 3, 193, 197],
  [200, 100, 3, 195, 199],
  [594, 100, 5, 143, 440],
])(
  'an iteration over %d reads all if in pages of %d, before request %d, records %d to %d move to the end',
  async (size, cap, at, from, to) => {
    const list = changing(size, cap, ({ records }, request) => {
      if (request === at) records.push(...records.splice(from, to - from));
    });
    expect(mistakesOf(ids(await list.paginate().toArray()), ids(items(size)))).toEqual(none);
  },
);

test('an iteration needs at most five requests per page if the loop moves each record to the start', async () => {
  const list = new FakeList(items(600), 30);
  // The loop changes the list before the next page, which is already requested, is read.
  list.onRequest = () => new Promise(setImmediate);
  const seen: string[] = [];
  for await (const page of list.paginate().pages()) {
    seen.push(...ids(page));
    list.records = [...page.toReversed(), ...list.records.filter(record => !page.includes(record))];
  }
  expect(mistakesOf(seen, ids(items(600)))).toEqual(none);
  expect(list.requests).toBeLessThanOrEqual((5 * 600) / 30);
});

test.each([2, 3])('a loop reads all if it moves all but each %d. record to the end', async step => {
  for (let size = 11; size <= 20; size++) {
    const list = new FakeList(items(size), 10);
    list.onRequest = () => new Promise(setImmediate);
    const seen: string[] = [];
    for await (const page of list.paginate({ pageSize: 10 }).pages()) {
      seen.push(...ids(page));
      const moved = page.filter((_, index) => index % step < step - 1);
      const gone = step === 2 ? moved : page;
      list.records = [...list.records.filter(record => !gone.includes(record)), ...moved];
    }
    expect({ size, ...mistakesOf(seen, ids(items(size))) }).toEqual({ size, ...none });
  }
});

describe('an iteration over a newest-first list that grows', () => {
  test.each([
    [2, 1, [1]],
    [10, 9, [1]],
    [100, 60, [1, 4]],
  ])('reads it to the end in pages of %d when %d records are added per request', async (cap, growth, all) => {
    for (const concurrency of all) {
      const seen = ids(await changing(300, cap, addInFront(growth)).paginate({ concurrency }).toArray());
      expect(mistakesOf(seen, ids(items(300)))).toEqual(none);
    }
  });

  test.each([
    [6_000, 46, 10_000, 6_000],
    [20_000, 86, 5_000, 25_000],
  ])('reads all %d if before request %d another %d are added at once', async (size, at, added, least) => {
    const list = changing(size, 100, ({ records }, request) => {
      if (request === at) records.unshift(...items(added, size));
    });
    expect(mistakesOf(ids(await list.paginate().toArray()), ids(items(least)))).toEqual(none);
  });

  test('reads it to the end in pages of 10 to 17, although a short one can look like the end', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const kind: Kind = { sorted: 'created last', size: 210, additions: 5, caps: [10, 17, 10] };
      expect(await iterate(kind, seed)).toMatchObject({ ...none, errors: 0 });
    }
  });

  test.each([
    [100, 200],
    [10, 20],
  ])(
    'throws, and repeats nothing, when pages have %d records and the list always grows by %d per request',
    async (cap, growth) => {
      const list = changing(300, cap, addInFront(growth));
      const seen: Item[] = [];
      await expect(readInto(seen, list.paginate())).rejects.toThrow('changes faster than it is read');
      expect(mistakesOf(ids(seen), [])).toEqual(none);
    },
  );
});

test.each([
  // 99 new records per page, the search, and at most as many known records as the list has moved up. Then the list is read
  // again, because known records far from where they were read can also have been moved by a change.
  [40_000, 30_000, 15_000, (40_000 + 15_000 + 25_000) / 99 + 30],
  // No known record is there, so the list is read from its start, which is then read again.
  [9_000, 6_000, 6_000, 9_000 / 99 + 30],
])(
  'reads all of %d records if, after %d, the first %d are deleted at once',
  async (size, at, deleted, most) => {
    const list = new FakeList(items(size), 100);
    const seen: Item[] = [];
    for await (const record of list.paginate()) {
      seen.push(record);
      if (seen.length === at) list.records.splice(0, deleted);
    }
    expect(ids(seen)).toEqual(ids(items(size)));
    expect(list.requests).toBeLessThan(most);
  },
);

test('a loop deletes 6 000 records while others are added at the start of the list', async () => {
  const list = changing(6_000, 30, ({ records }, request) => {
    if (request % 3 === 0 && request < 3_000) records.unshift(item(`new${request}`));
  });
  for await (const page of list.paginate().pages()) for (const { id } of page) list.delete(id);
  expect(ids(list.records).filter(id => !id.includes('new'))).toEqual([]);
  expect(list.requests).toBeLessThan((5 * 6_000) / 30);
});

// If nothing changes, 33 requests read the list, and the start again.
describe.each([
  ['leave behind the loop', deleteBehind, 40, 80],
  ['leave from anywhere', deleteAnywhere, 50, 80],
  ['join in front', addInFront, 55, 55],
] as const)(
  'an iteration over 3 000 records, of which some %s before each response',
  (_, change, one, four) => {
    test.each([1, 3, 10])('needs few more requests if those are %d', async count => {
      for (const [concurrency, most] of [
        [1, one],
        [4, four],
      ] as const) {
        const list = changing(3_000, 100, change(count));
        const seen = ids(await list.paginate({ concurrency }).toArray());
        const throughout = ids(list.records).filter(id => !id.includes('new'));
        expect(mistakesOf(seen, throughout)).toEqual(none);
        expect(list.requests).toBeLessThanOrEqual(most);
      }
    });
  },
);
