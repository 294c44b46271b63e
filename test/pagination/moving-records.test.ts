// Iterations over lists that are sorted by the last change of each record, by name, or by creation, while others and the loop
// itself change, add and delete records. Prints what each kind of list cost.
import { afterAll, describe, expect, test } from 'vitest';
import { runs } from '../support/long-run.ts';
import { iterate, type Kind } from './changing-list.ts';

const mixed = { updates: 5, additions: 1, deletions: 1 };

/** Lists of which no record is missed or repeated. */
const certain: Readonly<Record<string, Kind>> = {
  'sorted by last change, oldest first, which others change': { sorted: 'changed', updates: 10 },
  'sorted by last change, newest first, which others change': { sorted: 'changed last', updates: 10 },
  'sorted by last change, oldest first, which the loop changes': { sorted: 'changed', loopUpdates: 0.1 },
  'sorted by last change, newest first, which the loop changes': { sorted: 'changed last', loopUpdates: 0.1 },
  'sorted by last change, oldest first, of which the loop changes all': { sorted: 'changed', loopUpdates: 1 },
  'sorted by last change, oldest first, of which the loop changes half': {
    sorted: 'changed',
    loopUpdates: 0.5,
  },
  'sorted by last change, newest first, of which the loop changes all': {
    sorted: 'changed last',
    loopUpdates: 1,
  },
  'sorted by last change, newest first, with additions and deletions': {
    ...mixed,
    sorted: 'changed last',
    loopUpdates: 0.05,
    loopDeletions: 0.05,
  },
  'sorted by last change, oldest first, with additions and deletions': {
    sorted: 'changed',
    updates: 1,
    additions: 1,
    deletions: 1,
    loopUpdates: 0.02,
  },
  'sorted by last change, newest first, in pages of 30': {
    ...mixed,
    sorted: 'changed last',
    updates: 3,
    caps: [30],
  },
  'sorted by last change, oldest first, in pages of 30': { sorted: 'changed', updates: 3, caps: [30] },
  'sorted by last change, oldest first, read ahead': { sorted: 'changed', updates: 3, concurrency: 4 },
  'sorted by last change, newest first, read ahead': { sorted: 'changed last', updates: 3, concurrency: 4 },
  'sorted by last change, oldest first, of which the loop deletes half': {
    sorted: 'changed',
    updates: 2,
    deletions: 2,
    caps: [50],
    refusesOffset: true,
    loopDeletions: 0.5,
  },
  'sorted by creation, with additions at the start': { sorted: 'created last', additions: 5 },
  'in a fixed order, with additions and deletions anywhere': { sorted: 'anyhow', additions: 4, deletions: 4 },
  'in a fixed order, with a refused end': {
    sorted: 'anyhow',
    additions: 1,
    deletions: 3,
    caps: [30],
    refusesOffset: true,
  },
  'in a fixed order, in pages of 7': { sorted: 'anyhow', additions: 1, deletions: 1, caps: [7] },
  'in a fixed order, read ahead': {
    sorted: 'anyhow',
    additions: 2,
    deletions: 3,
    caps: [30],
    concurrency: 4,
  },
  'in a fixed order, of which the loop deletes all': {
    sorted: 'created last',
    additions: 1,
    deletions: 1,
    loopDeletions: 1,
  },
};

/** Lists of which some are missed or repeated: at most so many of a thousand loops' records, see the guide. */
const uncertain: Readonly<Record<string, Kind>> = {
  'sorted by name, with renames': { sorted: 'name', updates: 1, additions: 1, deletions: 1 },
  'sorted by last change, oldest first, in pages of 30 of which the loop changes half': {
    sorted: 'changed',
    loopUpdates: 0.5,
    caps: [30],
  },
  'sorted by last change, newest first, in pages of 7': { sorted: 'changed last', updates: 3, caps: [7] },
  'in a fixed order, in pages of random length': {
    sorted: 'anyhow',
    additions: 1,
    deletions: 1,
    caps: [2, 5, 30, 100],
  },
  // A checkpoint remembers 200 records: one that was added before them can be yielded again.
  'in a fixed order, read by several loops': { sorted: 'anyhow', additions: 1, deletions: 1, left: 0.01 },
  'by creation, read by several loops between which many are added': {
    sorted: 'created last',
    additions: 1,
    caps: [30],
    left: 0.01,
    addedBetween: 60,
  },
};

const report: string[] = [];
afterAll(() => console.log(report.join('\n')));

/** Iterates over many lists of a kind, and reports the sums. */
async function sumOf(name: string, kind: Kind) {
  const loops = runs(20, 3_000);
  const sum = { missed: 0, repeated: 0, errors: 0, requests: 0 };
  for (let seed = 1; seed <= loops; seed++) {
    const loop = await iterate(kind, seed);
    for (const key of ['missed', 'repeated', 'errors', 'requests'] as const) sum[key] += loop[key];
  }
  report.push(`${name}: ${JSON.stringify(sum)} of ${loops} loops`);
  return { ...sum, loops };
}

describe('a loop misses and repeats no record of a list', { timeout: 600_000 }, () => {
  test.each(Object.entries(certain))('%s', async (name, kind) => {
    expect(await sumOf(name, kind)).toMatchObject({ missed: 0, repeated: 0, errors: 0 });
  });
});

describe('a loop misses and repeats few records of a list', { timeout: 600_000 }, () => {
  test.each(Object.entries(uncertain))('%s', async (name, kind) => {
    const { missed, repeated, errors, loops } = await sumOf(name, kind);
    expect(missed + repeated).toBeLessThanOrEqual(loops);
    expect(errors).toBeLessThanOrEqual(loops / 20);
  });
});
