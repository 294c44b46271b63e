// Iterates over lists that change and services that fail, at random.
import fc from 'fast-check';
import { anyScenario, checkExactlyOnce, runScenario } from '../pagination/service-model.ts';
import { type FuzzOptions, fuzz } from './module.ts';

export const name = 'pagination over services that change, cap, cut, grow and fail';

const property = fc.asyncProperty(anyScenario, async scenario =>
  checkExactlyOnce(await runScenario(scenario)),
);

export const run = (options: FuzzOptions) => fuzz(property, options);
