import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import { UsageError } from '../command-line.ts';
import type { Person } from './rows.ts';

const header = 'email-marketing-client import, sent rows, version 2\n';
const linePattern = /^([\w-]{22}) ([\w-]{22})$/gm;

/** 22 digits of 6 bits: two of a million rows hardly ever share one. */
const markOf = (...texts: string[]): string => hash('sha256', texts.join('\n'), 'base64url').slice(0, 22);

/** Follows the mark of a file of rejected rows. */
const rejectedMark = markOf('rejected rows');

export type Sent = Awaited<ReturnType<typeof readSent>>;

/**
 * Reads which rows of each person the service acknowledged last, as hashes. The file is only appended to, so that a crash
 * costs at most a line. A row whose line is missing is sent again, which does no harm.
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
      `${path} was written by another program, or by another version. Delete it and run the same command again: all ` +
        'rows with yes are imported again, which does no harm.',
      'file',
    );
  const last = new Map([...text.matchAll(linePattern)].map(([, key, value]) => [key, value]));
  const marksOf = ({ key, rows }: Person): [string, string] => [
    markOf(account, key),
    markOf(JSON.stringify(rows.map(({ params }) => params))),
  ];
  const append = (line: string) => fs.appendFile(path, line, { mode: 0o600 }).catch(named);
  const add = (key: string, value: string) => append(`${key} ${value}\n`);
  return {
    /** Returns whether the service acknowledged just these rows of a person last. */
    has(person: Person): boolean {
      const [key, value] = marksOf(person);
      return last.get(key) === value;
    },
    // Ends a line that was cut off. If two imports begin at once, the second header is ignored.
    begin: () => append(hasHeader ? '\n' : `\n${header}`),
    add: (person: Person) => add(...marksOf(person)),
    /** Returns whether an import wrote this text as the file of rejected rows. */
    hasRejected: (rejected: string) => last.get(markOf(rejected)) === rejectedMark,
    addRejected: (rejected: string) => add(markOf(rejected), rejectedMark),
  };
}
