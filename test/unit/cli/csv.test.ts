import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseList, protect, unprotect } from '../../../src/cli/csv.ts';

test.each([
  ['vip; new', ';', ['vip', 'new']],
  ['vip, new', ',', ['vip', 'new']],
  ['"VIP","New, too"', ',', ['VIP', 'New, too']],
  ['vip|new', '|', ['vip', 'new']],
  ['vip, new', ';', ['vip, new']],
  ['"Customer","VIP 2024"', ';', ['Customer', 'VIP 2024']],
  ['"Customer" , "say ""hi""","a;b"', '|', ['Customer', 'say "hi"', 'a;b']],
  ['"VIP"', ';', ['VIP']],
  ['"a, b";c', ';', ['a, b', 'c']],
])('the tags of the cell %j, with %j between them, are %j', (cell, separator, tags) => {
  expect(parseList(cell, separator)).toEqual(tags);
});

describe('the quote before cells that a spreadsheet would run', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+44 20', "'+44 20"],
    ['-3', "'-3"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ["'=1", "''=1"],
    ['vip;=1+1', "vip;'=1+1"],
    ['a\t=1;-2\n@x', "a\t'=1;'-2\n'@x"],
    ['a,=1', 'a,=1'],
    ['a=1; b-2', 'a=1; b-2'],
    ["O'Brien", "O'Brien"],
  ])('turns %j into %j', (text, marked) => {
    expect(protect(text, true)).toBe(marked);
    expect(unprotect(marked)).toBe(text);
    expect(unprotect(protect(text, false))).toBe(text);
  });

  test.each([
    [',', /,/],
    [';', /;/],
    ['tab', /\t/],
  ])('leaves no formula for a spreadsheet that reads %s as the delimiter', (_, delimiter) => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."'=+-@\t\r\n;a") }), text => {
        const cells = protect(text, true)
          .split(/[\r\n]/)
          .flatMap(line => line.split(delimiter));
        expect(cells.filter(cell => /^[=+\-@]/.test(cell))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});
