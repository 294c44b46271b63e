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

/** Gives the responses of two seconds, after which the rate is decided on. */
function runWindow(control: CongestionControl, successes: number, refusals: number): void {
  for (let success = 1; success < successes; success += 1) control.succeeded();
  for (let refusal = 0; refusal < refusals; refusal += 1) control.refused(false);
  vi.advanceTimersByTime(2_000);
  if (successes > 0) control.succeeded();
  else control.refused(false);
}

/** Makes a control whose rate was lowered from 100 to 70 requests per second. */
function slowedDown(): CongestionControl {
  const control = new CongestionControl(100);
  control.started();
  control.refused(false);
  return control;
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

  test('becomes 70 % of what a whole second measured, also early in the next', () => {
    const control = new CongestionControl(1_000);
    runOneSecond(control, 50);
    control.started();
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
    vi.advanceTimersByTime(60_000);
    const control = new CongestionControl(100);
    control.started();
    control.refused(false);
    expect(rateOf(control)).toBeCloseTo(70);
  });

  test.each([1_000, 1_500])('is measured anew after %d ms of idle time', idleMs => {
    const control = new CongestionControl(unlimited);
    runOneSecond(control, 500);
    vi.advanceTimersByTime(idleMs);
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

  test('becomes 70 % of what was accepted when more than a fifth is refused', () => {
    const control = slowedDown();
    runWindow(control, 15, 5);
    expect(rateOf(control)).toBeCloseTo(71 * 0.75 * 0.7, 0);
  });

  test('is not lowered when a fifth is refused', () => {
    const control = slowedDown();
    runWindow(control, 16, 4);
    expect(rateOf(control)).toBeGreaterThan(70);
  });

  test('is lowered at most every two seconds', () => {
    vi.advanceTimersByTime(60_000);
    const control = slowedDown();
    for (let refusal = 0; refusal < 100; refusal += 1) control.refused(false);
    expect(rateOf(control)).toBeCloseTo(70);
    vi.advanceTimersByTime(1_999);
    for (let refusal = 0; refusal < 100; refusal += 1) control.refused(false);
    expect(rateOf(control)).toBeCloseTo(70);
    vi.advanceTimersByTime(1);
    control.refused(false);
    expect(rateOf(control)).toBe(5);
  });

  test('is lowered after 20 responses at least', () => {
    const control = slowedDown();
    vi.advanceTimersByTime(10_000);
    for (let refusal = 0; refusal < 19; refusal += 1) control.refused(false);
    expect(rateOf(control)).toBeCloseTo(70);
    control.refused(false);
    expect(rateOf(control)).toBe(5);
  });

  test('is never lower than one request per second', () => {
    const control = new CongestionControl(10);
    control.refused(false);
    runWindow(control, 0, 20);
    expect(rateOf(control)).toBe(1);
  });

  test('is never lower than a twentieth of the rate that was refused first', () => {
    const control = slowedDown();
    runWindow(control, 0, 20);
    expect(rateOf(control)).toBe(5);
  });

  test('is lowered no further where that leaves a high share of refusals as it was', () => {
    const control = slowedDown();
    const rates = [0, 1, 2].map(() => {
      runWindow(control, 10, 10);
      return Math.round(rateOf(control));
    });
    expect(rates).toEqual([25, 26, 27]);
  });

  test.each([
    { change: 'is low and stays', first: 6, second: 6 },
    { change: 'is 40 % and stays', first: 8, second: 8 },
    { change: 'falls', first: 15, second: 10 },
    { change: 'rises', first: 10, second: 16 },
  ])('is lowered further where the share of refusals $change', ({ first, second }) => {
    const control = slowedDown();
    runWindow(control, 20 - first, first);
    const before = rateOf(control);
    runWindow(control, 20 - second, second);
    expect(rateOf(control)).toBeLessThan(before * 0.7);
  });

  test('is lowered again once it has risen above the rate that was refused', () => {
    const control = slowedDown();
    runWindow(control, 10, 10);
    while (rateOf(control) <= 71) runWindow(control, 20, 0);
    const risen = rateOf(control);
    runWindow(control, 10, 10);
    expect(rateOf(control)).toBeLessThan(risen * 0.4);
  });

  test('rises with each second of successes by 3 % of the refused rate and 0.3 requests per second', () => {
    const control = slowedDown();
    for (let success = 0; success < 72; success += 1) control.succeeded();
    expect(rateOf(control)).toBeCloseTo(73.3, 0);
  });

  test('is free again once it is back at the rate that was refused first', () => {
    const control = slowedDown();
    for (let success = 0; success < 750; success += 1) control.succeeded();
    expect(rateOf(control)).toBeLessThan(100);
    for (let success = 0; success < 30; success += 1) control.succeeded();
    expect(control.intervalMs).toBe(0);
  });

  test('doubles with each second of successes from 1.25 times the refused rate on', () => {
    const control = slowedDown();
    runWindow(control, 15, 5);
    while (rateOf(control) < 90) control.succeeded();
    const rate = rateOf(control);
    for (let success = 0; success < 5; success += 1) control.succeeded();
    expect(rateOf(control)).toBeCloseTo(rate + 5);
  });

  test('is not lowered while pauses stop everything because nothing is accepted', () => {
    const control = new CongestionControl(100);
    for (let refusal = 0; refusal < 50; refusal += 1) {
      control.refused(true);
      vi.advanceTimersByTime(1_000);
    }
    expect(rateOf(control)).toBeCloseTo(70);
  });

  test('does not change by responses that come during a pause', () => {
    const control = slowedDown();
    vi.advanceTimersByTime(10_000);
    for (let response = 0; response < 50; response += 1) {
      control.refused(false, true);
      control.succeeded(true);
    }
    expect(rateOf(control)).toBeCloseTo(70);
  });

  test('is lowered after 20 refusals when the clock has jumped back', () => {
    vi.advanceTimersByTime(3_600_000);
    const control = new CongestionControl(10);
    control.started();
    control.refused(false);
    vi.useRealTimers();
    vi.useFakeTimers();
    for (let refusal = 0; refusal < 20; refusal += 1) control.refused(false);
    expect(rateOf(control)).toBe(1);
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

  test('is for all calls again when nothing was accepted for a second at the lowered rate', () => {
    const control = new CongestionControl(10);
    control.refused(true);
    control.succeeded();
    const pauses = Array.from({ length: 8 }, () => control.refused(true));
    expect(pauses).toEqual([false, false, false, false, false, false, false, true]);
  });

  test('is for all calls as long as every request after a pause is refused', () => {
    const control = new CongestionControl(10);
    const pauses = Array.from({ length: 5 }, () => control.refused(true));
    expect(pauses).toEqual([true, true, true, true, true]);
  });

  test('is for the refused call alone once a request was accepted, be it during the pause', () => {
    const control = new CongestionControl(10);
    control.refused(true);
    control.succeeded(true);
    expect(control.refused(true)).toBe(false);
  });

  test('is for all calls during another pause', () => {
    const control = new CongestionControl(10);
    control.refused(true);
    control.succeeded(true);
    expect(control.refused(true, true)).toBe(true);
  });

  test('is for all calls once the rate is free again', () => {
    const control = new CongestionControl(10);
    control.refused(true);
    for (let success = 0; success < 100; success += 1) control.succeeded();
    expect(control.intervalMs).toBe(0);
    expect(control.refused(true)).toBe(true);
  });
});
