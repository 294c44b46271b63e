import { existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { isObject } from '../../core/json.ts';
import { replaceFile } from '../../core/replace-file.ts';
import { UsageError } from '../command-line.ts';
import { openToAppend } from '../files.ts';
import type { EarlierPeople } from './checked-rows.ts';
import type { Choices } from './job.ts';
import type { People } from './people.ts';
import { isRowStatus, type RowStatus, RowStatuses } from './row-statuses.ts';

/** First line of a journal: which bytes are sent where, and by which choices. */
export interface JournalHead {
  readonly version: 3;
  readonly sha256: string;
  /** Address and team. */
  readonly account: string;
  readonly rows: number;
  readonly choices: Choices;
}

/** Line of a row. `person` is a hash of the address of a row that may have been sent. */
type Entry = readonly [index: number, status: RowStatus, reason?: string, person?: number];

/** Last line of a complete import. */
const end = 'end';

/** What a journal says. */
export interface EarlierImport {
  readonly head: JournalHead;
  readonly statuses: RowStatuses;
  /** People whose rows may have been sent, by this import and those before it. */
  readonly people: People;
  /** Those whom it left out, because imports before it sent them. */
  readonly skipped: People;
  /** Those whom it left out by `--except`. */
  readonly excepted: People;
  /** Hashes of the files that it wrote, by their paths. */
  readonly files: ReadonlyMap<string, string>;
  readonly isFinished: boolean;
}

/** Reads a journal; `undefined` if it does not exist. A line that was cut off when the process ended is ignored. */
export async function readJournal(path: string): Promise<EarlierImport | undefined> {
  if (!existsSync(path)) return undefined;
  let head: JournalHead | undefined;
  let isFinished = false;
  let statuses = new RowStatuses();
  const people = new Map<number, number>();
  const files = new Map<string, string>();
  let [before, isOnlyNew]: [readonly number[], boolean] = [[], false];
  let excepted: readonly number[] = [];
  await using journal = await open(path);
  for await (const text of journal.readLines({ autoClose: false })) {
    const line = parseLine(text);
    if (head === undefined) {
      head = requireHead(line, path);
      statuses = new RowStatuses(head.rows);
    } else if (line === end) isFinished = true;
    else if (isEntry(line, head.rows)) {
      const [index, status, reason, person] = line;
      // Nobody knows whether it was sent, unless a later line says it.
      if (status === 'sending') statuses.set(index, 'unknown', interrupted);
      else statuses.set(index, status, reason);
      if (status === 'pending' || status === 'rejected') people.delete(index);
      else if (person !== undefined) people.set(index, person);
    } else if (Array.isArray(line)) throw notJournal(path);
    else {
      const { before: earlier, onlyNew, except, file, sha256 } = Object(line);
      if (Array.isArray(earlier)) [before, isOnlyNew] = [earlier, onlyNew];
      if (Array.isArray(except)) excepted = except;
      if (typeof file === 'string') files.set(file, sha256);
    }
  }
  return {
    head: requireHead(head, path),
    statuses,
    people: new Set([...before, ...people.values()]),
    skipped: new Set(isOnlyNew ? before : []),
    excepted: new Set(excepted),
    files,
    isFinished,
  };
}

/** Reason of a row that was being sent when the process ended. */
export const interrupted = 'the import ended while this row was being sent';

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Maximum number of rows in the head of a journal: each takes a byte of memory. */
const maxRows = 100_000_000;

function requireHead(value: unknown, path: string): JournalHead {
  const { version, account, rows, choices } = Object(value) as JournalHead;
  const isCount = Number.isSafeInteger(rows) && rows >= 0 && rows <= maxRows;
  if (version === 3 && typeof account === 'string' && isCount && isObject(choices))
    return value as JournalHead;
  throw notJournal(path);
}

const notJournal = (path: string): UsageError =>
  new UsageError(
    `${path} is not a journal that this version can read; move it away to import every row of the file, also those ` +
      'that were sent before',
    'file',
  );

const isEntry = (line: unknown, rows: number): line is Entry =>
  Array.isArray(line) &&
  Number.isSafeInteger(line[0]) &&
  line[0] >= 0 &&
  line[0] < rows &&
  isRowStatus(line[1]);

/** Time in which results are gathered, to be written at once, in milliseconds. */
const gatherMs = 100;

/**
 * File with the result of each row, one per line, in the order in which they were recorded. The line of a row that must
 * not be sent twice is on disk before the row is sent.
 */
export class Journal {
  readonly #path: string;
  readonly #file: FileHandle;
  #lines: string[] = [];
  #needsSync = false;
  #timer: NodeJS.Timeout | undefined;
  #writing = Promise.resolve();
  /** The write after the one in flight. */
  #next: Promise<void> | undefined;
  /** A write has failed: what was recorded since then is lost. */
  hasFailed = false;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  /** Replaces the journal at `path`. Earlier imports sent people, whom this one leaves out with `--only-new`. */
  static async create(path: string, head: JournalHead, people: EarlierPeople): Promise<Journal> {
    const { sent, skipped, excepted } = people;
    const before = { before: [...sent], onlyNew: skipped.size > 0, except: [...excepted] };
    const start = `${JSON.stringify(head)}\n${JSON.stringify(before)}\n`;
    await replaceFile(path, file => file.appendFile(start));
    return new Journal(path, await openToAppend(path));
  }

  /** Opens a journal to append to it. An incomplete last line is ended, and ignored. */
  static async resume(path: string): Promise<Journal> {
    const file = await openToAppend(path);
    await file.appendFile('\n');
    return new Journal(path, file);
  }

  record(...entry: Entry): void {
    this.#append(entry);
  }

  /** Records that a row is about to be sent; resolves when that is on disk. */
  async recordSending(index: number, person: number): Promise<void> {
    this.#needsSync = true;
    this.record(index, 'sending', '', person);
    await this.flush();
  }

  /** Records a file that was written: if its bytes change, somebody has edited it. */
  recordFile(file: string, sha256: string): void {
    this.#append({ file, sha256 });
  }

  finish(): void {
    this.#append(end);
  }

  #append(line: unknown): void {
    this.#lines.push(`${JSON.stringify(line)}\n`);
    // The next call of flush() rejects with the failure.
    this.#timer ??= setTimeout(() => void this.flush().catch(() => {}), gatherMs);
  }

  /** Writes what is not written yet, and closes the file. */
  async close(): Promise<void> {
    this.#needsSync = true;
    await this.flush().finally(() => this.#file.close());
  }

  /** Resolves when everything recorded is written. Calls during a write share the next one; after a failure, all reject. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#next ??= this.#writing.then(() => {
      this.#next = undefined;
      this.#writing = this.#write();
      return this.#writing;
    });
    return this.#next;
  }

  async #write(): Promise<void> {
    const [text, sync] = [this.#lines.join(''), this.#needsSync];
    this.#lines = [];
    this.#needsSync = false;
    try {
      if (text !== '') await this.#file.appendFile(text);
      if (sync) await this.#file.datasync();
    } catch (error) {
      this.hasFailed = true;
      // Node names no file if the write of an open one fails.
      throw Object.assign(error as Error, { path: this.#path });
    }
  }
}
