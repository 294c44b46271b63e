import type { FileHandle } from 'node:fs/promises';
import { replaceFile } from '../../testing/replace-file.ts';
import { isSameTeam, requireSameAccount } from '../account.ts';
import { UsageError } from '../command-line.ts';
import { openToAppend } from '../files.ts';
import { compareRows, type MarkedRow } from './changed-file.ts';
import { type EarlierImport, end, type JournalHead } from './earlier-import.ts';
import type { Answer, ImportFlags } from './job.ts';
import type { Seal } from './kept-survey.ts';
import { type Entry, interrupted, type RowStatus, type RowStatuses } from './row-statuses.ts';
import type { Survey } from './survey.ts';

/** What a journal begins with. */
export interface NewJournal {
  readonly head: JournalHead;
  readonly survey: Pick<Survey, 'findings' | 'checked'>;
  readonly seal: Seal;
}

/** Lines that are written at once. */
const batchSize = 10_000;

/** Time in which results are gathered, to be written at once, in milliseconds. */
const gatherMs = 20;

const lineOf = ([index, status, reason, mark]: Entry): string =>
  `${JSON.stringify([index, status, ...(mark ? [reason ?? '', mark] : reason ? [reason] : [])])}\n`;

/**
 * File with the result of each row, one per line, in the order in which they were recorded. The line of a row that must
 * not be sent twice is on disk before the row is sent. Until {@link Journal.start}, the file is as the earlier import
 * left it: whoever declines to send loses nothing.
 */
export class Journal {
  readonly statuses: RowStatuses;
  /** Number of rows that were sent or rejected by an earlier import. */
  readonly before: number;
  /** What happens to the rows of an earlier import; may be empty. */
  readonly note: string;
  /** No earlier import is resumed. */
  readonly isNew: boolean;
  readonly #open: () => Promise<FileHandle>;
  #file: FileHandle | undefined;
  #lines: string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #needsSync = false;
  #failure: { readonly error: unknown } | undefined;

  private constructor(
    open: () => Promise<FileHandle>,
    statuses: RowStatuses,
    { before, isNew, note = '' }: { before: number; isNew: boolean; note?: string | undefined },
  ) {
    this.#open = open;
    this.statuses = statuses;
    this.before = before;
    this.isNew = isNew;
    this.note = note;
  }

  /**
   * Returns a journal that replaces an earlier one. It begins with the survey, so that a run that resumes needs no other,
   * and with rows that were sent before.
   */
  static create(
    path: string,
    { head, survey, seal }: NewJournal,
    before: readonly Entry[] = [],
    note?: string,
  ): Journal {
    const { checked, findings } = survey;
    const statuses = checked.copy();
    for (const [index, status, reason] of before) statuses.set(index, status, reason);
    const open = async () => {
      await replaceFile(path, async file => {
        await file.appendFile(`${JSON.stringify(head)}\n`);
        await appendEntries(file, [...checked.entries('opted-out'), ...checked.entries('rejected')]);
        await file.appendFile(`${JSON.stringify({ findings, seal: seal(findings, checked) })}\n`);
        await appendEntries(file, before);
      });
      return openToAppend(path);
    };
    return new Journal(open, statuses, { before: before.length, isNew: true, note });
  }

  /** Returns a journal that resumes an earlier one. An incomplete last line is kept, and ignored. */
  static resume(path: string, statuses: RowStatuses): Journal {
    const open = async () => {
      const file = await openToAppend(path);
      await file.appendFile('\n');
      return file;
    };
    const before = statuses.rows - statuses.count('pending', 'opted-out');
    return new Journal(open, statuses, { before, isNew: false });
  }

  /** Opens the file. What was recorded before is written with what follows. */
  async start(): Promise<void> {
    this.#file = await this.#open();
  }

  /** Records a status, which is on the way to the disk a moment later. `mark` is that of a row that was sent. */
  record(index: number, status: RowStatus, reason?: string, mark?: string): void {
    this.statuses.set(index, status, reason);
    this.#append(lineOf([index, status, reason, mark]));
  }

  #append(line: string): void {
    this.#lines.push(line);
    // The next call of #flush rejects with the failure.
    this.#timer ??= setTimeout(() => void this.#flush().catch(() => {}), gatherMs);
  }

  /** Records that a row is about to be sent; resolves when that is on disk. */
  async recordSending(index: number, mark?: string): Promise<void> {
    this.#needsSync = true;
    this.record(index, 'sending', undefined, mark);
    await this.#flush();
  }

  /** Records what the user has answered, for the next run. */
  remember(answers: readonly Answer[]): void {
    const pairs = answers.map(({ verdict, text }) => [verdict, text]);
    if (pairs.length > 0) this.#append(`${JSON.stringify({ answers: pairs })}\n`);
  }

  finish(): void {
    this.#append(`${JSON.stringify(end)}\n`);
  }

  /** Writes what is not written yet, and closes the file. Without a start, nothing is written. */
  async close(): Promise<void> {
    try {
      this.#needsSync = true;
      await this.#flush();
    } finally {
      await this.#file?.close();
    }
  }

  /** Resolves when everything recorded is written. Simultaneous calls share one write. */
  async #flush(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#lines.length === 0 || this.#file === undefined) return;
    this.#writing = this.#write(this.#file).finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  async #write(file: FileHandle): Promise<void> {
    const [text, sync] = [this.#lines.join(''), this.#needsSync];
    this.#lines = [];
    this.#needsSync = false;
    try {
      await file.appendFile(text);
      if (sync) await file.datasync();
    } catch (error) {
      this.#failure = { error };
      throw error;
    }
  }
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

type Choice = Pick<ImportFlags, 'restart' | 'newKey'>;

/**
 * Returns the journal of an earlier import of the same file to the same account, to resume it, or a new one. If the file
 * has changed, rows that were sent before keep their result, so that only the others are sent.
 * @throws UsageError if the earlier import sent rows and cannot be resumed.
 */
export async function openJournal(
  path: string,
  journal: EarlierImport | undefined,
  fresh: NewJournal,
  choice: Choice,
  readMarks: () => AsyncIterable<MarkedRow>,
): Promise<Journal> {
  const { head } = fresh;
  if (journal === undefined) return Journal.create(path, fresh);
  const { statuses, isFinished, hasChanged, neverSent } = journal;
  const unsent = statuses.count('pending', 'opted-out') + (isFinished ? 0 : neverSent);
  const isUntouched = unsent === journal.head.rows;
  const restarts = isFinished && choice.restart === true;
  const isSame = hasChanged && isSameTeam(journal.head.account, head.account);
  if (isUntouched || (restarts && !isSame)) return Journal.create(path, fresh);
  requireResumable(path, journal, head, choice);
  for (let index = 0; index < journal.head.rows; index += 1)
    if (statuses.get(index) === 'sending') statuses.set(index, 'unknown', interrupted);
  if (!hasChanged) return Journal.resume(path, statuses);
  const { before, note } = await compareRows(journal, readMarks(), choice.restart === true);
  return Journal.create(path, fresh, before, note);
}

/** @throws UsageError if the earlier import was to another account, or of the same file with other options. */
function requireResumable(
  path: string,
  { head: earlier, statuses, isFinished, hasChanged }: EarlierImport,
  head: JournalHead,
  { restart, newKey }: Choice,
): void {
  const advice = `${isFinished ? '--restart' : '--discard'} forgets that import, and sends every row`;
  const keyAdvice = `--new-key resumes if both keys are of the same team; ${advice}`;
  const takesKey = newKey || (isFinished && restart);
  requireSameAccount(path, earlier.account, head.account, advice, takesKey ? undefined : keyAdvice);
  if (hasChanged || JSON.stringify({ ...earlier, account: 0 }) === JSON.stringify({ ...head, account: 0 }))
    return;
  const left = statuses.count('pending', 'sending');
  const stopped = `the options have changed since an import stopped with ${left} of ${earlier.rows} rows to send`;
  throw new UsageError(
    left > 0
      ? `${stopped}; --discard forgets that import (${path}), and sends all rows again`
      : `every row of this file was imported before, with different options; ${advice} again`,
    'confirmation',
  );
}
