// A seed with which every call of the table of operations succeeds in the sandbox.
import type { SandboxOptions } from '../../src/testing/index.ts';
import { rows } from '../endpoints.ts';

/** Adds the records of the seeds of all rows. Throws an error that names the rows if an id is there twice. */
function joinedSeeds(): NonNullable<SandboxOptions['seed']> {
  const joined: Record<string, object[]> = {};
  const rowOf = new Map<string, string>();
  for (const { name, seed = {} } of rows)
    for (const [kind, records] of Object.entries(seed)) {
      for (const { id } of records) {
        if (id === undefined) continue;
        const other = rowOf.get(id);
        if (other) throw new Error(`${id} is in the seed of ${other} and of ${name} in test/endpoints.ts`);
        rowOf.set(id, name);
      }
      joined[kind] = [...(joined[kind] ?? []), ...records];
    }
  return joined;
}

/** Options of a sandbox in which every call of the table of operations succeeds. */
export const sandboxForEveryOperation = {
  ambiguities: { trackOfUnknownContact: 'create' },
  seed: joinedSeeds(),
} satisfies SandboxOptions;
