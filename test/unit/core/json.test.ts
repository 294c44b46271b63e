import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { isPlainObject, parseExact } from '../../../src/core/json.ts';
import { runs } from '../../support/long-run.ts';

/** Length of large bodies: the long tests have the largest that are read. */
const large = runs(2_000_000, 10_000_000);

describe('reading JSON exactly', () => {
  test.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740993', '9007199254740993'],
    ['9007199254740993.0', '9007199254740993.0'],
    ['12345678901234567.89', '12345678901234567.89'],
    ['1e400', '1e400'],
    ['1e-400', '1e-400'],
    [`1e${'9'.repeat(30)}`, `1e${'9'.repeat(30)}`],
    ['1e30', 1e30],
    ['0.30000000000000004', 0.1 + 0.2],
    ['0e400', 0],
    ['0.00000000000000000000000001', 1e-26],
  ])('reads %s without rounding it', (text, value) => {
    expect(parseExact(text)).toEqual(value);
  });

  test.each([
    [
      '{"a \\"1766397850613907001":[1766397850613907001]}',
      { 'a "1766397850613907001': ['1766397850613907001'] },
    ],
    ['["\\\\",1766397850613907001]', ['\\', '1766397850613907001']],
    ['{"a":"b:1766397850613907001,"}', { a: 'b:1766397850613907001,' }],
    ['[true,1766397850613907001,false,null]', [true, '1766397850613907001', false, null]],
    ['[1.766397850613907001e18]', ['1.766397850613907001e18']],
    ['{"a":1e400,"1e400":"1e400"}', { a: '1e400', '1e400': '1e400' }],
    [' [ 1766397850613907001 ,\n-1766397850613907001]', ['1766397850613907001', '-1766397850613907001']],
  ])('reads %s without changing its strings', (text, value) => {
    expect(parseExact(text)).toEqual(value);
  });

  test.each([
    ...['{1766397850613907001:1}', '{"a":1,1766397850613907001:1}', '{"a":1,1e400:1}'],
    ...[
      '[1766397850613907001',
      '[01766397850613907001]',
      '[1766397850613907001e]',
      '[1.7.66397850613907001]',
    ],
  ])('throws a SyntaxError for %s', text => {
    expect(() => parseExact(text)).toThrow(SyntaxError);
  });

  // Splitting these at their quotes took 10 s.
  test.each([
    ['letters', `"${'a'.repeat(large)}"`],
    ['escaped quotes', `"${'\\"'.repeat(large / 2)}"`],
    ['backslashes', `"${'\\\\'.repeat(large / 2)}"`],
    ['empty strings', `["",${'"",'.repeat(large / 3)}""]`],
    ['numbers', `[${'1,'.repeat(large / 2)}1]`],
    ['levels', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ])('reads megabytes of %s and a long integer', (_, text) => {
    const [value, integer] = parseExact(`[${text},1766397850613907001]`) as unknown[];
    expect(integer).toBe('1766397850613907001');
    if (!text.startsWith('[[')) expect(value).toEqual(JSON.parse(text));
  });
});

test('an object of another realm is a plain one', () => {
  expect(isPlainObject(runInNewContext('({})'))).toBe(true);
});
