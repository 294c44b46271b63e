import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { UsageError } from '../command-line.ts';
import type { Person } from './rows.ts';

const header = 'email-marketing-client import, sent rows, version 2\n';
const linePattern = /^([\w-]{22}) ([\w-]{22})$/gm;

/** 22 digits of 6 bits: of a million rows, two hardly share one. */
const markOf = (...texts: string[]): string => hash('sha256', texts.join('\n'), 'base64url').slice(0, 22);

export type Sent = Awaited<ReturnType<typeof readSent>>;

/** Stands for the file of rejected rows among the people. */
const rejectedMark = markOf('rejected rows');

/**
 * Reads what the service acknowledged last of each person, as hashes: a file that is only appended to, so that a crash costs
 * at most a line. A row whose line is missing is sent again, which does no harm.
 * @throws UsageError if something else than an import wrote the file.
 */
export async function readSent(path: string, account: string) {
  const named = (error: object): never => {
    throw Object.assign(error, { path });
  };
  const text = existsSync(path) ? await readFile(path, 'utf8').catch(named) : '';
  const hasHeader = `\n${text}`.includes(`\n${header}`);
  // A crash can cut off the header, too.
  if (!hasHeader && !header.startsWith(text.trim()))
    throw new UsageError(
      `${path} was written by another program, or by another version. Delete it, and all rows are imported again`,
      'file',
    );
  const last = new Map([...text.matchAll(linePattern)].map(([, person, content]) => [person, content]));
  const marksOf = ({ key, rows }: Person) => [
    markOf(account, key),
    markOf(JSON.stringify(rows.map(({ params }) => params))),
  ];
  let file: FileHandle | undefined;
  /** Appends a line at once: another import may append to the same file. */
  const append = async (...marks: string[]) => file?.appendFile(`${marks.join(' ')}\n`).catch(named);
  return {
    /** Returns whether the service acknowledged just these rows of a person last. */
    has(person: Person): boolean {
      const [mark, content] = marksOf(person);
      return last.get(mark) === content;
    },
    async open(): Promise<void> {
      file = await open(path, 'a', 0o600);
      // Ends a line that was cut off. If two imports begin at once, the second header is a line without meaning.
      await file.appendFile(hasHeader ? '\n' : `\n${header}`).catch(named);
    },
    add: (person: Person) => append(...marksOf(person)),
    /** Returns whether the last import wrote this text as the file of rejected rows. */
    hasRejected: (text: string) => last.get(rejectedMark) === markOf(text),
    addRejected: (text: string) => append(rejectedMark, markOf(text)),
    close: async () => file?.close(),
  };
}
