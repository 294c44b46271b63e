import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { formatRows, protect, unprotect } from '../../../src/cli/csv.ts';
import { readTable } from '../../../src/cli/import/read-rows.ts';
import { anyText } from '../../support/any-text.ts';
import { surroundings } from '../../support/surroundings.ts';

const folder = mkdtempSync(join(tmpdir(), 'csv-'));
afterAll(() => rmSync(folder, { recursive: true }));

const row = fc.tuple(
  anyText.filter(text => text !== '' && !text.startsWith('\ufeff')),
  anyText,
  anyText,
);

test.each([
  { encoding: 'utf-8', mark: '', delimiter: ',', lineEnd: '\n' },
  { encoding: 'utf-8', mark: '\ufeff', delimiter: '|', lineEnd: '\r\n' },
  { encoding: 'utf-16le', mark: '\ufeff', delimiter: '\t', lineEnd: '\r\n' },
] as const)('reads rows from a file as they were written: %j', async format => {
  const file = join(folder, 'rows.csv');
  const header = [['mailable', 'one', 'two']];
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async rows => {
      const text = formatRows([...header, ...rows], format);
      writeFileSync(file, format.mark + text, format.encoding === 'utf-8' ? 'utf8' : 'utf16le');
      const { delimiter } = format;
      const table = await readTable(file, { delimiter }, surroundings());
      // A row of only white space is blank.
      const isBlank = (cells: readonly string[]) => cells.every(cell => cell.trim() === '');
      expect([table.header, ...table.rows.map(({ cells }) => cells)]).toEqual([
        ...header,
        ...rows.filter(cells => !isBlank(cells)),
      ]);
    }),
    { numRuns: 100 },
  );
});

describe('the quote before cells that a spreadsheet would run', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+44 20', "'+44 20"],
    ['-3', '-3'],
    ['-2.50;+4', '-2.50;+4'],
    ["'-3", "''-3"],
    ['-3+cmd', "'-3+cmd"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ["'=1", "''=1"],
    ['vip;=1+1', "vip;'=1+1"],
    ['a\t=1;-2\n@x', "a\t'=1;-2\n'@x"],
    ['a,=1', "a,'=1"],
    ['a=1; b-2', 'a=1; b-2'],
    ["O'Brien", "O'Brien"],
  ])('turns %j into %j', (text, marked) => {
    expect(protect(text)).toBe(marked);
    expect(unprotect(marked)).toBe(text);
  });

  test('is removed from any text', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ unit: fc.constantFrom(..."'=+-@\t\r\n;,a") })), text => {
        expect(unprotect(protect(text))).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });

  test.each([
    [',', /,/],
    [';', /;/],
    ['tab', /\t/],
  ])('leaves no formula for a spreadsheet that reads %s as the delimiter', (_, delimiter) => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."'=+-@\t\r\n;,a") }), text => {
        const cells = protect(text)
          .split(/[\r\n]/)
          .flatMap(line => line.split(delimiter));
        expect(cells.filter(cell => /^[=+\-@]/.test(cell) && !/^[+-]\d+(?:\.\d+)?$/.test(cell))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });
});
