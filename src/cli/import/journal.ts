import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { type Account, requireSameAccount } from '../account.ts';
import { UsageError } from '../command-line.ts';
import { openToAppend, saveJson } from '../files.ts';

/** `pending` rows have not been sent; `sending` rows were being sent when the process ended. */
const rowStatuses = [
  'pending',
  'sending',
  'sent',
  'created',
  'updated',
  'rejected',
  /** The person opted out: the row is not sent. */
  'opted-out',
  /** The service may have acted, and sending the row again does no harm. */
  'unknown-idempotent',
  /** The service may have acted, and sending the row again could act twice. */
  'unknown',
] as const;

export type RowStatus = (typeof rowStatuses)[number];

/** Status of each row, in one byte, and the reasons of some. */
export class RowStatuses {
  readonly #codes: Uint8Array;
  readonly #reasons = new Map<number, string>();
  /** One string for each reason, shared by its rows. */
  readonly #texts = new Map<string, string>();

  constructor(rows: number) {
    this.#codes = new Uint8Array(rows);
  }

  get(index: number): RowStatus {
    return rowStatuses[this.#codes[index] ?? 0] ?? 'pending';
  }

  set(index: number, status: RowStatus, reason?: string): void {
    this.#codes[index] = rowStatuses.indexOf(status);
    if (reason === undefined) {
      this.#reasons.delete(index);
      return;
    }
    const text = this.#texts.get(reason) ?? reason;
    this.#texts.set(text, text);
    this.#reasons.set(index, text);
  }

  reason(index: number): string | undefined {
    return this.#reasons.get(index);
  }

  /** Returns the reasons of a status with their number of rows, the most frequent first. */
  reasonCounts(status: RowStatus): [reason: string, rows: number][] {
    const counts = new Map<string, number>();
    for (const [index, reason] of this.#reasons)
      if (this.get(index) === status) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    return [...counts].sort(([, one], [, other]) => other - one);
  }

  count(...statuses: readonly RowStatus[]): number {
    const codes = statuses.map(status => rowStatuses.indexOf(status));
    return this.#codes.reduce((sum, code) => sum + (codes.includes(code) ? 1 : 0), 0);
  }
}

/** First line of a journal. Only an import of the same file to the same account, read in the same way, resumes it. */
export interface JournalHead {
  readonly version: 1;
  readonly account: Account;
  readonly sha256: string;
  /** Field of each column. */
  readonly mapping: readonly (string | null)[];
  /** How cells are read: encoding, delimiter, and so on. */
  readonly reading: Readonly<Record<string, unknown>>;
  readonly rows: number;
}

/** Last line of a complete import. */
const end = '"end"';

/**
 * File with the result of each row, one per line, in the order in which they were recorded. The line of a row that must
 * not be sent twice is on disk before the row is sent.
 */
export class Journal {
  readonly statuses: RowStatuses;
  readonly #file: FileHandle;
  #lines: string[] = [];
  #writing: Promise<void> | undefined;
  #needsSync = false;
  #failure: { readonly error: unknown } | undefined;

  private constructor(file: FileHandle, statuses: RowStatuses) {
    this.#file = file;
    this.statuses = statuses;
  }

  /** Starts a journal, replacing an earlier one. */
  static async create(path: string, head: JournalHead): Promise<Journal> {
    await saveJson(path, head);
    return new Journal(await openToAppend(path), new RowStatuses(head.rows));
  }

  /** Resumes a journal. An incomplete last line is kept, and ignored. */
  static async resume(path: string, statuses: RowStatuses): Promise<Journal> {
    const file = await openToAppend(path);
    await file.appendFile('\n');
    return new Journal(file, statuses);
  }

  /** Records a status, without waiting for the disk. */
  record(index: number, status: RowStatus, reason?: string): void {
    this.statuses.set(index, status, reason);
    this.#append(JSON.stringify(reason === undefined ? [index, status] : [index, status, reason]));
  }

  #append(line: string): void {
    this.#lines.push(`${line}\n`);
    // The next call of #flush rejects with the failure.
    void this.#flush().catch(() => {});
  }

  /** Records that a row is about to be sent; resolves when that is on disk. */
  async recordSending(index: number): Promise<void> {
    this.#needsSync = true;
    this.record(index, 'sending');
    await this.#flush();
  }

  finish(): void {
    this.#append(end);
  }

  /** Writes what is not written yet, and closes the file. */
  async close(): Promise<void> {
    try {
      this.#needsSync = true;
      await this.#flush();
    } finally {
      await this.#file.close();
    }
  }

  /** Resolves when everything recorded is written. Simultaneous calls share one write. */
  async #flush(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#lines.length === 0) return;
    this.#writing = this.#write().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  async #write(): Promise<void> {
    const [text, sync] = [this.#lines.join(''), this.#needsSync];
    this.#lines = [];
    this.#needsSync = false;
    try {
      await this.#file.appendFile(text);
      if (sync) await this.#file.datasync();
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }
}

/** Maximum number of rows in the head of a journal: each takes a byte of memory. */
const maxRows = 100_000_000;

const notAJournal = (path: string): UsageError =>
  new UsageError(`${path} is not a journal of this file; move it away to continue`);

interface EarlierImport {
  readonly head: JournalHead;
  readonly statuses: RowStatuses;
  readonly isFinished: boolean;
}

/** Reads a journal; `undefined` if it does not exist. */
async function readJournal(path: string): Promise<EarlierImport | undefined> {
  let earlier: EarlierImport | undefined;
  try {
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
      const entry = parseLine(line);
      if (earlier === undefined) {
        if (!isHead(entry)) break;
        earlier = { head: entry, statuses: new RowStatuses(entry.rows), isFinished: false };
      } else if (line === end) earlier = { ...earlier, isFinished: true };
      else if (isEntry(entry, earlier.head.rows)) earlier.statuses.set(...entry);
      else if (Array.isArray(entry)) throw notAJournal(path);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  if (earlier === undefined) throw notAJournal(path);
  return earlier;
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
  return version === 1 && areTexts && isCount(rows) && rows <= maxRows;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

type Entry = [index: number, status: RowStatus, reason?: string];

function isEntry(entry: unknown, rows: number): entry is Entry {
  if (!Array.isArray(entry)) return false;
  const [index, status, reason = ''] = entry;
  return isCount(index) && index < rows && rowStatuses.includes(status) && typeof reason === 'string';
}

const interrupted = 'the import ended while this row was being sent';

export interface JournalChoice {
  /** Start over if the earlier import is complete. */
  readonly restart?: boolean | undefined;
  /** Start over in any case. */
  readonly discard?: boolean | undefined;
  /** The key was replaced by another one of the same team. */
  readonly newKey?: boolean | undefined;
}

/**
 * Resumes the journal of an earlier import of the same file to the same account, or creates one.
 * @throws UsageError if the earlier import sent rows and cannot be resumed, unless it is complete and the file has changed.
 */
export async function openJournal(path: string, head: JournalHead, choice: JournalChoice): Promise<Journal> {
  const journal = choice.discard ? undefined : await readJournal(path);
  if (journal === undefined) return Journal.create(path, head);
  const { head: earlier, statuses, isFinished } = journal;
  const isUntouched = statuses.count('pending', 'opted-out') === earlier.rows;
  if (isUntouched || (isFinished && choice.restart)) return Journal.create(path, head);
  const option = isFinished ? '--restart' : '--discard';
  const advice = `${option} forgets that import, and sends every row`;
  const keyAdvice = `--new-key resumes if both keys are of the same team; ${advice}`;
  requireSameAccount(path, earlier.account, head.account, advice, choice.newKey ? undefined : keyAdvice);
  const left = statuses.count('pending', 'sending');
  const isSame = JSON.stringify({ ...earlier, account: 0 }) === JSON.stringify({ ...head, account: 0 });
  if (!isSame && left > 0)
    throw new UsageError(
      `the file or its mapping has changed since an import stopped with ${left} of ${earlier.rows} rows to send; ` +
        `--discard forgets that import (${path}), and sends all rows again`,
    );
  if (!isSame && earlier.sha256 !== head.sha256) return Journal.create(path, head);
  if (!isSame)
    throw new UsageError(
      `every row of this file was imported before, with different options; ${advice} again`,
    );
  const resumed = await Journal.resume(path, statuses);
  for (let index = 0; index < head.rows; index += 1)
    if (statuses.get(index) === 'sending') resumed.record(index, 'unknown', interrupted);
  return resumed;
}
