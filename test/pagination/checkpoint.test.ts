import { describe, expect, test } from 'vitest';
import { ChangingList, mistakesOf, none } from './changing-list.ts';
import { changed, FakeList, type Item, ids, item, items, partsOf } from './fake-list.ts';

/** Iterates over `read` of `size` records, then stops. */
async function stopped(size: number, cap: number, read: number) {
  const list = new FakeList(items(size), cap);
  const paginator = list.paginate();
  await paginator.toArray({ max: read });
  list.requests = 0;
  list.asked.length = 0;
  return { list, checkpoint: paginator.checkpoint };
}

describe('a checkpoint', () => {
  test('is a string of at most 3 kB, with nothing that a file name, a URL or JSON would escape', async () => {
    const { checkpoint } = await stopped(500, 100, 250);
    expect(checkpoint).toMatch(/^[a-z0-9.]{2000,3000}$/);
  });

  test('of version 1.0 is read by every later 1.x', async () => {
    // Do not change it: programs have stored such strings.
    const stored = '1.gi28t6bjip9.4.0i25ftiy950bh5mer9f9cr4oyd7ojvjkrfo2i92acj1k';
    const { list, checkpoint } = await stopped(6, 3, 4);
    expect(checkpoint).toBe(stored);
    list.records = items(5, 1);
    expect(ids(await list.paginate({ checkpoint: stored }).toArray())).toEqual(ids(items(2, 4)));
  });

  test('is the same whether it is read after each record or at the end', async () => {
    const list = new FakeList(items(8_250), 100);
    const often = list.paginate();
    const once = list.paginate();
    for await (const _ of often) expect(partsOf(often.checkpoint).tail.length).toBeLessThanOrEqual(2_200);
    await once.toArray();
    expect(often.checkpoint).toEqual(once.checkpoint);
  });
});

/** A list that was read up to a checkpoint, and what an iteration yields that resumes from there. */
interface Resumed {
  readonly size: number;
  readonly cap: number;
  readonly read: number;
  /** Changes of the checkpoint. */
  readonly change?: { readonly offset?: number; readonly tail?: string };
  /** Records of the list when the iteration resumes; the same if absent. */
  readonly records?: Item[];
  readonly rest: Item[];
  /** Maximum number of requests up to the first record. */
  readonly requests: number;
}

const long = { size: 5_000, cap: 10, read: 2_000, rest: items(3_000, 2_000), requests: 115 };
const short = { size: 500, cap: 100, read: 250, rest: items(250, 250), requests: 149 };
const added = (count: number): Item[] => items(count, 50_000);

test.each<[string, Resumed]>([
  ['its position moved up by 500 records', { ...long, records: items(4_500, 500) }],
  ['its position moved down by 6 510 records', { ...long, records: [...added(6_510), ...items(5_000)] }],
  [
    'its position is before the end of a list that is shorter than its offset',
    {
      ...long,
      change: { offset: 1e12 },
      records: [...added(1_200), ...items(300, 1_800)],
      rest: items(100, 2_000),
    },
  ],
  [
    'its position is in the middle of a list of which half was deleted',
    {
      size: 59_000,
      cap: 100,
      read: 40_000,
      records: items(39_000, 20_000),
      rest: items(19_000, 40_000),
      requests: 9,
    },
  ],
  // The position in the checkpoint, the first page of all, and the page prefetched behind it.
  [
    'its position follows the two records before it that were not deleted',
    { ...short, records: items(252, 248), requests: 3 },
  ],
  [
    'its position is far before an offset beyond any list',
    { ...short, change: { offset: 999_999_999_999_999 } },
  ],
  // It starts over at the beginning.
  [
    'its checkpoint remembers no record, at offset 1e12',
    { ...short, change: { tail: '', offset: 1e12 }, rest: items(500) },
  ],
  [
    'its checkpoint remembers deleted records only',
    { size: 20_000, cap: 10, read: 15_000, records: added(20_000), rest: added(20_000), requests: 139 },
  ],
])('an iteration resumes after few requests if %s', async (_, resumed) => {
  const { size, cap, read, change, records, rest, requests } = resumed;
  const { list, checkpoint: original } = await stopped(size, cap, read);
  if (records) list.records = records;
  const checkpoint = changed(original, change ?? {});
  await list.paginate({ checkpoint }).toArray({ max: 1 });
  expect(list.requests).toBeLessThanOrEqual(requests);
  expect(ids(await list.paginate({ checkpoint }).toArray())).toEqual(ids(rest));
});

test('does not, on resuming, repeat a yielded record that follows added ones', async () => {
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

test('a search requests the end and the start of the list once each', async () => {
  const { list, checkpoint } = await stopped(5_000, 10, 2_001);
  list.records = added(2_500);
  await list.paginate({ checkpoint }).toArray({ max: 1 });
  const offsets = list.asked.map(({ offset }) => offset);
  expect(offsets.filter(offset => offset >= 2_500)).toHaveLength(1);
  expect(offsets.filter(offset => offset === 0)).toHaveLength(1);
});

test('a loop does not resume from a record that was added late, far before the others', async () => {
  const list = new FakeList(items(500), 10);
  const late = item('late');
  const seen: Item[] = [];
  const read = async (max: number, checkpoint?: string) => {
    const paginator = list.paginate({ checkpoint });
    seen.push(...(await paginator.toArray({ max })));
    return paginator.checkpoint;
  };
  const first = await read(150);
  list.records = [...items(9), late, ...items(51, 9), ...items(438, 62)];
  const second = await read(180, first);
  list.records.splice(2, 1);
  list.records.splice(98, 1);
  await read(Number.POSITIVE_INFINITY, second);
  // The one that was added before the position may be left out.
  expect(mistakesOf(ids(seen), ids(items(500)))).toEqual(none);
});

test('a loop that is left while the start is read again repeats no record when it resumes', async () => {
  const list = new ChangingList({ sorted: 'changed last', size: 150 }, 1);
  list.onRequest = request => {
    if (request === 2) for (const record of list.records.slice(120, 130)) list.update(record);
  };
  const paginator = list.paginate();
  const seen = await paginator.toArray({ max: 145 });
  seen.push(...(await list.paginate({ checkpoint: paginator.checkpoint }).toArray()));
  expect(mistakesOf(ids(seen), list.throughout)).toEqual(none);
});
