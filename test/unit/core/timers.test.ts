import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { maxTimerMs, sleep, startTimer, withDeadline } from '../../../src/core/timers.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a timer fires after the longest delay that timers support if its delay is longer', async () => {
  const fired = vi.fn();
  startTimer(fired, Number.POSITIVE_INFINITY);
  await vi.advanceTimersByTimeAsync(maxTimerMs - 1);
  expect(fired).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(fired).toHaveBeenCalledOnce();
});

describe('withDeadline', () => {
  test('settles with the task, and leaves no listener and no timer', async () => {
    const { signal } = new AbortController();
    await expect(withDeadline(100, [signal], async () => 'value')).resolves.toBe('value');
    await expect(withDeadline(100, [signal], () => Promise.reject('failure'))).rejects.toBe('failure');
    const throwing = () => {
      throw 'thrown';
    };
    await expect(withDeadline(100, [signal], throwing)).rejects.toBe('thrown');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('has a limit up to the longest delay that timers support', async () => {
    const timersOf = (ms: number) => withDeadline(ms, [], async () => vi.getTimerCount());
    expect(await timersOf(2_147_483_647)).toBe(1);
    expect(await timersOf(2_147_483_648)).toBe(0);
  });

  test('waits for a task that settles after the abort, so that its permit is not lost', async () => {
    const slow = withDeadline(100, [], () => sleep(300).then(() => 'a permit'));
    await vi.advanceTimersByTimeAsync(300);
    await expect(slow).resolves.toBe('a permit');
  });
});
