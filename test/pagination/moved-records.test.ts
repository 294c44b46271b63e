// Records that move up because an earlier one is deleted between two requests whose pages do not overlap.
import { describe, expect, test } from 'vitest';
import { FakeList, ids, items } from './fake-list.ts';

/** Makes the list's records `records` right before the first request at `offset`. */
const changeAt = (list: FakeList, offset: number, records: FakeList['records']) => {
  let isChanged = false;
  list.onRequest = () => {
    if (isChanged || list.asked.at(-1)?.offset !== offset) return;
    isChanged = true;
    list.records = records;
  };
};

describe('pages of one record', () => {
  test('lose no record when one before it is deleted', async () => {
    const list = new FakeList(items(5), 1);
    changeAt(list, 1, items(4, 1));
    expect(ids(await list.paginate().toArray())).toEqual(ids(items(5)));
  });

  test('lose no record that moves up to the last place', async () => {
    const list = new FakeList(items(2), 1);
    changeAt(list, 2, items(2, 1));
    expect(ids(await list.paginate().toArray())).toEqual(ids(items(3)));
  });
});

test('a record alone on the last page is followed by what was added, though an earlier one is deleted', async () => {
  const list = new FakeList(items(3), 3);
  changeAt(list, 3, items(4, 1));
  expect(ids(await list.paginate().toArray())).toEqual(ids(items(5)));
});
