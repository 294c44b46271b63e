import { existsSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { isObject } from '../../core/json.ts';
import { UsageError } from '../command-line.ts';
import { openToAppend, replaceFile } from '../files.ts';
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
  /** People whose rows may have been sent, by this import and those before it, and those with such a row that counts. */
  readonly people: People;
  readonly once: People;
  /** What those before it sent, and whom it left out by `--except`. */
  readonly before: EarlierPeople;
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
  const once = new Map<number, number>();
  const files = new Map<string, string>();
  let before: Readonly<Record<string, unknown>> = {};
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
      for (const rows of status === 'sending' ? [people, once] : [people])
        if (person !== undefined) rows.set(index, person);
      for (const rows of status === 'pending' || status === 'rejected' ? [people, once] : [])
        rows.delete(index);
    } else if (Array.isArray(line)) throw notJournal(path);
    else {
      const { file, sha256 } = Object(line);
      if (typeof file === 'string') files.set(file, sha256);
      else if (isObject(line)) before = line;
    }
  }
  const [sent, sentOnce] = [peopleOf(before.before), peopleOf(before.once)];
  return {
    head: requireHead(head, path),
    statuses,
    people: new Set([...sent, ...people.values()]),
    once: new Set([...sentOnce, ...once.values()]),
    before: {
      sent,
      skipped: before.onlyNew ? sent : new Set(),
      once: sentOnce,
      excepted: peopleOf(before.except),
    },
    files,
    isFinished,
  };
}

const peopleOf = (list: unknown): People => new Set(Array.isArray(list) ? list : []);

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
    const { sent, skipped, once, excepted } = people;
    const before = { before: [...sent], onlyNew: skipped.size > 0, once: [...once], except: [...excepted] };
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
