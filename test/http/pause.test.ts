import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Pause } from '../../src/http/pause.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a pause has the rest of its time left, and calls back once it has ended', () => {
  const ended = vi.fn();
  const pause = new Pause(ended);
  expect(pause.remainingMs()).toBe(0);
  pause.begin(1_000);
  vi.advanceTimersByTime(400);
  expect(pause.remainingMs()).toBe(600);
  expect(ended).not.toHaveBeenCalled();
  vi.advanceTimersByTime(600);
  expect(pause.remainingMs()).toBe(0);
  expect(ended).toHaveBeenCalledOnce();
});

test('a pause is never shortened', () => {
  const pause = new Pause(() => {});
  pause.begin(3_000);
  pause.begin(1_000);
  expect(pause.remainingMs()).toBe(3_000);
});

test('a pause that outlasts its timer has no time left, rather than less than none', () => {
  const pause = new Pause(() => {});
  pause.begin(1_000);
  vi.clearAllTimers();
  vi.advanceTimersByTime(5_000);
  expect(pause.remainingMs()).toBe(0);
});
