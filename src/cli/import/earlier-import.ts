import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Account } from '../account.ts';
import { UsageError } from '../command-line.ts';
import type { Answers } from './job.ts';
import type { KeptSurvey } from './kept-survey.ts';
import { type Entry, RowStatuses, rowStatuses } from './row-statuses.ts';

/** First line of a journal. Only an import of the same file to the same account, read in the same way, resumes it. */
export interface JournalHead {
  readonly version: 2;
  readonly account: Account;
  readonly sha256: string;
  /** Field of each column. */
  readonly mapping: readonly (string | null)[];
  /**
   * How cells are read: encoding, delimiter, and so on. Compared as a text: a new member must be absent while it has its
   * default, so that a later version resumes the journals of this one.
   */
  readonly reading: Readonly<Record<string, unknown>>;
  readonly rows: number;
}

/** Last line of a complete import. */
export const end = 'end';

/** Maximum number of rows in the head of a journal: each takes a byte of memory. */
const maxRows = 100_000_000;

/** What a journal says of an import. */
export class EarlierImport {
  readonly head: JournalHead;
  /** What became of the rows that were sent. */
  results: RowStatuses;
  /** The import was of another file, or of this one before it changed. */
  readonly hasChanged: boolean;
  /** Marks of the rows that were sent, by index, if the file has changed. */
  readonly marks = new Map<number, string>();
  answers: Answers = new Map();
  /** Survey of its first run. */
  kept: KeptSurvey | undefined;
  isFinished = false;

  constructor(head: JournalHead, sha256: string) {
    this.head = head;
    this.results = new RowStatuses(head.rows);
    this.hasChanged = head.sha256 !== sha256;
  }

  get statuses(): RowStatuses {
    return this.kept?.checked.with(this.results) ?? this.results;
  }

  /** Adds a line; returns whether a journal can hold it. */
  add(line: unknown): boolean {
    if (line === end) this.isFinished = true;
    if (!Array.isArray(line)) this.#addNote(Object(line));
    else if (isEntry(line, this.head.rows)) this.#addEntry(line);
    else return false;
    return true;
  }

  #addEntry([index, status, reason, mark]: Entry): void {
    this.results.set(index, status, reason);
    if (mark !== undefined && this.hasChanged) this.marks.set(index, mark);
  }

  #addNote({ answers, findings, seal }: Partial<KeptSurvey> & { readonly answers?: unknown }): void {
    if (findings && seal && this.kept === undefined) {
      // The rows before are those of the survey.
      this.kept = { findings, seal, checked: this.results };
      this.results = new RowStatuses(this.head.rows);
    }
    if (Array.isArray(answers)) this.answers = new Map(answers.flatMap(toAnswer));
  }
}

/** Reads the journal of an import of the file with this hash, or of another; `undefined` if it does not exist. */
export async function readJournal(path: string, sha256: string): Promise<EarlierImport | undefined> {
  let earlier: EarlierImport | undefined;
  let isJournal = false;
  try {
    for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
      const line = parseLine(text);
      if (earlier === undefined && isHead(line)) {
        earlier = new EarlierImport(line, sha256);
        isJournal = true;
      } else isJournal &&= earlier?.add(line) === true;
      if (!isJournal) break;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (!isJournal)
    throw new UsageError(`${path} is not a journal of this file; move it away to continue`, 'file');
  return earlier;
}

function toAnswer(pair: unknown): [string, 'mailable' | 'opted-out'][] {
  const [verdict, text] = Array.isArray(pair) ? pair : [];
  const isAnswer = (verdict === 'mailable' || verdict === 'opted-out') && typeof text === 'string';
  return isAnswer ? [[text, verdict]] : [];
}

/** Returns the value of a line; `undefined` if it is incomplete or empty. */
function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isHead(value: unknown): value is JournalHead {
  const { version, account, sha256, rows } = Object(value) as Partial<JournalHead>;
  const { rest, legacy, team, keys } = Object(account) as Partial<Account>;
  const areTexts = [sha256, rest, legacy, team, keys].every(text => typeof text === 'string');
  return version === 2 && areTexts && isCount(rows) && rows <= maxRows;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function isEntry(entry: readonly unknown[], rows: number): entry is Entry {
  const [index, status, reason = '', mark = ''] = entry;
  const isStatus = rowStatuses.some(known => known === status);
  return isCount(index) && index < rows && isStatus && typeof reason === 'string' && typeof mark === 'string';
}
