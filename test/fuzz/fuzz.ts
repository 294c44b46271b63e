// Runs a property of fast-check in Node's test runner, which gives each `*.fuzz.ts` file its own process and ends it if it hangs.
import { test } from 'node:test';
import fc from 'fast-check';

/** FUZZ_SEED, from which all randomness follows, and FUZZ_SECONDS for each file. */
const { FUZZ_SEED = '774675619', FUZZ_SECONDS = '12' } = process.env;

/** Checks a property with random inputs, at least one. An error shows an input that fails, and the seed. */
export function fuzz<T>(name: string, property: fc.IAsyncProperty<T>): void {
  test(name, async context => {
    const details = await fc.check(property, {
      seed: Number(FUZZ_SEED),
      numRuns: Number.MAX_SAFE_INTEGER,
      interruptAfterTimeLimit: Number(FUZZ_SECONDS) * 1_000,
    });
    if (details.failed) throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
    context.diagnostic(`${details.numRuns} inputs, seed ${FUZZ_SEED}`);
  });
}
