// A seed with which every call of the table of operations succeeds in the sandbox.
import type { SandboxOptions } from '../../src/testing/index.ts';
import { rows } from '../operations.ts';

type Seed = NonNullable<SandboxOptions['seed']>;

/** Adds the records of two seeds. */
function joined(one: Seed, other: Seed): Seed {
  const records: Record<string, unknown> = { ...one };
  for (const [kind, added] of Object.entries(other)) {
    const known = records[kind];
    records[kind] = Array.isArray(known) && Array.isArray(added) ? [...known, ...added] : added;
  }
  return records;
}

/** Options of a sandbox in which every call of the table of operations succeeds. */
export const sandboxForEveryOperation = {
  ambiguities: { trackOfUnknownContact: 'create' },
  seed: rows.map(({ seed }) => seed ?? {}).reduce(joined),
} satisfies SandboxOptions;
