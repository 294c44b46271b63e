// Lists that change in ways which a paginator must tell apart, and the requests that suffice to read them.
import { expect, test } from 'vitest';
import type { LoadPage } from '../../src/pagination/page-fetcher.ts';
import { Paginator } from '../../src/pagination/paginator.ts';
import { FakeList, type Item, ids, item, items } from './fake-list.ts';

/** A change right before the response to a request, or to each `every`-th one up to `until`. */
interface Change {
  readonly at: number;
  readonly until?: number;
  readonly every?: number;
  /** Records that come at the start, come at the end, or leave the start. */
  readonly addAtStart?: number;
  readonly addAtEnd?: number;
  readonly deleteFirst?: number;
  /** Number of records that are left; those behind them leave. */
  readonly keep?: number;
}

interface Scenario {
  readonly size: number;
  /** Most records in a response, in turn. */
  readonly caps: readonly [number, ...number[]];
  readonly concurrency?: number;
  readonly changes: readonly Change[];
}

/** Makes a list that changes so, and a paginator over it. */
function changing({ size, caps, concurrency = 1, changes }: Scenario) {
  const list = new FakeList(items(size), 100);
  let added = 0;
  const more = (count = 0) => Array.from({ length: count }, () => item(`new${added++}`));
  list.onRequest = request => {
    for (const { at, until = at, every = 1, ...change } of changes) {
      if (request < at || request > until || (request - at) % every !== 0) continue;
      const kept = list.records.slice(change.deleteFirst ?? 0, change.keep);
      list.records = [...more(change.addAtStart), ...kept, ...more(change.addAtEnd)];
    }
  };
  const load: LoadPage<Item> = ({ offset, limit }, options) =>
    list.load({ offset, limit: Math.min(limit, caps[list.requests % caps.length] ?? 1) }, options);
  const source = { operation: 'contacts.list', filter: {}, pageSizes: [100, 30], load } as const;
  return { list, paginator: new Paginator<Item>(source, { concurrency }) };
}

test.each<[string, number, Scenario]>([
  [
    'by pages of one, as records come at its end and then the first leave',
    170,
    {
      size: 40,
      caps: [1],
      changes: [
        { at: 26, addAtEnd: 40 },
        { at: 36, deleteFirst: 6 },
      ],
    },
  ],
  [
    'by pages of five and of one in turn, as more records come at its start than were read',
    363,
    { size: 300, caps: [5, 1], changes: [{ at: 49, addAtStart: 350 }] },
  ],
  [
    'by four pages at once, as the first records leave',
    42,
    { size: 300, caps: [10], concurrency: 4, changes: [{ at: 33, deleteFirst: 20 }] },
  ],
  [
    'by pages of one and of two in turn, as it grows by many pages with every second request',
    375,
    {
      size: 20,
      caps: [1, 2],
      changes: [
        { at: 2, addAtEnd: 3 },
        { at: 16, until: 26, every: 2, addAtStart: 40 },
      ],
    },
  ],
  [
    'by pages of one, as three records come with each request',
    146,
    {
      size: 40,
      caps: [1],
      changes: [
        { at: 1, deleteFirst: 3 },
        { at: 35, until: 100, addAtStart: 3 },
      ],
    },
  ],
  [
    'by pages of two, as eight records come with each request',
    136,
    { size: 60, caps: [2], changes: [{ at: 28, until: 100, addAtStart: 8 }] },
  ],
  [
    'by pages of two, as three records come with every second request',
    91,
    { size: 60, caps: [2], changes: [{ at: 44, until: 100, every: 2, addAtStart: 3 }] },
  ],
  [
    'by pages of two, as forty records come with each of four requests, and one at its end',
    106,
    {
      size: 60,
      caps: [2],
      changes: [
        { at: 20, addAtStart: 1 },
        { at: 48, until: 51, addAtStart: 40 },
        { at: 56, addAtEnd: 1 },
      ],
    },
  ],
  [
    'by pages of three, as the last records leave again and again',
    44,
    {
      size: 60,
      caps: [3],
      changes: [
        { at: 12, deleteFirst: 1 },
        { at: 30, until: 40, every: 3, keep: 29 },
      ],
    },
  ],
  ['by pages of one, asked for by four at once', 82, { size: 40, caps: [1], concurrency: 4, changes: [] }],
  [
    'by pages of 100, as more records come than were read, and all of them are remembered',
    80,
    {
      size: 2_000,
      caps: [100],
      changes: [
        { at: 3, addAtStart: 5 },
        { at: 16, addAtStart: 1_600 },
      ],
    },
  ],
  [
    'by pages of 100, as more records come than were read, and many follow those',
    120,
    {
      size: 6_000,
      caps: [100],
      changes: [
        { at: 3, addAtStart: 5 },
        { at: 16, addAtStart: 1_600 },
      ],
    },
  ],
  [
    'by pages of 100, as some records come and then most leave',
    130,
    {
      size: 6_000,
      caps: [100],
      changes: [
        { at: 3, addAtStart: 5 },
        { at: 52, deleteFirst: 5_000 },
      ],
    },
  ],
])('a list is read to the end %s, in at most %d requests', async (_, requests, scenario) => {
  const { list, paginator } = changing(scenario);
  const seen = ids(await paginator.toArray());
  const yielded = new Set(seen);
  expect(yielded.size).toBe(seen.length);
  expect(ids(list.records).filter(id => !id.includes('new') && !yielded.has(id))).toEqual([]);
  expect(list.requests).toBeLessThanOrEqual(requests);
});
