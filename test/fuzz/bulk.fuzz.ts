// Runs random bulk operations against their model.
import fc from 'fast-check';
import { bulkScenario, checkBulk } from '../bulk/bulk-model.ts';
import { type FuzzOptions, fuzz } from './module.ts';

export const name = 'bulk operations';

export const run = (options: FuzzOptions) => fuzz(fc.asyncProperty(bulkScenario, checkBulk), options);
