import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Row, readRows } from '../../../src/cli/csv/read-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'read-rows-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(text: string): Promise<Row[]> {
  const file = join(folder, 'rows.csv');
  writeFileSync(file, text);
  const rows: Row[] = [];
  for await (const row of readRows(file, ',')) rows.push(row);
  return rows;
}

const unreadable = (text: string) => ({ cells: [text], unreadable: expect.any(String) });

describe('readRows', () => {
  test.each([
    ['a quote within a cell', 'x,b"c'],
    ['text after a closing quote', 'x,"b"c'],
    ['a quote that is never closed', 'x,"b'],
  ])('gives a line with %s as unreadable, and every other row', async (_, line) => {
    const rows = await read(`email,a\none,1\n\n${line}\n\ntwo,2\n${line}\nthree,3\n`);
    expect(rows).toEqual([
      { cells: ['email', 'a'] },
      { cells: ['one', '1'] },
      unreadable(line),
      { cells: ['two', '2'] },
      unreadable(line),
      { cells: ['three', '3'] },
    ]);
  });

  test('finds its place again behind a byte order mark, characters of several bytes and Windows line ends', async () => {
    const rows = await read('\ufeffé,a\r\n"😀\r\nline",1\r\nx,b"c\r\nlast,2\r\n');
    expect(rows).toEqual([
      { cells: ['é', 'a'] },
      { cells: ['😀\r\nline', '1'] },
      unreadable('x,b"c'),
      { cells: ['last', '2'] },
    ]);
  });

  test('gives up on a file that is hardly CSV', async () => {
    await expect(read('a,"b" c\n'.repeat(1001))).rejects.toThrow(/more than 1000 lines are no CSV/);
    expect(await read('a,"b" c\n'.repeat(1000))).toHaveLength(1000);
  });

  test('does not read a file to its end for a quote that is never closed', async () => {
    const rows = await read(`x,"open\n${'one,1\n'.repeat(400_000)}`);
    expect(rows[0]).toEqual({ cells: ['x,"open'], unreadable: expect.stringContaining('larger than') });
    expect(rows).toHaveLength(400_001);
  });

  test('takes no part of a line that is larger than a row for a row', async () => {
    const rows = await read(`email,a\none,1\n${'x'.repeat(3_000_000)},evil@example.com\ntwo,2\n`);
    expect(rows).toEqual([
      { cells: ['email', 'a'] },
      { cells: ['one', '1'] },
      { cells: ['x'.repeat(1_048_576)], unreadable: expect.stringContaining('larger than') },
      { cells: ['two', '2'] },
    ]);
  });
});
