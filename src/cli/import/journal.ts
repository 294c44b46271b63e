import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { UsageError } from '../command-line.ts';
import { openToAppend, saveJson } from '../files.ts';
import { type RowStatus, RowStatuses, rowStatuses } from './row-status.ts';

/** Head of a journal: the journal is valid for the same file and the same mapping alone. */
export interface JournalHead {
  readonly version: 1;
  /** SHA-256 of the input file. */
  readonly sha256: string;
  /** Field of each column. */
  readonly mapping: readonly (string | null)[];
  readonly rows: number;
}

/** Record of the result of each row. */
export interface Journal {
  readonly statuses: RowStatuses;
  /** Records a status, without waiting for the disk. */
  record(index: number, status: RowStatus, reason?: string): void;
  /** Records that a row is about to be sent that must not be sent twice; resolves when that is safe. */
  recordSending(index: number): Promise<void>;
  /** Writes what is left. */
  close(): Promise<void>;
}

/**
 * Record of the result of each row, in a file beside the input: one line per row, after the head. The line of a row that
 * must not be sent twice is on the disk before the row is sent. Lines keep their order, so every line on the disk has the
 * earlier lines before it.
 */
export class FileJournal implements Journal {
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

  /** Starts a journal in the place of any that is there. */
  static async create(path: string, head: JournalHead): Promise<FileJournal> {
    await saveJson(path, head);
    return new FileJournal(await openToAppend(path), new RowStatuses(head.rows));
  }

  /** Opens the journal of an earlier run. A line that was cut short is left behind, and counts as not written. */
  static async resume(path: string, head: JournalHead): Promise<FileJournal> {
    const statuses = await readStatuses(path, head.rows);
    const file = await openToAppend(path);
    await file.appendFile('\n');
    return new FileJournal(file, statuses);
  }

  record(index: number, status: RowStatus, reason?: string): void {
    this.statuses.set(index, status, reason);
    this.#lines.push(`${JSON.stringify(reason === undefined ? [index, status] : [index, status, reason])}\n`);
    // A failure is kept for the next call that waits.
    void this.#flush().catch(() => {});
  }

  async recordSending(index: number): Promise<void> {
    this.#needsSync = true;
    this.record(index, 'sending');
    await this.#flush();
  }

  async close(): Promise<void> {
    try {
      this.#needsSync = true;
      await this.#flush();
    } finally {
      await this.#file.close();
    }
  }

  /** Resolves when all that was recorded is written. Calls that come together share one write. */
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

/** Reads the head of a journal; `undefined` where there is none. Any other file of that name is left alone. */
export async function readJournalHead(path: string): Promise<JournalHead | undefined> {
  const first = await firstLine(path);
  if (first === undefined) return undefined;
  try {
    const head = JSON.parse(first);
    if (head?.version === 1 && Number.isSafeInteger(head.rows)) return head;
  } catch {}
  throw new UsageError(`${path} is not the journal of an import; move it to continue`);
}

async function firstLine(path: string): Promise<string | undefined> {
  try {
    for await (const line of linesOf(path)) return line;
    return '';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const linesOf = (path: string) => createInterface({ input: createReadStream(path), crlfDelay: Infinity });

/** Reads the results of the rows in a journal. */
export async function readStatuses(path: string, rows: number): Promise<RowStatuses> {
  const statuses = new RowStatuses(rows);
  for await (const line of linesOf(path)) {
    const entry = parseEntry(line);
    if (entry !== undefined) statuses.set(...entry);
  }
  return statuses;
}

function parseEntry(line: string): [index: number, status: RowStatus, reason?: string] | undefined {
  try {
    const entry = JSON.parse(line);
    return Array.isArray(entry) && rowStatuses.includes(entry[1])
      ? [entry[0], entry[1], entry[2]]
      : undefined;
  } catch {
    return undefined;
  }
}
