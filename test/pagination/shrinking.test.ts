// Lists whose records are deleted while they are read: at their end, anywhere, or by the loop itself.
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../support/seeded-random.ts';
import { FakeList, type Item, ids, item, items } from './fake-list.ts';

/** Number of requests after which a run counts as endless. */
const maxRequests = 5_000;

/** Number of records that are never deleted, at the start of a list. */
const kept = 20;

/** A list of 400 records of which so many are deleted before each response, by turns. */
function shrinking(cap: number, deletedAt: 'end' | 'anywhere', deletions: readonly number[]): FakeList {
  const list = new FakeList(items(400), cap);
  const random = seededRandom(cap);
  list.onRequest = request => {
    if (request > maxRequests) throw new Error('endless');
    for (let left = deletions[request % deletions.length] ?? 0; left > 0; left--) {
      const { length } = list.records;
      const index = deletedAt === 'end' ? length - 1 : Math.floor(random() * length);
      if (index >= kept) list.records.splice(index, 1);
    }
  };
  return list;
}

const patterns = [[1], [3], [0, 1], [0, 0, 1], [1, 1, 0], [5, 0, 0], [2, 0, 1], [1, 2, 3, 4]];
const places = ['end', 'anywhere'] as const;

describe.each([30, 100])('a list that is read by pages of %d while records are deleted', cap => {
  test.each(places.flatMap(place => patterns.map(pattern => [place, pattern] as const)))(
    '(%s, %j before each response, by turns) is read to its end without an error',
    async (deletedAt, deletions) => {
      const list = shrinking(cap, deletedAt, deletions);
      const seen = ids(await list.paginate().toArray());
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toEqual(expect.arrayContaining(ids(list.records)));
      expect(list.requests).toBeLessThan(150);
    },
  );
});

describe.each([
  [6_000, 30],
  [10_000, 100],
])('a loop that deletes each of %d records, by pages of %d', (size, cap) => {
  const deleteAll = async (list: FakeList): Promise<void> => {
    for await (const { id } of list.paginate()) list.delete(id);
  };

  test('makes about two requests per page where nothing is added', async () => {
    const list = new FakeList(items(size), cap);
    await deleteAll(list);
    expect(list.records).toEqual([]);
    expect(list.requests).toBeLessThan((2.2 * size) / cap);
  });

  test.each([
    ['one record is added', (request: number) => request === 2],
    [
      'a record is added before every third response',
      (request: number) => request % 3 === 0 && request < 3_000,
    ],
  ])('deletes them all where at the start of the list %s', async (_, isAdded) => {
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
