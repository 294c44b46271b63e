// The search that tells deleted records from records that growth has moved.
import { expect, test } from 'vitest';
import { isListWithout } from '../../src/pagination/find-position.ts';
import { PageFetcher } from '../../src/pagination/page-fetcher.ts';
import { FakeList, type Item, items } from './fake-list.ts';

/** Searches a list of `length` records, of which those from `from` on are known, for `size` known ones. */
async function search({ length, cap, size, from }: Record<'length' | 'cap' | 'size' | 'from', number>) {
  const list = new FakeList(items(length), cap);
  const fetcher = new PageFetcher<Item>(list.load, [100]);
  const known = new Set(list.records.slice(from, from + size));
  const isWithout = await isListWithout(fetcher, {
    size,
    isComplete: true,
    isIn: ({ records }) => records.some(record => known.has(record)),
  });
  return { isWithout, offsets: list.asked.map(({ offset }) => offset) };
}

const none = Number.POSITIVE_INFINITY;

test('a list is without known records once a page behind its end is empty', async () => {
  expect(await search({ length: 1_000, cap: 100, size: 600, from: none })).toEqual({
    isWithout: true,
    offsets: [300, 600, 900, 1_200],
  });
});

test('a list is not without known records where a page holds one', async () => {
  expect(await search({ length: 3_000, cap: 100, size: 600, from: 800 })).toEqual({
    isWithout: false,
    offsets: [300, 600, 900],
  });
});

test.each([
  [512, true],
  [513, false],
])(
  'a search of 512 pages at most, in steps of one record, reaches the end of %d: %s',
  async (length, isWithout) => {
    const result = await search({ length, cap: 2, size: 2, from: none });
    expect(result.isWithout).toBe(isWithout);
    expect(result.offsets).toHaveLength(512);
  },
);
