// Iterations over lists whose records move while they are read, as in one that is sorted by the last change of each.
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../support/seeded-random.ts';
import { FakeList, type Item, ids, items } from './fake-list.ts';

/** Where a record moves when it changes: to the end of a list with the latest change last, or to the start. */
type Sorted = 'last' | 'first';

/** A list in which records move when they change. */
class MovingList extends FakeList {
  readonly #sorted: Sorted;

  constructor(size: number, cap: number, sorted: Sorted) {
    super(items(size), cap);
    this.#sorted = sorted;
  }

  change(record: Item): void {
    const others = this.records.filter(({ id }) => id !== record.id);
    this.records = this.#sorted === 'last' ? [...others, record] : [record, ...others];
  }
}

describe.each<Sorted>(['last', 'first'])('a list with the latest change %s', sorted => {
  test.each([1, 4])(
    'loses and repeats none while others change records, at concurrency %d',
    async concurrency => {
      for (const seed of Array(20).keys()) {
        const random = seededRandom(seed);
        const list = new MovingList(50 + Math.floor(random() * 1_000), 100, sorted);
        const changes = Math.floor(random() * 20);
        list.onRequest = request => {
          if (request > 500) throw new Error('endless');
          for (let left = changes; left > 0; left--)
            list.change(list.records[Math.floor(random() * list.records.length)] as Item);
        };
        const seen = ids(await list.paginate({ concurrency }).toArray());
        expect(seen).toHaveLength(list.records.length);
        expect(new Set(seen)).toEqual(new Set(ids(list.records)));
      }
    },
  );

  test.each([100, 30])(
    'loses and repeats none if the loop changes what it gets, in pages of %d',
    async cap => {
      for (const size of [5, 99, 150, 250, 304, 350, 700]) {
        const list = new MovingList(size, cap, sorted);
        const seen: Item[] = [];
        for await (const record of list.paginate()) {
          if (list.requests > 500) throw new Error('endless');
          seen.push(record);
          list.change(record);
        }
        expect(seen).toHaveLength(size);
        expect(new Set(ids(seen)).size).toBe(size);
      }
    },
  );
});

test('a loop that is left while the start is read again repeats no record when it resumes', async () => {
  const list = new MovingList(150, 100, 'first');
  list.onRequest = request => {
    if (request === 2) for (const record of list.records.slice(120, 130)) list.change(record);
  };
  const paginator = list.paginate();
  const seen = await paginator.toArray({ max: 145 });
  seen.push(...(await list.paginate({ checkpoint: paginator.checkpoint }).toArray()));
  expect(new Set(ids(seen)).size).toBe(150);
  expect(seen).toHaveLength(150);
});
