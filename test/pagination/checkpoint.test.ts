import { describe, expect, test } from 'vitest';
import type { Checkpoint } from '../../src/pagination/checkpoint.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { FakeList, type Item, ids, items } from './fake-list.ts';

const paused = async () => {
  const list = new FakeList(items(500), 100);
  const paginator = list.paginate();
  await paginator.toArray({ max: 250 });
  return { list, checkpoint: paginator.checkpoint };
};

describe('a checkpoint from outside', () => {
  test.each([
    [{ tail: 5 }, 'checkpoint.tail'],
    [{ tail: undefined }, 'checkpoint.tail'],
    [{ tail: 'A'.repeat(11) }, 'checkpoint.tail'],
    [{ tail: 'abc' }, 'checkpoint.tail'],
    [{ tail: '0'.repeat(11 * 201) }, 'checkpoint.tail'],
    [{ tail: ['x'] }, 'checkpoint.tail'],
    [{ offset: -1 }, 'checkpoint.offset'],
    [{ offset: 1.5 }, 'checkpoint.offset'],
    [{ offset: '5' }, 'checkpoint.offset'],
    [{ offset: 2 ** 60 }, 'checkpoint.offset'],
    [{ offset: null }, 'checkpoint.offset'],
    [{ source: 5 }, 'checkpoint.source'],
    [{ source: undefined }, 'checkpoint.source'],
    [{ source: 'lists.list 0' }, 'checkpoint.source'],
  ])('with %o is refused by the name of its member', async (change, path) => {
    const { list, checkpoint } = await paused();
    const changed = { ...checkpoint, ...change } as typeof checkpoint;
    expect(() => list.paginate({ checkpoint: changed })).toThrow(path);
    try {
      list.paginate({ checkpoint: changed });
    } catch (error) {
      expect(error).toMatchObject({ name: 'InvalidRequestError', issues: [{ path }] });
    }
  });

  test.each([null, 5, 'x', [], true])('that is %o is refused', checkpoint => {
    expect(() => new FakeList([], 1).paginate({ checkpoint: checkpoint as never })).toThrow(
      'checkpoint must be',
    );
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
    expect(list.requests).toBeLessThan(110);
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
    expect(offsets.filter(offset => offset >= 2_500)).toEqual([2_500]);
    // The first shows how many records come at once, and the second is where the iteration starts over.
    expect(offsets.filter(offset => offset === 0)).toEqual([0, 0]);
  });

  test('is found by all records that the paginator itself remembers, however far the list moved', async () => {
    const list = new FakeList(items(6_000), 10);
    const paginator = list.paginate();
    await paginator.toArray({ max: 4_000 });
    list.records = [...items(12_000, 50_000), ...list.records];
    expect(await paginator.toArray({ max: 1 })).toEqual(items(1, 4_000));
  });

  test('that version 0.2 stored resumes right after the records that it holds', async () => {
    const checkpoint = {
      source: 'contacts.list 00000000002',
      offset: 12,
      tail: '0ai0evtbcv61tb9hjb58vn0vfqby4cc5c2e900o3phms1gdew1spaez0c3eifz77c419yw0u8h0av',
    };
    for (const kept of [5, 6, 7, 8, 9, 10, 11]) {
      const list = new FakeList([...items(20, 50_000), ...items(1, kept), ...items(8, 12)], 10);
      const rest = await list.paginate({ checkpoint }).toArray();
      expect(ids(rest)).toEqual(ids(items(8, 12)));
    }
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
