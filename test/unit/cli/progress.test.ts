import { afterEach, expect, test, vi } from 'vitest';
import { startProgress } from '../../../src/cli/progress.ts';
import { surroundings } from '../../support/surroundings.ts';

afterEach(() => {
  vi.useRealTimers();
});

test.each([
  [8, 'Imported 4 of 8 (50%), 4 s left, 1/s'],
  [63, 'Imported 4 of 63 (6%), 59 s left, 1/s'],
  [64, 'Imported 4 of 64 (6%), 1 min left, 1/s'],
  [65, 'Imported 4 of 65 (6%), 2 min left, 1/s'],
  [undefined, 'Imported 4, 1/s'],
])('shows how long the rest of %j rows takes', (total, expected) => {
  const own = surroundings({ isTTY: true });
  const progress = startProgress(own, 'Imported', total);
  own.clock.ms = 4000;
  progress.add(4);
  progress.add(1);
  expect(own.stderr.text).toBe(`\r${expected}\u001b[K`);
  progress[Symbol.dispose]();
  expect(own.stderr.text.split('\n')).toEqual([expect.stringContaining('Imported 5'), '']);
});

test('without a terminal, a line is printed every 30 s, even while nothing is done', () => {
  vi.useFakeTimers();
  const own = surroundings();
  const pass = (ms: number) => {
    own.clock.ms += ms;
    vi.advanceTimersByTime(ms);
  };
  const progress = startProgress(own, 'Imported', 100);
  progress.add(10);
  expect(own.stderr.text).toBe('');
  pass(30_000);
  pass(30_000);
  progress[Symbol.dispose]();
  pass(30_000);
  expect(own.stderr.text.split('\n')).toEqual([
    `${own.name}: Imported 10 of 100 (10%), 270 s left, 0/s`.replace('270 s', '5 min'),
    `${own.name}: Imported 10 of 100 (10%), 9 min left, 0/s`,
    '',
  ]);
});
