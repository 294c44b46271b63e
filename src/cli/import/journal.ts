import type { FileHandle } from 'node:fs/promises';
import { replaceFile } from '../../core/replace-file.ts';
import { openToAppend } from '../files.ts';
import { end, type JournalHead } from './earlier-import.ts';
import type { Answers } from './job.ts';
import type { KeptSurvey } from './kept-survey.ts';
import type { Entry, RowStatus, RowStatuses } from './row-statuses.ts';

/** Lines that are written at once. */
const batchSize = 10_000;

/** Time in which results are gathered, to be written at once, in milliseconds. */
const gatherMs = 100;

const lineOf = ([index, status, reason, mark]: Entry): string =>
  `${JSON.stringify([index, status, ...(mark ? [reason ?? '', mark] : reason ? [reason] : [])])}\n`;

/**
 * Replaces the journal at `path`, and opens it. It begins with the survey, so that a run that resumes needs no other, and
 * with rows that were sent before.
 */
export async function createJournal(
  path: string,
  head: JournalHead,
  { checked, ...kept }: KeptSurvey,
  before: readonly Entry[],
): Promise<FileHandle> {
  await replaceFile(path, async file => {
    await file.appendFile(`${JSON.stringify(head)}\n`);
    await appendEntries(file, [...checked.entries('opted-out'), ...checked.entries('rejected')]);
    await file.appendFile(`${JSON.stringify(kept)}\n`);
    await appendEntries(file, before);
  });
  return openToAppend(path);
}

async function appendEntries(file: FileHandle, entries: readonly Entry[]): Promise<void> {
  for (let start = 0; start < entries.length; start += batchSize)
    await file.appendFile(
      entries
        .slice(start, start + batchSize)
        .map(lineOf)
        .join(''),
    );
}

/** Opens a journal to append to it. An incomplete last line is kept, and ignored. */
export async function resumeJournal(path: string): Promise<FileHandle> {
  const file = await openToAppend(path);
  await file.appendFile('\n');
  return file;
}

/**
 * File with the result of each row, one per line, in the order in which they were recorded. The line of a row that must
 * not be sent twice is on disk before the row is sent.
 */
export class Journal {
  readonly statuses: RowStatuses;
  readonly #path: string;
  readonly #file: FileHandle;
  #lines: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #needsSync = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(path: string, file: FileHandle, statuses: RowStatuses) {
    this.#path = path;
    this.#file = file;
    this.statuses = statuses;
  }

  /** A write has failed: what was recorded since then is lost. */
  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /** Records a status, which is on the way to the disk a moment later. `mark` is that of a row that was sent. */
  record(index: number, status: RowStatus, reason?: string, mark?: string): void {
    this.statuses.set(index, status, reason);
    this.#append(lineOf([index, status, reason, mark]));
  }

  #append(line: string): void {
    this.#lines.push(line);
    // The next call of flush() rejects with the failure.
    this.#timer ??= setTimeout(() => void this.flush().catch(() => {}), gatherMs);
  }

  /** Records that a row is about to be sent; resolves when that is on disk. */
  async recordSending(index: number, mark?: string): Promise<void> {
    this.#needsSync = true;
    this.record(index, 'sending', undefined, mark);
    await this.flush();
  }

  /** Records what the user has answered, for the next run. */
  remember(answers: Answers): void {
    const pairs = [...answers].map(([text, verdict]) => [verdict, text]);
    if (pairs.length > 0) this.#append(`${JSON.stringify({ answers: pairs })}\n`);
  }

  finish(): void {
    this.#append(`${JSON.stringify(end)}\n`);
  }

  /** Writes what is not written yet, and closes the file. */
  async close(): Promise<void> {
    try {
      this.#needsSync = true;
      await this.flush();
    } finally {
      await this.#file.close();
    }
  }

  /** Resolves when everything recorded is written. Simultaneous calls share one write. */
  async flush(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    clearTimeout(this.#timer);
    this.#timer = undefined;
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
      // Node names no file if the write of an open one fails.
      Object.assign(error as Error, { path: this.#path });
      this.#failure = { error };
      throw error;
    }
  }
}
