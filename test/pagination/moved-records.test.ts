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

describe('a list whose yielded records are all deleted at once', () => {
  test('is read to the end, though more than 64 pages further back', async () => {
    const list = new FakeList(items(1_500), 10);
    changeAt(list, 999, items(500, 1_000));
    expect(ids(await list.paginate().toArray())).toEqual(ids(items(1_500)));
  });

  test('is read to the end where more records were yielded than are remembered', async () => {
    const list = new FakeList(items(9_000), 100);
    changeAt(list, 5_940, items(9_000 - 5_941, 5_941));
    expect(ids(await list.paginate().toArray())).toEqual(ids(items(9_000)));
    expect(list.asked.filter(({ offset }) => offset === 0)).toHaveLength(2);
  });

  test('is read to the end where it grew before the iteration was resumed', async () => {
    const list = new FakeList(items(600), 10);
    const paginator = list.paginate();
    await paginator.toArray({ max: 300 });
    list.records = [...items(50, 5_000), ...list.records];
    changeAt(list, 376, items(600 - 327, 327));
    const rest = await list.paginate({ checkpoint: paginator.checkpoint }).toArray();
    expect(ids(rest)).toEqual(ids(items(300, 300)));
  });
});
