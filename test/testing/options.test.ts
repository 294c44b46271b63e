import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { decideAmbiguities } from '../../src/testing/options.ts';

const guide = readFileSync(new URL('../../docs/sandbox.md', import.meta.url), 'utf8');

/** The rows of the table under a heading cell: the cells of each. */
function table(heading: string): string[][] {
  const lines = guide.split('\n');
  const start = lines.findIndex(line => line.startsWith(`| ${heading} |`)) + 2;
  const length = lines.slice(start).findIndex(line => !line.startsWith('|'));
  return lines.slice(start, start + length).map(line =>
    line
      .split('|')
      .map(cell => cell.trim())
      .slice(1, -1),
  );
}

const plain = (cell = '') => cell.replaceAll('`', '');

test('the guide lists each ambiguity with its default, and no other', () => {
  const { errorStatus: _, ...ambiguities } = decideAmbiguities({});
  const documented = table('option | question').map(([name, , value]) => [plain(name), plain(value)]);
  expect(Object.fromEntries(documented)).toEqual({
    ...Object.fromEntries(
      Object.entries(ambiguities).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(', ') : String(value),
      ]),
    ),
    errorStatus: 'below',
  });
});

test('the guide lists each error with its status, and no other', () => {
  const documented = table('error | status').map(([name, status]) => [plain(name), Number(status)]);
  expect(Object.fromEntries(documented)).toEqual(decideAmbiguities({}).errorStatus);
});
