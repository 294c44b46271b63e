import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  maxTimerMs,
  sleep,
  startTimer,
  TimeLimitExceeded,
  withDeadline,
  withTimeout,
} from '../../../src/http/timers.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const never = () => new Promise<never>(() => {});
const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;
const year = 365 * 24 * 3_600_000;

describe('startTimer', () => {
  test('fires after the longest delay that timers support if the delay is longer', async () => {
    const fired = vi.fn();
    startTimer(fired, Number.POSITIVE_INFINITY);
    await vi.advanceTimersByTimeAsync(maxTimerMs - 1);
    expect(fired).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(fired).toHaveBeenCalledOnce();
  });
});

describe('sleep', () => {
  test('resolves after its time and leaves no listener', async () => {
    const { signal } = new AbortController();
    const done = vi.fn();
    const sleeping = sleep(100, signal).then(done);
    await vi.advanceTimersByTimeAsync(99);
    expect(done).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await sleeping;
    expect(listeners(signal)).toBe(0);
  });

  test('rejects with the reason of an abort and leaves no timer', async () => {
    const controller = new AbortController();
    const sleeping = sleep(100, controller.signal);
    controller.abort('enough');
    await expect(sleeping).rejects.toBe('enough');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('rejects at once for an aborted signal, without a timer', async () => {
    await expect(sleep(100, AbortSignal.abort('before'))).rejects.toBe('before');
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe.each([
  ['withDeadline', withDeadline],
  ['withTimeout', withTimeout],
])('%s', (_name, run) => {
  test('settles with the task, and leaves no listener and no timer', async () => {
    const { signal } = new AbortController();
    await expect(run(100, signal, async () => 'value')).resolves.toBe('value');
    await expect(run(100, signal, () => Promise.reject('failure'))).rejects.toBe('failure');
    const throwing = () => {
      throw 'thrown';
    };
    await expect(run(100, signal, throwing)).rejects.toBe('thrown');
    expect(listeners(signal)).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('does not start the task for an aborted signal', async () => {
    const task = vi.fn(never);
    await expect(run(100, AbortSignal.abort('before'), task)).rejects.toBe('before');
    expect(task).not.toHaveBeenCalled();
  });

  test("aborts the task's signal after the time limit, which is the reason", async () => {
    const ended = run(100, undefined, signal => sleep(1_000, signal)).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(100);
    const error = await ended;
    expect(error).toBeInstanceOf(TimeLimitExceeded);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("aborts the task's signal with the reason of the caller's signal", async () => {
    const controller = new AbortController();
    const ended = run(100, controller.signal, signal => sleep(1_000, signal));
    controller.abort('enough');
    await expect(ended).rejects.toBe('enough');
    expect(vi.getTimerCount()).toBe(0);
  });

  test.each([Number.POSITIVE_INFINITY, year])('has no limit with %d ms', async ms => {
    const ended = run(ms, undefined, async () => vi.getTimerCount());
    await expect(ended).resolves.toBe(0);
  });

  test('has a limit with the longest delay that timers support', async () => {
    const ended = run(2_147_483_647, undefined, async () => vi.getTimerCount());
    await expect(ended).resolves.toBe(1);
  });
});

describe('withTimeout', () => {
  test('rejects after the time limit if the task ignores its signal', async () => {
    const ended = expect(withTimeout(100, undefined, never)).rejects.toBeInstanceOf(TimeLimitExceeded);
    await vi.advanceTimersByTimeAsync(100);
    await ended;
  });

  test('rejects at an abort if the task ignores its signal', async () => {
    const controller = new AbortController();
    const ended = withTimeout(100, controller.signal, never);
    controller.abort('enough');
    await expect(ended).rejects.toBe('enough');
  });

  test('leaves no unhandled rejection if the task fails after the time limit', async () => {
    const late = () => sleep(200).then(() => Promise.reject(new Error('late')));
    const ended = expect(withTimeout(100, undefined, late)).rejects.toBeInstanceOf(TimeLimitExceeded);
    await vi.advanceTimersByTimeAsync(300);
    await ended;
  });
});

test('withDeadline waits for a task that settles after the abort, so that its permit is not lost', async () => {
  const slow = withDeadline(100, undefined, () => sleep(300).then(() => 'a permit'));
  await vi.advanceTimersByTimeAsync(300);
  await expect(slow).resolves.toBe('a permit');
});
