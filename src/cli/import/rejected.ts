import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { UsageError } from '../command-line.ts';
import { formatRows, protect } from '../csv.ts';
import { reasonColumn } from '../fields.ts';
import { replaceFile } from '../files.ts';
import type { Table } from './read-rows.ts';
import type { Row } from './rows.ts';
import type { Sent } from './sent.ts';

/** The rejected rows of a file, each after its line and the reason: in UTF-8, with a mark by which Excel knows it. */
function textOf({ header, delimiter, lineEnd }: Table, rows: readonly Row[]): string {
  const rejected = rows.filter(({ status }) => status === 'rejected');
  if (rejected.length === 0) return '';
  const earlier = header[0] === reasonColumn ? 1 : 0;
  const cells = rejected.map(row => [
    protect(`line ${row.line}: ${row.reason}`),
    ...row.cells.slice(earlier),
  ]);
  return `\ufeff${formatRows([[reasonColumn, ...header.slice(earlier)], ...cells], { delimiter, lineEnd })}`;
}

/**
 * Returns an object that writes the file of rejected rows, or removes that of an earlier run if there are none.
 * @throws UsageError if the file of an earlier run was edited, because this run would replace it.
 */
export async function openRejected(path: string, table: Table, rows: readonly Row[], sent: Sent) {
  const file = `${path}.rejected.csv`;
  const found = existsSync(file) ? await readFile(file, 'utf8') : '';
  if (found !== '' && found !== textOf(table, rows) && !sent.hasRejected(found))
    throw new UsageError(
      `Nothing was imported, because ${file} may contain your corrections, and an import replaces it. Copy them to ` +
        `${path}, delete ${file}, and run the same command again.`,
      'file',
    );
  return {
    async write(): Promise<void> {
      const text = textOf(table, rows);
      if (text === '') return await rm(file, { force: true });
      await sent.addRejected(text);
      await replaceFile(file, output => output.appendFile(text));
    },
  };
}
