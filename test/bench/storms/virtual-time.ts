// Simulated clocks and timers, so that a scenario of minutes takes milliseconds.
import { setImmediate as nextRound } from 'node:timers/promises';
import FakeTimers from '@sinonjs/fake-timers';
import { seededRandom } from '../../support/seeded-random.ts';

/**
 * Runs a scenario in virtual time: every timer and clock is simulated, and time passes when nothing else happens. With
 * the same seed, chance is the same too, so that figures can be compared between two versions.
 */
export async function inVirtualTime<T>(seed: number, scenario: () => Promise<T>): Promise<T> {
  const clock = FakeTimers.install({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  const { random } = Math;
  Math.random = seededRandom(seed);
  try {
    let settled = false;
    const result = scenario().finally(() => {
      settled = true;
    });
    for (;;) {
      await nextRound();
      if (settled) return await result;
      if (clock.countTimers() > 0) clock.next();
    }
  } finally {
    Math.random = random;
    clock.uninstall();
  }
}

/** Resolves after `ms` milliseconds of virtual time. */
export const pass = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/** Virtual seconds since the scenario began. */
export const now = (): number => performance.now() / 1_000;
