// Random lists, services and users, and what an iteration over them guarantees.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../support/long-run.ts';
import { iterate, none } from './changing-list.ts';
import { changingKind, shrinkingKind, singleRecordKind, steadyKind } from './random-kinds.ts';

/** Makes every run test the same cases; `npm run fuzz -- pagination` tests others. */
const seed = 20_261_122;

describe('an iteration over a random list', { timeout: 120_000 }, () => {
  const check = <T>(property: fc.IAsyncProperty<T>, quick: number) =>
    fc.assert(property, { seed, numRuns: runs(quick, quick * 10) });

  test('misses no record and repeats none while the list changes and the cap varies from 10 upwards', () =>
    check(
      fc.asyncProperty(changingKind, async kind => {
        const { missed, repeated, errors } = await iterate(kind, kind.seed);
        // An iteration that was outrun, and resumed after hundreds of new records, can repeat some: see the guide.
        expect({ missed, repeated: errors > 0 ? 0 : repeated }).toEqual(none);
      }),
      150,
    ));

  test('reports no growth of a list that only shrinks', () =>
    check(
      fc.asyncProperty(shrinkingKind, async kind => {
        expect(await iterate(kind, kind.seed)).toMatchObject({ ...none, errors: 0 });
      }),
      100,
    ));

  test('misses no record and repeats none in pages of one while records are deleted', () =>
    check(
      fc.asyncProperty(singleRecordKind, async kind => {
        expect(await iterate(kind, kind.seed)).toMatchObject({ ...none, errors: 0 });
      }),
      50,
    ));

  test('yields every record once and in order for an unchanging list, in pages of any size from 1', () =>
    check(
      fc.asyncProperty(steadyKind, async kind => {
        const { yielded, throughout, errors } = await iterate(kind, kind.seed);
        expect([yielded, errors]).toEqual([[...throughout], 0]);
      }),
      150,
    ));
});
