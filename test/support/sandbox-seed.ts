// A seed with which every call of the table of operations succeeds in the sandbox.
import type { SandboxOptions } from '../../src/testing/index.ts';
import { rows } from '../endpoints.ts';

/** Joins the records of the seeds of all rows. */
function joinedSeeds(): NonNullable<SandboxOptions['seed']> {
  const joined: Record<string, object[]> = {};
  for (const { seed = {} } of rows)
    for (const [kind, records] of Object.entries(seed)) joined[kind] = [...(joined[kind] ?? []), ...records];
  return joined;
}

/** Options of a sandbox in which every call of the table of operations succeeds. */
export const sandboxForEveryOperation = {
  ambiguities: { trackOfUnknownContact: 'create' },
  seed: joinedSeeds(),
} satisfies SandboxOptions;
