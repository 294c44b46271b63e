// The files next to the imported file: FILE.sent and FILE.rejected.csv.
import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import { UsageError } from '../command-line.ts';
import { formatRows, protect } from '../csv.ts';
import { reasonColumn } from '../fields.ts';
import { replaceFile } from '../files.ts';
import type { Table } from './read-rows.ts';
import type { Person, Row } from './rows.ts';

const header = 'email-marketing-client import, sent rows, version 2\n';
const linePattern = /^([\w-]{22}) ([\w-]{22})$/gm;

/** 22 digits of 6 bits, so that two of a million rows almost never share a hash. */
const markOf = (...texts: string[]): string => hash('sha256', texts.join('\n'), 'base64url').slice(0, 22);

export type Sent = Awaited<ReturnType<typeof readSent>>;

/**
 * Reads which rows of each person the service acknowledged last, as hashes. Lines are only appended, one after the other, so
 * that a crash costs at most one. A row whose line is missing is sent again, which does no harm.
 * @throws UsageError if another program wrote the file.
 */
export async function readSent(path: string, account: string) {
  const named = (error: object): never => {
    throw Object.assign(error, { path });
  };
  const text = existsSync(path) ? await fs.readFile(path, 'utf8').catch(named) : '';
  const hasHeader = `\n${text}`.includes(`\n${header}`);
  // A crash can cut off the header, too.
  if (!hasHeader && !header.startsWith(text.trim()))
    throw new UsageError(
      `${path} was written by another program, or by another version. Delete it, and run the same command again. All ` +
        'rows with yes are then imported again, which does no harm.',
      'file',
    );
  const last = new Map([...text.matchAll(linePattern)].map(([, key, value]) => [key, value]));
  const marksOf = ({ key, rows }: Person): [string, string] => [
    markOf(account, key),
    markOf(JSON.stringify(rows.map(({ params }) => params))),
  ];
  let written = Promise.resolve();
  const append = (line: string) =>
    (written = written.then(() => fs.appendFile(path, line, { mode: 0o600 })).catch(named));
  const add = (key: string, value: string) => append(`${key} ${value}\n`);
  return {
    /** Returns whether exactly these rows of a person were acknowledged last. */
    has(person: Person): boolean {
      const [key, value] = marksOf(person);
      return last.get(key) === value;
    },
    // Ends a line that was cut off. If two imports begin at once, the second header is ignored.
    begin: () => append(hasHeader ? '\n' : `\n${header}`),
    add: (person: Person) => add(...marksOf(person)),
    /** Returns whether an import wrote this text as the file of rejected rows. */
    hasRejected: (rejected: string) => last.has(markOf(rejected)),
    addRejected: (rejected: string) => add(markOf(rejected), markOf(rejected)),
  };
}

/** Returns the rejected rows as CSV, each after its line and the reason. Excel reads it as UTF-8 because of the mark. */
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
 * Returns an object that writes the file of rejected rows. If there are none, it removes the file of an earlier run.
 * @throws UsageError if the file of an earlier run was edited, because this run would replace it.
 */
export async function openRejected(path: string, table: Table, rows: readonly Row[], sent: Sent) {
  const file = `${path}.rejected.csv`;
  const found = existsSync(file) ? await fs.readFile(file, 'utf8') : '';
  if (found !== '' && found !== textOf(table, rows) && !sent.hasRejected(found))
    throw new UsageError(
      `Nothing was imported, because ${file} may contain your corrections, and an import replaces it. Copy them to ` +
        `${path}, delete ${file}, and run the same command again.`,
      'file',
    );
  return {
    async write(): Promise<void> {
      const text = textOf(table, rows);
      if (text === '') return await fs.rm(file, { force: true });
      await sent.addRejected(text);
      await replaceFile(file, output => output.appendFile(text));
    },
  };
}
