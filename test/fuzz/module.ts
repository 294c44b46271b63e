// What the fuzz tests of this folder have in common.
import fc from 'fast-check';

/**
 * What each `*.fuzz.ts` file of this folder exports. A file draws all its chance from `seed`, so that the same seed finds
 * the same failure; it shares nothing with other files, and closes what it opens.
 *
 * ```ts
 * export const name = 'checkpoints';
 * export const run = (options: FuzzOptions) => fuzz(fc.asyncProperty(anyCheckpoint, check), options);
 * ```
 */
export interface FuzzModule {
  /** What is tested, as the report shows it: `raw HTTP responses`. */
  readonly name: string;
  /** Tests random inputs until the time is over; resolves to how many. Rejects with an error that shows the failing input. */
  run(options: FuzzOptions): Promise<number>;
}

export interface FuzzOptions {
  /** A 32-bit integer from which all randomness follows. */
  readonly seed: number;
  /** How long to test, in milliseconds. At least one input is tested. */
  readonly milliseconds: number;
}

/** Checks a property of fast-check for a time; resolves to how many inputs were tested. */
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
