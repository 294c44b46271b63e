import { afterEach, describe, expect, test, vi } from 'vitest';
import { retryDelayMs } from '../../../src/call/retries.ts';

describe('retryDelayMs', () => {
  const delayOf = (retry: number, retryAfterMs: number | undefined, random: number) => {
    vi.spyOn(Math, 'random').mockReturnValue(random);
    return retryDelayMs(retry, retryAfterMs);
  };
  afterEach(() => void vi.restoreAllMocks());

  test('has full jitter up to a bound that doubles from 500 ms to 8 s', () => {
    const largest = [1, 2, 3, 4, 5, 6, 50, 5_000].map(retry => delayOf(retry, undefined, 1));
    expect(largest).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000, 8_000]);
    expect(delayOf(3, undefined, 0)).toBe(0);
    expect(delayOf(3, undefined, 0.5)).toBe(1_000);
  });

  test('is at least `Retry-After`, with up to a quarter of it or half a second added', () => {
    expect(delayOf(1, 1_000, 0)).toBe(1_000);
    expect(delayOf(1, 1_000, 1)).toBe(1_250);
    expect(delayOf(1, 60_000, 1)).toBe(60_500);
    expect(delayOf(1, 0, 1)).toBe(0);
  });
});
