import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { formatRows } from '../csv.ts';
import { reasonColumn } from '../fields.ts';
import { replaceFile } from '../files.ts';
import type { Checked } from './checked-rows.ts';
import type { Job } from './job.ts';
import type { Journal } from './journal.ts';
import { reading, readRows } from './read-rows.ts';
import type { RowStatus } from './row-statuses.ts';

/** Files that were written; absent if there are no such rows. */
export interface RowFiles {
  readonly rejectedFile?: string | undefined;
  /** Rows that may have taken effect, and must not be sent twice. */
  readonly unknownFile?: string | undefined;
  readonly notMailedFile?: string | undefined;
  readonly sentBeforeFile?: string | undefined;
}

/** Hashes of the files that an earlier run wrote, by their paths. */
export type WrittenFiles = ReadonlyMap<string, string>;

export const unknownFile = (path: string): string => `${path}.unknown.csv`;

/** Writes the rows that were not sent to files, each after the reason. */
export async function writeRowFiles(
  job: Job,
  checked: Checked,
  journal: Journal,
  written: WrittenFiles,
): Promise<RowFiles> {
  const write = async (path: string, ...wanted: RowStatus[]): Promise<string | undefined> => {
    const isWritten = !existsSync(path) || (await sha256Of(path)) === written.get(path);
    if (checked.statuses.count(...wanted) === 0) {
      if (isWritten && existsSync(path)) await rm(path);
      return undefined;
    }
    // A file that somebody has edited, or that another import wrote, is never written over.
    const time = new Date(job.context.now()).toISOString().replaceAll(':', '-');
    const free = isWritten ? path : path.replace(/\.csv$/, `.${time}.csv`);
    await reading(job, 'Looked for rows that were not sent in', () => writeRows(free, job, checked, wanted));
    journal.recordFile(free, await sha256Of(free));
    return free;
  };
  return {
    rejectedFile: await write(`${job.path}.rejected.csv`, 'rejected'),
    unknownFile: await write(unknownFile(job.path), 'unknown'),
    notMailedFile: await write(`${job.path}.not-mailed.csv`, 'not-mailed', 'left-since'),
    sentBeforeFile: await write(`${job.path}.sent-before.csv`, 'sent-before'),
  };
}

const sha256Of = async (path: string): Promise<string> => hash('sha256', await readFile(path));

const batchSize = 500;

/**
 * Writes the header and the rows of some statuses, each after the reason, which replaces that of an earlier import: in
 * UTF-8, with a mark by which Excel knows it, and otherwise in the form of the input.
 */
async function writeRows(
  path: string,
  { file }: Job,
  { survey: { reading }, statuses }: Checked,
  wanted: readonly RowStatus[],
): Promise<void> {
  await replaceFile(path, async output => {
    await output.appendFile('\ufeff');
    let batch: string[][] = [];
    let earlier = 0;
    const flush = async () => {
      await output.appendFile(formatRows(batch, reading));
      batch = [];
    };
    for await (const [index, cells] of readRows(file, reading)) {
      if (index < 0) earlier = cells[0] === reasonColumn ? 1 : 0;
      if (index < 0 || wanted.includes(statuses.get(index)))
        batch.push([index < 0 ? reasonColumn : (statuses.reason(index) ?? ''), ...cells.slice(earlier)]);
      if (batch.length >= batchSize) await flush();
    }
    await flush();
  }).catch(error => {
    // Node names no file if the write of an open one fails.
    throw Object.assign(error, { path });
  });
}
