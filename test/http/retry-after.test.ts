import { expect, test } from 'vitest';
import { parseHttpDate, parseRetryAfter } from '../../src/http/retry-after.ts';

const now = Date.UTC(2026, 0, 1, 12, 0, 0);

test.each([
  ['0', 0],
  ['2', 2_000],
  [' 2 ', 2_000],
  ['1.5', 1_500],
  ['1.25', 1_250],
  ['9'.repeat(400), Number.POSITIVE_INFINITY],
  ['Thu, 01 Jan 2026 12:00:05 GMT', 5_000],
  ['Thursday, 01-Jan-26 12:00:05 GMT', 5_000],
  ['Thu Jan  1 12:00:05 2026 GMT', 5_000],
  ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
  [null, undefined],
  ['', undefined],
  ['-1', undefined],
  ['soon', undefined],
  ['1e3', undefined],
  ['NaN', undefined],
  ['Infinity', undefined],
  ['2026-01-01', undefined],
  ['Thu, nonsense', undefined],
  ['after Thu, 01 Jan 2026 12:00:05 GMT', undefined],
])('reads %o as %o ms', (value, expected) => {
  expect(parseRetryAfter(value, now)).toBe(expected);
});

test.each([
  ['Thu, 01 Jan 2026 12:00:00 GMT', now],
  [' Thursday, 01-Jan-26 12:00:00 GMT ', now],
  ['2026-01-01', undefined],
  ['Thu, nonsense', undefined],
  ['', undefined],
  [null, undefined],
])('reads the date %o as %o', (text, expected) => {
  expect(parseHttpDate(text)).toBe(expected);
});
