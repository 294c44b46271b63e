// What the fuzz tests of this folder share.
import fc from 'fast-check';

/**
 * Exports of each `*.fuzz.ts` file of this folder. All its randomness comes from `seed`, so that the same seed finds the
 * same failure; it shares nothing with other files, and closes what it opens.
 */
export interface FuzzModule {
  /** Subject of the test in the report: `raw HTTP responses`. */
  readonly name: string;
  /** Tests random inputs for some time; resolves to their number. Rejects with an error that shows a failing input. */
  run(options: FuzzOptions): Promise<number>;
}

export interface FuzzOptions {
  /** A 32-bit integer from which all randomness follows. */
  readonly seed: number;
  /** Duration in milliseconds. At least one input is tested. */
  readonly milliseconds: number;
}

/** Checks a property of fast-check for some time; resolves to the number of inputs. */
export async function fuzz<T>(
  property: fc.IAsyncProperty<T>,
  { seed, milliseconds }: FuzzOptions,
): Promise<number> {
  const details = await fc.check(property, {
    seed,
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: milliseconds,
  });
  if (details.failed) throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
  return details.numRuns;
}
