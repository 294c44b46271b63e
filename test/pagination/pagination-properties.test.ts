import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Checkpoint } from '../../src/errors/checkpoint.ts';
import { NotFoundError } from '../../src/errors.ts';
import { runs } from '../support/long-run.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { FakeList, type Item, ids, item, items, refusal } from './fake-list.ts';

const caps = fc.constantFrom(1, 2, 3, 7, 10, 30, 100, 500);
const concurrency = fc.integer({ min: 1, max: 16 });
/** A larger `limit` is rejected. */
const refused = fc.constantFrom(30, 99, 100, Number.POSITIVE_INFINITY);

/** Lets responses come in any order. */
const scatter = (random: () => number) => async () => {
  for (let turns = Math.floor(random() * 8); turns > 0; turns--) await Promise.resolve();
};

const expectOnce = (yielded: readonly string[], throughout: readonly string[]) => {
  expect(new Set(yielded).size).toBe(yielded.length);
  const set = new Set(yielded);
  expect(throughout.filter(id => !set.has(id))).toEqual([]);
};

describe('pagination over a list of any size, by pages of any size', { timeout: 60_000 }, () => {
  const most = 400;
  const sizes = fc.integer({ min: 0, max: most });
  const anyRun = [sizes, caps, concurrency, fc.integer()] as const;
  const check = <T>(property: fc.IAsyncProperty<T>) => fc.assert(property, { numRuns: runs(40, 500) });

  test('yields each record once, in order, with as few requests as the cap allows', () =>
    check(
      fc.asyncProperty(...anyRun, refused, async (size, cap, pages, seed, over) => {
        const list = new FakeList(items(size), cap);
        list.onRequest = scatter(seededRandom(seed));
        list.mostAllowed = over;
        const yielded = await list.paginate({ concurrency: pages }).toArray();
        expect(ids(yielded)).toEqual(ids(list.records));
        // Each page after the first brings one record less than the cap, as it starts with the last one before it.
        const served = Math.min(cap, over < 100 ? 30 : 100);
        // A page of one record shows nothing of what follows it: there the one before it is loaded again.
        const needed = served === 1 ? size * 2 : size / (served - 1);
        const constant = 3 + pages;
        const refusals = over < 100 ? 1 : 0;
        expect(list.requests).toBeLessThanOrEqual(Math.ceil(needed) + constant + refusals);
        expect(list.mostInFlight).toBeLessThanOrEqual(pages);
      }),
    ));

  test('loses and repeats none while others are deleted anywhere, and while the loop deletes what is yielded', () =>
    check(
      fc.asyncProperty(
        ...anyRun,
        fc.constantFrom(0, 0.02, 0.3),
        fc.boolean(),
        async (size, cap, pages, seed, rate, deleting) => {
          const random = seededRandom(seed);
          const list = new FakeList(items(size), cap);
          const settle = scatter(random);
          list.onRequest = async () => {
            await settle();
            if (random() < rate * 3) list.records = list.records.filter(() => random() > rate / 3);
          };
          const yielded: string[] = [];
          for await (const { id } of list.paginate({ concurrency: pages })) {
            yielded.push(id);
            if (deleting) list.delete(id);
          }
          expectOnce(yielded, ids(list.records));
        },
      ),
    ));

  test('repeats none while others are added at either end', () =>
    check(
      fc.asyncProperty(...anyRun, async (size, cap, pages, seed) => {
        const random = seededRandom(seed);
        const first = items(size);
        const list = new FakeList(first, cap);
        const settle = scatter(random);
        let added = 0;
        const more = () =>
          Array.from({ length: Math.ceil(random() * random() * 40) }, () => item(`new${added++}`));
        list.onRequest = async request => {
          await settle();
          if (request > 60) return;
          if (random() < 0.3) list.records = [...more(), ...list.records];
          if (random() < 0.3) list.records = [...list.records, ...more()];
        };
        const yielded = ids(await list.paginate({ concurrency: pages }).toArray());
        expectOnce(yielded, ids(first));
      }),
    ));

  test('loses none where records are deleted and added between pages of two or more', () =>
    check(
      fc.asyncProperty(
        sizes,
        fc.constantFrom(2, 10, 30, 100),
        concurrency,
        fc.integer(),
        async (size, cap, pages, seed) => {
          const random = seededRandom(seed);
          const list = new FakeList(items(size), cap);
          let throughout = list.records;
          let added = 0;
          list.onRequest = request => {
            if (request > 200) return;
            if (random() < 0.2) {
              throughout = throughout.filter(() => random() > 0.05);
              const kept = new Set(throughout);
              list.records = list.records.filter(record => kept.has(record) || record.id.includes('new'));
            }
            if (random() < 0.2)
              list.records = [item(`new${added++}`), ...list.records, item(`new${added++}`)];
          };
          const yielded = ids(await list.paginate({ concurrency: pages }).toArray());
          expectOnce(yielded, ids(throughout));
        },
      ),
    ));

  test('resumes from the checkpoint of an error, wherever the service fails', () =>
    check(
      fc.asyncProperty(sizes, caps, concurrency, fc.nat(), async (size, cap, pages, at) => {
        const list = new FakeList(items(size), cap);
        list.onRequest = request => {
          if (request === 1 + (at % 20)) throw refusal(NotFoundError, 404);
        };
        const yielded: Item[] = [];
        const run = async () => {
          for await (const record of list.paginate({ concurrency: pages })) yielded.push(record);
        };
        const failed = await run().then(
          () => undefined,
          (error: NotFoundError) => error,
        );
        if (failed) {
          expect(failed.name).toBe('NotFoundError');
          const checkpoint: Checkpoint = JSON.parse(JSON.stringify(failed.checkpoint));
          yielded.push(...(await list.paginate({ checkpoint }).toArray()));
        }
        expect(ids(yielded)).toEqual(ids(list.records));
      }),
    ));

  test('resumes from a checkpoint at any record, whatever was deleted or added in between', () =>
    check(
      fc.asyncProperty(
        fc.integer({ min: 1, max: most }),
        caps,
        fc.nat(),
        fc.integer(),
        fc.constantFrom('nothing', 'some', 'all yielded', 'added'),
        async (size, cap, at, seed, change) => {
          const random = seededRandom(seed);
          const list = new FakeList(items(size), cap);
          const yielded: Item[] = [];
          const paginator = list.paginate();
          let checkpoint: Checkpoint = paginator.checkpoint;
          for await (const record of paginator) {
            yielded.push(record);
            checkpoint = JSON.parse(JSON.stringify(paginator.checkpoint));
            if (yielded.length > at % size) break;
          }
          if (change === 'some') list.records = list.records.filter(() => random() > 0.3);
          if (change === 'all yielded')
            list.records = list.records.filter(record => !yielded.includes(record));
          if (change === 'added')
            list.records = [...items(Math.floor(random() * 300), 5000), ...list.records, item('end')];
          const rest = await list.paginate({ checkpoint }).toArray();
          expectOnce(ids([...yielded, ...rest]), ids(list.records.filter(({ id }) => id < item(5000).id)));
        },
      ),
    ));
});
