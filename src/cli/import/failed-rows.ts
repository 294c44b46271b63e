import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { formatRows } from '../csv/cells.ts';
import { readRows } from '../csv/read-rows.ts';
import { replaceFile } from '../files.ts';
import { reasonColumn } from './mapping.ts';
import type { RowStatus, RowStatuses } from './row-status.ts';

/** Where the rows that failed are; absent where there are none. */
export interface FailedFiles {
  /** Rejected rows, and unknown ones that can be sent again. */
  readonly rejected: string | undefined;
  /** Unknown rows that are not idempotent. */
  readonly unknown: string | undefined;
}

interface Input {
  readonly file: string;
  readonly delimiter: string;
  /** Leave files that exist as they are. */
  readonly keep: boolean;
}

/** Rows that are written at once. */
const batchSize = 500;

/**
 * Writes the rows that failed to files of their own, in order, each behind the reason; the rest of a row is as in the
 * input, so that the file can be corrected and imported.
 */
export async function writeFailedRows(
  base: string,
  input: Input,
  statuses: RowStatuses,
): Promise<FailedFiles> {
  return {
    rejected: await writeRows(`${base}.rejected.csv`, input, statuses, ['rejected', 'unknown-idempotent']),
    unknown: await writeRows(`${base}.unknown.csv`, input, statuses, ['unknown', 'sending']),
  };
}

async function writeRows(
  path: string,
  { file, delimiter, keep }: Input,
  statuses: RowStatuses,
  wanted: readonly RowStatus[],
): Promise<string | undefined> {
  if (statuses.count(...wanted) === 0) {
    if (!keep) await rm(path, { force: true });
    return undefined;
  }
  if (keep && existsSync(path)) return path;
  await replaceFile(path, async output => {
    let lines: string[][] = [];
    for await (const line of failedLines({ file, delimiter }, statuses, wanted)) {
      if (lines.push(line) < batchSize) continue;
      await output.appendFile(formatRows(lines, delimiter));
      lines = [];
    }
    await output.appendFile(formatRows(lines, delimiter));
  });
  return path;
}

/** Yields the header and the rows with the reason in front, in the place of one that an earlier import wrote. */
async function* failedLines(
  { file, delimiter }: Omit<Input, 'keep'>,
  statuses: RowStatuses,
  wanted: readonly RowStatus[],
): AsyncGenerator<string[], void, undefined> {
  let index = -1;
  let earlierReason = 0;
  for await (const { cells, unreadable } of readRows(file, delimiter)) {
    if (index < 0) earlierReason = cells[0] === reasonColumn ? 1 : 0;
    const kept = unreadable === undefined ? cells.slice(earlierReason) : cells;
    if (index < 0) yield [reasonColumn, ...kept];
    else if (wanted.includes(statuses.get(index))) yield [statuses.reason(index) ?? '', ...kept];
    index += 1;
  }
}
