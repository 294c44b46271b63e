import type { FileHandle } from 'node:fs/promises';
import { isSameTeam, requireSameAccount } from '../account.ts';
import { UsageError } from '../command-line.ts';
import { compareRows, type MarkedRow } from './changed-file.ts';
import type { EarlierImport, JournalHead } from './earlier-import.ts';
import type { ImportFlags } from './job.ts';
import { createJournal, resumeJournal } from './journal.ts';
import type { KeptSurvey } from './kept-survey.ts';
import { type Entry, interrupted, type RowStatuses } from './row-statuses.ts';

/** What an import does with each row. Until its journal is opened, the earlier import loses nothing. */
export interface Plan {
  readonly statuses: RowStatuses;
  /** Number of rows that were sent or rejected by an earlier import. */
  readonly before: number;
  /** What happens to the rows of an earlier import. */
  readonly note?: string;
  /** No earlier import is resumed. */
  readonly isNew: boolean;
  /** Rows are refused that no earlier import has refused. */
  readonly refusesMore: boolean;
  openJournal(): Promise<FileHandle>;
}

type Choice = Pick<ImportFlags, 'restart' | 'newKey'>;

/**
 * Resumes an earlier import of the same file to the same account, or begins a new one. If the file has changed, rows that
 * were sent before keep their result, so that only the others are sent.
 * @throws UsageError if the earlier import sent rows and cannot be resumed.
 */
export async function planImport(
  path: string,
  earlier: EarlierImport | undefined,
  head: JournalHead,
  survey: KeptSurvey,
  choice: Choice,
  readMarks: () => AsyncIterable<MarkedRow>,
): Promise<Plan> {
  const { checked } = survey;
  const begin = (before: readonly Entry[] = [], note = ''): Plan => {
    const statuses = checked.copy();
    for (const [index, status, reason] of before) statuses.set(index, status, reason);
    const openJournal = () => createJournal(path, head, survey, before);
    const refusesMore = checked.count('opted-out', 'rejected') > 0;
    return { statuses, before: before.length, note, isNew: true, refusesMore, openJournal };
  };
  if (earlier === undefined) return begin();
  const { results, isFinished, hasChanged } = earlier;
  const isUntouched = !isFinished && results.count('pending') === results.rows;
  const restarts = isFinished && choice.restart === true;
  const isSame = hasChanged && isSameTeam(earlier.head.account, head.account);
  if (isUntouched || (restarts && !isSame)) return begin();
  requireResumable(path, earlier, head, choice);
  for (const index of results.indexes('sending')) results.set(index, 'unknown', interrupted);
  if (hasChanged) {
    const { before, note } = await compareRows(earlier, readMarks(), choice.restart === true);
    return begin(before, note);
  }
  const statuses = checked.with(results);
  const before = statuses.rows - statuses.count('pending', 'opted-out');
  const refusesMore =
    statuses.count('opted-out', 'rejected') !== earlier.statuses.count('opted-out', 'rejected');
  return { statuses, before, isNew: false, refusesMore, openJournal: () => resumeJournal(path) };
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
