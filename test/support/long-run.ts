// `npm test` runs fewer cases of a model, and one operation of each kind; `npm run test:all` runs all.
import type { NamedRow } from './operation-row.ts';

/** `true` in `npm run test:all`. */
const isLongRun = process.env.LONG_RUN === 'true';

/** Returns the number of cases to run: `quick` in `npm test`, `long` in `npm run test:all`. */
export const runs = (quick: number, long: number): number => (isLongRun ? long : quick);

/** Returns one call of each kind, by method and by what its idempotence allows; in `npm run test:all`, every call. */
export function oneOfEachKind(calls: readonly NamedRow[]): readonly NamedRow[] {
  if (isLongRun) return calls;
  const kinds = new Map(calls.map(call => [`${call.method} ${call.retriedAfterUnknown}`, call]));
  return [...kinds.values()];
}
