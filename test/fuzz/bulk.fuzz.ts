// Runs random bulk operations against their model.
import fc from 'fast-check';
import { bulkScenario, checkBulk } from '../bulk/bulk-model.ts';
import { fuzz } from './fuzz.ts';

fuzz('bulk operations', fc.asyncProperty(bulkScenario, checkBulk));
