import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { type Account, requireSameAccount } from '../account.ts';
import { UsageError } from '../command-line.ts';
import { openToAppend, saveJson } from '../files.ts';

/** Status of a row. `pending` rows have not been sent, `sending` rows were being sent when the process ended. */
const rowStatuses = [
  'pending',
  'sending',
  'sent',
  'created',
  'updated',
  'rejected',
  /** The person opted out: the row is not sent. */
  'opted-out',
  /** The service may have acted, and sending the row again changes nothing. */
  'unknown-idempotent',
  /** The service may have acted, and sending the row again could act twice. */
  'unknown',
] as const;

/** Status of a row. */
export type RowStatus = (typeof rowStatuses)[number];

/** The status of each row, one byte per row, and the reasons of those that have one. */
export class RowStatuses {
  readonly #codes: Uint8Array;
  readonly #reasons = new Map<number, string>();
  /** One text for each reason, which many rows may share. */
  readonly #texts = new Map<string, string>();

  /** @param rows Number of rows. */
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

  /** Returns the reasons of rows with a status, and how many rows have each; the most frequent come first. */
  reasonCounts(status: RowStatus): [reason: string, rows: number][] {
    const counts = new Map<string, number>();
    for (const [index, reason] of this.#reasons)
      if (this.get(index) === status) counts.set(reason, (counts.get(reason) ?? 0) + 1);
    return [...counts].sort(([, one], [, other]) => other - one);
  }

  /** Returns how many rows have one of these statuses. */
  count(...statuses: readonly RowStatus[]): number {
    const codes = statuses.map(status => rowStatuses.indexOf(status));
    return this.#codes.reduce((sum, code) => sum + (codes.includes(code) ? 1 : 0), 0);
  }
}

/** Head of a journal: the journal is valid only for the same account and file, read in the same way. */
export interface JournalHead {
  readonly version: 1;
  readonly account: Account;
  /** SHA-256 of the input file. */
  readonly sha256: string;
  /** Field of each column. */
  readonly mapping: readonly (string | null)[];
  /** Encoding, delimiter and other ways in which the cells are read. */
  readonly reading: Readonly<Record<string, unknown>>;
  readonly rows: number;
}

/** Line that marks the import as complete. */
const end = '"end"';

/**
 * Record of the result of each row, in a file beside the input: one line per row, after the head. The line of a row that
 * must not be sent twice is on the disk before the row is sent. Lines keep their order, so every line on the disk has the
 * earlier lines before it.
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

  /** Starts a journal, and replaces the one that is there. */
  static async create(path: string, head: JournalHead): Promise<Journal> {
    await saveJson(path, head);
    return new Journal(await openToAppend(path), new RowStatuses(head.rows));
  }

  /** Resumes the journal of an earlier run. A line that was cut short stays, and counts as not written. */
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
    // The next call that waits rejects with the failure.
    void this.#flush().catch(() => {});
  }

  /** Records that a row is about to be sent that must not be sent twice; resolves when that is safe. */
  async recordSending(index: number): Promise<void> {
    this.#needsSync = true;
    this.record(index, 'sending');
    await this.#flush();
  }

  /** Records that the import is complete. */
  finish(): void {
    this.#append(end);
  }

  /** Writes what is not written yet. */
  async close(): Promise<void> {
    try {
      this.#needsSync = true;
      await this.#flush();
    } finally {
      await this.#file.close();
    }
  }

  /** Resolves when everything recorded is written. Calls that come together share one write. */
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

/** Most rows that a journal may state: each takes a byte of memory. */
const maxRows = 100_000_000;

const notAJournal = (path: string): UsageError =>
  new UsageError(`${path} is not the journal of an import of this file; move it to continue`);

/** Journal of an earlier import. */
interface EarlierImport {
  readonly head: JournalHead;
  readonly statuses: RowStatuses;
  readonly isFinished: boolean;
}

/** Reads a journal; `undefined` if it does not exist. Any other file of that name stays as it is. */
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

/** Returns the value of a line; `undefined` for one that was cut short, and for an empty one. */
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

/** Why a row is unknown that was being sent when the process ended. */
const interrupted = 'the import ended while this row was being sent';

/** What to do with the journal of an earlier import. */
export interface JournalChoice {
  /** Start over if the earlier import is complete. */
  readonly restart?: boolean | undefined;
  /** Start over in any case. */
  readonly discard?: boolean | undefined;
  /** The key was replaced by another one of the same team. */
  readonly newKey?: boolean | undefined;
}

/**
 * Opens the journal of a file: that of an earlier import, or a new one. An earlier import of the same file to the same
 * account, read in the same way, is resumed. One that sent rows and cannot be resumed is an error, unless the file was
 * imported completely and has changed since.
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
      `the file, its mapping or its format has changed since an import of it stopped with ${left} of ${earlier.rows} ` +
        `rows to send; --discard forgets that import (${path}), and sends rows again that were sent`,
    );
  if (!isSame && earlier.sha256 !== head.sha256) return Journal.create(path, head);
  if (!isSame)
    throw new UsageError(`every row of this file was imported before, with other options; ${advice} again`);
  const resumed = await Journal.resume(path, statuses);
  for (let index = 0; index < head.rows; index += 1)
    if (statuses.get(index) === 'sending') resumed.record(index, 'unknown', interrupted);
  return resumed;
}
