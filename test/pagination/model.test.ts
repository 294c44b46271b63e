// Random lists, services and users, and what an iteration over them guarantees.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../support/long-run.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { FakeList, type Item, ids, item, items } from './fake-list.ts';
import {
  changingScenario,
  checkExactlyOnce,
  runScenario,
  shrinkingScenario,
  singleRecordScenario,
  steadyScenario,
} from './service-model.ts';

/** Makes every run test the same cases; `npm run fuzz -- pagination` tests others. */
const seed = 20_261_122;

describe('a model of a service', { timeout: 120_000 }, () => {
  test('loses no record and yields none twice while the list changes and the cap varies from 10 upwards', () =>
    fc.assert(
      fc.asyncProperty(changingScenario, async scenario => checkExactlyOnce(await runScenario(scenario))),
      { seed, numRuns: runs(150, 1_500) },
    ));

  test('reports no growth of a list that only shrinks', () =>
    fc.assert(
      fc.asyncProperty(shrinkingScenario, async scenario => {
        const run = await runScenario(scenario);
        checkExactlyOnce(run);
        expect(run.timesOutrun).toBe(0);
      }),
      { seed, numRuns: runs(100, 1_000) },
    ));

  test('loses no record and yields none twice by pages of one while records are deleted', () =>
    fc.assert(
      fc.asyncProperty(singleRecordScenario, async scenario => checkExactlyOnce(await runScenario(scenario))),
      { seed, numRuns: runs(50, 1_000) },
    ));

  test('yields every record once and in order on a steady list, by pages of any size from 1', () =>
    fc.assert(
      fc.asyncProperty(steadyScenario, async scenario => {
        const { yielded, throughout } = await runScenario(scenario);
        expect(yielded).toEqual(throughout);
      }),
      { seed, numRuns: runs(150, 1_500) },
    ));
});

const caps = fc.constantFrom(1, 2, 3, 7, 10, 30, 100, 500);
const most = 400;

describe('an iteration over a list of any size, by pages of any size', { timeout: 60_000 }, () => {
  const check = <T>(property: fc.IAsyncProperty<T>) => fc.assert(property, { seed, numRuns: runs(50, 600) });

  test('yields each record once, in order, with few requests', () =>
    check(
      fc.asyncProperty(
        fc.integer({ min: 0, max: most }),
        caps,
        fc.integer({ min: 1, max: 16 }),
        fc.integer(),
        // A larger `limit` is rejected.
        fc.constantFrom(30, 99, 100, Number.POSITIVE_INFINITY),
        async (size, cap, pages, seed, over) => {
          const list = new FakeList(items(size), cap);
          const random = seededRandom(seed);
          // Responses come in any order.
          list.onRequest = async () => {
            for (let turns = Math.floor(random() * 8); turns > 0; turns--) await undefined;
          };
          list.mostAllowed = over;
          const yielded = await list.paginate({ concurrency: pages }).toArray();
          expect(ids(yielded)).toEqual(ids(list.records));
          // Each page after the first contains one new record less than the cap.
          const served = Math.min(cap, over < 100 ? 30 : 100);
          // Pages of one record do not overlap: each is confirmed by a second look at the one before it.
          const needed = served === 1 ? size * 2 : size / (served - 1);
          const constant = 3 + pages;
          const rejections = over < 100 ? 1 : 0;
          expect(list.requests).toBeLessThanOrEqual(Math.ceil(needed) + constant + rejections);
          expect(list.mostInFlight).toBeLessThanOrEqual(pages);
        },
      ),
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
          let { checkpoint } = paginator;
          for await (const record of paginator) {
            yielded.push(record);
            checkpoint = paginator.checkpoint;
            if (yielded.length > at % size) break;
          }
          if (change === 'some') list.records = list.records.filter(() => random() > 0.3);
          if (change === 'all yielded')
            list.records = list.records.filter(record => !yielded.includes(record));
          if (change === 'added')
            list.records = [...items(Math.floor(random() * 300), 5000), ...list.records, item('end')];
          const rest = await list.paginate({ checkpoint }).toArray();
          const throughout = list.records.filter(({ id }) => id < item(5000).id);
          checkExactlyOnce({ yielded: ids([...yielded, ...rest]), throughout: ids(throughout) });
        },
      ),
    ));
});
