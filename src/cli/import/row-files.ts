import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { formatRows } from '../csv.ts';
import { leftOutColumn, reasonColumn } from '../fields.ts';
import { replaceFile } from '../files.ts';
import type { Checked } from './check-rows.ts';
import type { Job } from './options.ts';
import { reading, readRows } from './read-rows.ts';
import type { RowStatus } from './row-statuses.ts';
import type { Sent } from './sent.ts';

/** Files that were written; absent if there are no such rows. */
export interface RowFiles {
  readonly rejectedFile?: string | undefined;
  readonly leftOutFile?: string | undefined;
}

/** Writes the rows that were not sent to files, each after the reason. */
export async function writeRowFiles(job: Job, checked: Checked, sent: Sent): Promise<RowFiles> {
  const write = async (path: string, column: string, ...wanted: RowStatus[]): Promise<string | undefined> => {
    // A file that somebody has edited is never written over. The next one is ours, and written over by each import.
    let [edited, free] = ['', path];
    for (let number = 2; existsSync(free) && !sent.hasFile(await sha256Of(free)); number += 1)
      [edited, free] = [free, path.replace(/\.csv$/, `.${number}.csv`)];
    const isNew = !existsSync(free);
    if (checked.statuses.count(...wanted) === 0) {
      await rm(free, { force: true });
      return undefined;
    }
    await reading(job, 'Looked for rows that were not sent in', () =>
      writeRows(free, column, job, checked, wanted),
    );
    const written = await sha256Of(free);
    if (edited !== '' && isNew && sent.hasFile(written)) {
      // The same rows as before: somebody is correcting them, or has imported the corrected ones.
      await rm(free);
      return edited;
    }
    sent.addFile(written);
    return free;
  };
  return {
    rejectedFile: await write(`${job.file.name}.rejected.csv`, reasonColumn, 'rejected'),
    leftOutFile: await write(`${job.file.name}.left-out.csv`, leftOutColumn, 'left-out', 'left-since'),
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
  column: string,
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
        batch.push([index < 0 ? column : (statuses.reason(index) ?? ''), ...cells.slice(earlier)]);
      if (batch.length >= batchSize) await flush();
    }
    await flush();
  }).catch(error => {
    // Node names no file if the write of an open one fails.
    throw Object.assign(error, { path });
  });
}
