import { expect, test } from 'vitest';
import { importWithKills, problemsOf, rowCount } from './kill-import.ts';

/** A random moment for a kill: a number of requests after the start of the command, then a delay. */
const moment = () => ({ afterRequests: Math.floor(Math.random() * 12), delayMs: Math.random() * 5 });

test.concurrent.each([1, 2, 3, 4, 5])(
  'resumes after ten kills at random moments without sending a counting row twice (import %i)',
  { timeout: 120_000 },
  async () => {
    const kills = Array.from({ length: 10 }, moment);
    const killed = await importWithKills(kills);
    expect(problemsOf(killed), JSON.stringify(kills)).toEqual([]);
    expect(killed.timesSent.size).toBeGreaterThan(rowCount / 4);
  },
);
