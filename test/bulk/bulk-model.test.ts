import fc from 'fast-check';
import { it as test } from 'vitest';
import { runs } from '../support/long-run.ts';
import { bulkScenario, checkBulk } from './bulk-model.ts';

test(
  'keeps order, keys, limits, stopOnError and cancellation in a model of random calls',
  { timeout: 60_000 },
  () => fc.assert(fc.asyncProperty(bulkScenario, checkBulk), { numRuns: runs(200, 2_000) }),
);
