// Iterates over lists that change and services that fail, at random.
import fc from 'fast-check';
import { anyScenario, checkExactlyOnce, runScenario } from '../pagination/service-model.ts';
import { fuzz } from './fuzz.ts';

const property = fc.asyncProperty(anyScenario, async scenario =>
  checkExactlyOnce(await runScenario(scenario)),
);

fuzz('pagination over services that change, cap, cut, grow and fail', property);
