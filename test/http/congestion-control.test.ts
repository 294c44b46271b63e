import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CongestionControl } from '../../src/http/congestion-control.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const unlimited = Number.POSITIVE_INFINITY;
const rateOf = (control: CongestionControl) => 1_000 / control.intervalMs;

/** Starts requests evenly over one second. */
function runOneSecond(control: CongestionControl, requests: number): void {
  for (let request = 0; request < requests; request += 1) {
    control.started();
    vi.advanceTimersByTime(1_000 / requests);
  }
}

function refuseEverySecond(control: CongestionControl, seconds: number): void {
  for (let second = 0; second < seconds; second += 1) {
    vi.advanceTimersByTime(1_000);
    control.refused(false);
  }
}

describe('the rate', () => {
  test('is free until a request is refused', () => {
    const control = new CongestionControl(10);
    runOneSecond(control, 10);
    control.succeeded();
    expect(control.intervalMs).toBe(0);
  });

  test('becomes 70 % of the configured rate when a request is refused', () => {
    const control = new CongestionControl(10);
    runOneSecond(control, 20);
    control.refused(false);
    expect(rateOf(control)).toBeCloseTo(7);
  });

  test('becomes 70 % of the measured rate when that is lower than the configured one', () => {
    const control = new CongestionControl(1_000);
    runOneSecond(control, 50);
    control.refused(false);
    expect(rateOf(control)).toBeCloseTo(35);
  });

  test('becomes 70 % of the measured rate when none is configured', () => {
    const control = new CongestionControl(unlimited);
    runOneSecond(control, 100);
    runOneSecond(control, 100);
    control.started();
    control.refused(false);
    expect(rateOf(control)).toBeCloseTo(70);
  });

  test('is measured over a tenth of a second when the first requests start at once', () => {
    const control = new CongestionControl(unlimited);
    for (let request = 0; request < 4; request += 1) control.started();
    control.refused(false);
    expect(rateOf(control)).toBeCloseTo(28);
  });

  test('becomes 70 % of the configured rate when less than a second was measured', () => {
    const control = new CongestionControl(100);
    control.started();
    control.refused(false);
    expect(rateOf(control)).toBeCloseTo(70);
  });

  test('is measured anew after idle time', () => {
    const control = new CongestionControl(unlimited);
    runOneSecond(control, 500);
    vi.advanceTimersByTime(1_500);
    control.started();
    control.refused(false);
    expect(rateOf(control)).toBeCloseTo(7);
  });

  test('is measured anew when the clock has jumped back', () => {
    vi.advanceTimersByTime(3_600_000);
    const control = new CongestionControl(unlimited);
    runOneSecond(control, 500);
    vi.useRealTimers();
    vi.useFakeTimers();
    control.started();
    control.refused(false);
    expect(rateOf(control)).toBeCloseTo(7);
  });

  test('is lowered once for the refusals of one second', () => {
    const control = new CongestionControl(10);
    runOneSecond(control, 10);
    for (let refusal = 0; refusal < 10; refusal += 1) control.refused(false);
    expect(rateOf(control)).toBeCloseTo(7);
    vi.advanceTimersByTime(1_000);
    control.refused(false);
    expect(rateOf(control)).toBeCloseTo(4.9);
  });

  test('is never lower than one request per second', () => {
    const control = new CongestionControl(10);
    refuseEverySecond(control, 100);
    expect(rateOf(control)).toBe(1);
  });

  test('is never lower than a twentieth of the rate that was refused first', () => {
    const control = new CongestionControl(100);
    runOneSecond(control, 200);
    refuseEverySecond(control, 100);
    expect(rateOf(control)).toBeCloseTo(5);
  });

  test('is lowered no further where that does not lower a high share of refusals', () => {
    const control = new CongestionControl(100);
    control.refused(false);
    const rates = Array.from({ length: 5 }, () => {
      for (let pair = 0; pair < 2; pair += 1) {
        control.succeeded();
        vi.advanceTimersByTime(500);
        control.refused(false);
      }
      return Math.round(rateOf(control));
    });
    expect(rates).toEqual([49, 49, 50, 50, 50]);
  });

  test('is lowered further where that lowers the share of refusals', () => {
    const control = new CongestionControl(100);
    control.refused(false);
    const rates = [1, 2, 4].map(successes => {
      for (let success = 0; success < successes; success += 1) control.succeeded();
      vi.advanceTimersByTime(1_000);
      control.refused(false);
      return Math.round(rateOf(control));
    });
    expect(rates).toEqual([49, 35, 25]);
  });

  test.each([
    ['low', 4, 1, [49, 35, 25]],
    ['nearly complete', 1, 9, [49, 34, 24]],
  ])('is lowered further for a %s share of refusals that stays', (_share, successes, refusals, expected) => {
    const control = new CongestionControl(100);
    control.refused(false);
    const rates = Array.from({ length: 3 }, () => {
      for (let success = 0; success < successes; success += 1) control.succeeded();
      for (let refusal = 1; refusal < refusals; refusal += 1) control.refused(false);
      vi.advanceTimersByTime(1_000);
      control.refused(false);
      return Math.round(rateOf(control));
    });
    expect(rates).toEqual(expected);
  });

  test('is lowered again once it has risen above the rate that was refused', () => {
    const control = new CongestionControl(100);
    control.refused(false);
    vi.advanceTimersByTime(1_000);
    control.succeeded();
    control.refused(false);
    for (let pair = 0; pair < 400; pair += 1) {
      control.succeeded();
      control.refused(false);
    }
    const risen = rateOf(control);
    expect(risen).toBeGreaterThan(70);
    vi.advanceTimersByTime(1_000);
    control.refused(false);
    expect(rateOf(control)).toBeCloseTo(risen * 0.7);
  });

  test('is not lowered while pauses stop everything because everything is refused', () => {
    const control = new CongestionControl(100);
    for (let refusal = 0; refusal < 5; refusal += 1) {
      control.refused(true);
      vi.advanceTimersByTime(1_000);
    }
    expect(rateOf(control)).toBeCloseTo(70);
  });

  test('rises with each second of successes by a tenth of the refused rate', () => {
    const control = new CongestionControl(100);
    runOneSecond(control, 100);
    control.refused(false);
    for (let success = 0; success < 75; success += 1) control.succeeded();
    expect(rateOf(control)).toBeGreaterThan(79.5);
    expect(rateOf(control)).toBeLessThan(81);
  });

  test('is free again once it is back at the configured rate', () => {
    const control = new CongestionControl(100);
    runOneSecond(control, 100);
    control.refused(false);
    for (let success = 0; success < 250; success += 1) control.succeeded();
    expect(rateOf(control)).toBeLessThan(100);
    for (let success = 0; success < 10; success += 1) control.succeeded();
    expect(control.intervalMs).toBe(0);
  });

  test('doubles with each second of successes from twice the refused rate on, and is free at 16 times', () => {
    const control = new CongestionControl(unlimited);
    runOneSecond(control, 10);
    control.refused(false);
    for (let success = 0; success < 176; success += 1) control.succeeded();
    const rate = rateOf(control);
    expect(rate).toBeGreaterThan(20);
    for (let success = 0; success < 20; success += 1) control.succeeded();
    expect(rateOf(control)).toBeCloseTo(rate + 20);
    for (let success = 0; success < 130; success += 1) control.succeeded();
    expect(control.intervalMs).toBe(0);
  });

  test('is lowered by the next refusal when the clock has jumped back', () => {
    vi.advanceTimersByTime(3_600_000);
    const control = new CongestionControl(10);
    control.started();
    control.refused(false);
    vi.useRealTimers();
    vi.useFakeTimers();
    control.started();
    control.refused(false);
    expect(rateOf(control)).toBeCloseTo(4.9);
  });
});

describe('a pause that a refusal asks for', () => {
  test('is for all calls at a free rate', () => {
    expect(new CongestionControl(10).refused(true)).toBe(true);
  });

  test('is for all calls when refusals before it had none', () => {
    const control = new CongestionControl(10);
    control.refused(false);
    control.succeeded();
    expect(control.refused(true)).toBe(true);
  });

  test('is for all calls when the first request after a pause is refused', () => {
    const control = new CongestionControl(10);
    control.refused(true);
    expect(control.refused(true)).toBe(true);
  });

  test('is for the refused call alone while the service accepts every second request', () => {
    const control = new CongestionControl(10);
    control.refused(true);
    for (let pair = 0; pair < 50; pair += 1) {
      vi.advanceTimersByTime(200);
      control.succeeded();
      expect(control.refused(true)).toBe(false);
    }
  });

  test('is for all calls again after seven refusals in a row', () => {
    const control = new CongestionControl(unlimited);
    runOneSecond(control, 1_000);
    control.refused(true);
    for (let success = 0; success < 100; success += 1) control.succeeded();
    const pauses = Array.from({ length: 7 }, () => control.refused(true));
    expect(pauses).toEqual([false, false, false, false, false, false, true]);
  });

  test('is for all calls once the rate is free again', () => {
    const control = new CongestionControl(10);
    control.refused(true);
    for (let success = 0; success < 100; success += 1) control.succeeded();
    expect(control.intervalMs).toBe(0);
    expect(control.refused(true)).toBe(true);
  });
});
