import { afterEach, expect, test, vi } from 'vitest';
import { startProgress, startReading } from '../../../src/cli/progress.ts';
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
  progress[Symbol.dispose]();
  expect(own.stderr.text.split('\n')).toEqual([expect.stringContaining('Imported 5'), '']);
});

test('without a terminal, a line comes every 30 s, also while nothing is done', () => {
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

test.each([true, false])('reading that takes no half second shows nothing (terminal: %s)', isTTY => {
  const own = surroundings({ isTTY });
  const progress = startReading(own, 'Read', 2_000_000);
  own.clock.ms = 499;
  progress.add(1_000_000);
  progress[Symbol.dispose]();
  expect(own.stderr.text).toBe('');
});

test.each([
  [true, '\rRead 1.0 of 4.0 MB (25%), 3 s left\u001b[K'],
  [false, 'email-marketing-client test: Read 1.0 of 4.0 MB (25%), 3 s left\n'],
])('reading that takes longer shows its bytes within a second (terminal: %s)', (isTTY, expected) => {
  vi.useFakeTimers();
  const own = surroundings({ isTTY });
  const progress = startReading(own, 'Read', 4_000_000);
  progress.add(1_000_000);
  own.clock.ms = 1000;
  vi.advanceTimersByTime(1000);
  expect(own.stderr.text.split('\u001b[K')[0] + (isTTY ? '\u001b[K' : '')).toBe(expected);
  progress[Symbol.dispose]();
});
