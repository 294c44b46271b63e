import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../support/long-run.ts';
import {
  changingScenario,
  checkExactlyOnce,
  runScenario,
  shrinkingScenario,
  singleRecordScenario,
  steadyScenario,
} from './service-model.ts';

describe('a model of a service', { timeout: 120_000 }, () => {
  test('loses no record and yields none twice while the list changes and the cap varies from 2 upwards', () =>
    fc.assert(
      fc.asyncProperty(changingScenario, async scenario => checkExactlyOnce(await runScenario(scenario))),
      { numRuns: runs(150, 1_500) },
    ));

  test('is not reported to grow while it only shrinks', () =>
    fc.assert(
      fc.asyncProperty(shrinkingScenario, async scenario => {
        const run = await runScenario(scenario);
        checkExactlyOnce(run);
        expect(run.timesOutrun).toBe(0);
      }),
      { numRuns: runs(100, 1_000) },
    ));

  test('loses no record and yields none twice by pages of one while records are deleted', () =>
    fc.assert(
      fc.asyncProperty(singleRecordScenario, async scenario => checkExactlyOnce(await runScenario(scenario))),
      { numRuns: runs(100, 1_000) },
    ));

  test('yields every record once and in order on a steady list, by pages of any size from 1', () =>
    fc.assert(
      fc.asyncProperty(steadyScenario, async scenario => {
        const { yielded, throughout } = await runScenario(scenario);
        expect(yielded).toEqual(throughout);
      }),
      { numRuns: runs(150, 1_500) },
    ));
});
