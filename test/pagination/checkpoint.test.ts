import { describe, expect, test } from 'vitest';
import type { Checkpoint } from '../../src/errors.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { FakeList, type Item, ids, item, items } from './fake-list.ts';

const paused = async () => {
  const list = new FakeList(items(500), 100);
  const paginator = list.paginate();
  await paginator.toArray({ max: 250 });
  return { list, checkpoint: paginator.checkpoint };
};

describe('a checkpoint', () => {
  test('is at most 3 kB of JSON', async () => {
    const { checkpoint } = await paused();
    const text = JSON.stringify(checkpoint);
    expect(text.length).toBeLessThan(3_000);
    expect(JSON.parse(text)).toEqual(checkpoint);
  });

  test.each([1, 2, 39, 40])('resumes after record %d of 40, by pages of 30', async yielded => {
    const list = new FakeList(items(40), 30);
    const paginator = list.paginate();
    const first = await paginator.toArray({ max: yielded });
    list.records = [item('new'), ...list.records.slice(1)];
    const rest = await list.paginate({ checkpoint: paginator.checkpoint }).toArray();
    expect(ids([...first, ...rest]).filter(id => !id.endsWith('new'))).toEqual(ids(items(40)));
  });

  test('is found from where one record is left of a list that shrank', async () => {
    const list = new FakeList(items(60), 30);
    const paginator = list.paginate();
    const first = await paginator.toArray({ max: 50 });
    list.records = list.records.slice(10);
    const rest = await list.paginate({ checkpoint: paginator.checkpoint }).toArray();
    expect(ids([...first, ...rest])).toEqual(ids(items(60)));
  });

  test('is at the end of the page when pages are yielded', async () => {
    const paginator = new FakeList(items(150), 100).paginate();
    for await (const page of paginator.pages()) {
      expect(page).toHaveLength(100);
      break;
    }
    expect(paginator.checkpoint.offset).toBe(100);
    expect(ids(await paginator.toArray())).toEqual(ids(items(50, 100)));
  });

  test.each([1e12, Number.MAX_SAFE_INTEGER, 100_000])(
    'with an offset of %d ends after few requests, and repeats nothing that it knows',
    async offset => {
      const { list, checkpoint } = await paused();
      const before = list.requests;
      const rest = await list.paginate({ checkpoint: { ...checkpoint, offset } }).toArray();
      expect(ids(rest)).toEqual(ids(items(250, 250)));
      expect(list.requests - before).toBeLessThan(150);
    },
  );

  test.each([1, 250, 1e12])(
    'with no record before it and an offset of %d starts over after few requests',
    async offset => {
      const { list, checkpoint } = await paused();
      const before = list.requests;
      const all = await list.paginate({ checkpoint: { ...checkpoint, tail: '', offset } }).toArray();
      expect(ids(all)).toEqual(ids(items(500)));
      expect(list.requests - before).toBeLessThan(100);
    },
  );

  test('of records that are nowhere starts over after a bounded search', async () => {
    const list = new FakeList(items(20_000), 10);
    const paginator = list.paginate();
    await paginator.toArray({ max: 15_000 });
    const { checkpoint } = paginator;
    list.records = items(20_000, 50_000);
    list.requests = 0;
    const [first] = await list.paginate({ checkpoint }).toArray({ max: 1 });
    expect(first?.id).toBe(items(1, 50_000)[0]?.id);
    expect(list.requests).toBeLessThan(140);
  });

  test('that holds every record before it starts over after a short search', async () => {
    const list = new FakeList(items(20_000), 10);
    const paginator = list.paginate();
    await paginator.toArray({ max: 150 });
    const { checkpoint } = paginator;
    list.records = items(20_000, 50_000);
    list.requests = 0;
    const [first] = await list.paginate({ checkpoint }).toArray({ max: 1 });
    expect(first?.id).toBe(items(1, 50_000)[0]?.id);
    expect(list.requests).toBeLessThan(30);
  });

  test('is found when the list shrank far below it', async () => {
    const list = new FakeList(items(3_000), 10);
    const paginator = list.paginate();
    await paginator.toArray({ max: 2_000 });
    list.records = list.records.slice(1_900);
    const rest = await list.paginate({ checkpoint: paginator.checkpoint }).toArray();
    expect(ids(rest)).toEqual(ids(items(1_000, 2_000)));
  });

  test.each([
    ['moved up by 500 records', 2_000, items(4_500, 500), items(3_000, 2_000)],
    ['moved down by 500 records', 2_000, [...items(500, 50_000), ...items(5_000)], items(3_000, 2_000)],
    ['moved down by 6 510 records', 2_000, [...items(6_510, 50_000), ...items(5_000)], items(3_000, 2_000)],
    ['moved down by 3 000 records', 2_000, [...items(3_000, 50_000), ...items(5_000)], items(3_000, 2_000)],
    [
      'stands before the end of a shorter list',
      1e12,
      [...items(1_200, 50_000), ...items(300, 1_800)],
      items(100, 2_000),
    ],
  ])('is found after few requests where it %s', async (_, offset, records, rest) => {
    const list = new FakeList(items(5_000), 10);
    const paginator = list.paginate();
    await paginator.toArray({ max: 2_000 });
    const checkpoint = { ...paginator.checkpoint, offset };
    list.records = records;
    list.requests = 0;
    await list.paginate({ checkpoint }).toArray({ max: 1 });
    expect(list.requests).toBeLessThan(115);
    expect(ids(await list.paginate({ checkpoint }).toArray())).toEqual(ids(rest));
  });

  test.each([3, 10])(
    'is found by pages of %d where half of the records read since the last stop were deleted',
    async cap => {
      const list = new FakeList(items(700), cap);
      const random = seededRandom(cap);
      const seen: Item[] = [];
      let checkpoint: Checkpoint | undefined;
      for (let stopped = true; stopped; ) {
        const paginator = list.paginate({ checkpoint });
        stopped = false;
        for await (const record of paginator) {
          seen.push(record);
          if (random() < 0.5) list.delete(record.id);
          if (random() > 0.2) continue;
          checkpoint = JSON.parse(JSON.stringify(paginator.checkpoint));
          stopped = true;
          break;
        }
      }
      expect(ids(seen)).toEqual(ids(items(700)));
    },
  );

  test('is found with one request more where all but two records before it were deleted', async () => {
    const { list, checkpoint } = await paused();
    list.records = items(252, 248);
    list.requests = 0;
    expect(await list.paginate({ checkpoint }).toArray({ max: 1 })).toEqual(items(1, 250));
    // The place in the checkpoint, the first page of all, and the page prefetched behind it.
    expect(list.requests).toBe(3);
  });

  test('is found in the middle of a list of which half was deleted', async () => {
    const list = new FakeList(items(59_000), 100);
    const paginator = list.paginate();
    await paginator.toArray({ max: 40_000 });
    list.records = items(39_000, 20_000);
    const { checkpoint } = paginator;
    list.requests = 0;
    expect(await list.paginate({ checkpoint }).toArray({ max: 1 })).toEqual(items(1, 40_000));
    expect(list.requests).toBeLessThan(10);
  });

  test('is searched for behind the end of the list, and at its start, once', async () => {
    const list = new FakeList(items(5_000), 10);
    const paginator = list.paginate();
    await paginator.toArray({ max: 2_001 });
    list.records = items(2_500, 50_000);
    list.asked.length = 0;
    await list.paginate({ checkpoint: paginator.checkpoint }).toArray({ max: 1 });
    const offsets = list.asked.map(({ offset }) => offset);
    expect(offsets.filter(offset => offset >= 2_500)).toHaveLength(1);
    expect(offsets.filter(offset => offset === 0)).toHaveLength(1);
  });

  test('is found by all records that the paginator itself remembers, however far the list moved', async () => {
    const list = new FakeList(items(6_000), 10);
    const paginator = list.paginate();
    await paginator.toArray({ max: 4_000 });
    list.records = [...items(12_000, 50_000), ...list.records];
    expect(await paginator.toArray({ max: 1 })).toEqual(items(1, 4_000));
  });

  test('is the same whether it is read after each record or at the end', async () => {
    const list = new FakeList(items(5_000), 100);
    const often = list.paginate();
    const once = list.paginate();
    for await (const _ of often) expect(often.checkpoint.tail.length).toBeLessThanOrEqual(2_200);
    await once.toArray();
    expect(often.checkpoint).toEqual(once.checkpoint);
  });
});
