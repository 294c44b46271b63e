import { existsSync } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { renameOver } from '../../testing/replace-file.ts';
import { type Account, requireSameAccount } from '../account.ts';
import { UsageError } from '../command-line.ts';
import { loadJson, PartFile, saveJson } from '../files.ts';
import { withLock } from '../lock.ts';
import type { Context } from '../surroundings.ts';
import { writeData } from '../terminal.ts';

/** Position of an export. */
interface ExportState {
  readonly done: number;
  readonly checkpoint?: string;
}

export interface ExportOutput {
  /** Position at which an earlier run stopped. */
  readonly saved: ExportState;
  /** Writes text; `state` is the position after it. */
  append(text: string, state?: ExportState): Promise<void>;
  /** Renames the complete file to its final name. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/** An export is resumed only with the same settings. */
interface ExportSettings {
  readonly account: Account;
  /** Hash of the options that affect the content of the file. */
  readonly options: string;
}

interface SavedExport extends ExportState, ExportSettings {
  readonly bytes: number;
}

/** Minimum time between two checkpoints, in milliseconds. */
const checkpointIntervalMs = 1000;

/**
 * Opens standard output, or a file, which resumes where an earlier run with the same settings stopped. The file is
 * locked until `run` has ended.
 */
export async function withOutput(
  target: { readonly out?: string; readonly overwrite?: boolean },
  settings: ExportSettings,
  context: Context,
  run: (output: ExportOutput) => Promise<number>,
): Promise<number> {
  const { out, overwrite } = target;
  if (out === undefined) return run(standardOutput(context));
  const folder = dirname(out);
  if (!existsSync(folder)) throw new UsageError(`--out ${out}: the folder ${folder} does not exist`, 'file');
  const found = await lstat(out).catch(() => undefined);
  if (found?.isDirectory()) throw new UsageError(`--out ${out} is a folder: add a file name`, 'file');
  // A device, a pipe or a link would be replaced by a file.
  const advice = 'use another name, or - for standard output';
  if (found?.isFile() === false)
    throw new UsageError(`--out ${out} is not a regular file: ${advice}`, 'file');
  return withLock(`${out}.lock`, async () => {
    if (existsSync(out) && !overwrite) throw new UsageError(`${out} exists; --overwrite replaces it`, 'file');
    const output = await fileOutput(out, settings, context.now);
    try {
      return await run(output);
    } finally {
      await output.close();
    }
  });
}

const standardOutput = (context: Context): ExportOutput => ({
  saved: { done: 0 },
  append: text => writeData(context, text),
  finish: async () => {},
  close: async () => {},
});

async function fileOutput(out: string, settings: ExportSettings, now: Context['now']): Promise<ExportOutput> {
  const statePath = `${out}.checkpoint`;
  const saved = await loadJson<SavedExport>(statePath);
  const advice = 'delete it to start over';
  if (saved && saved.options !== settings.options)
    throw new UsageError(`${statePath} belongs to an export with different options; ${advice}`, 'file');
  if (saved) requireSameAccount(statePath, saved.account, settings.account, advice, advice);
  const part = await PartFile.open(`${out}.part`, saved?.bytes ?? 0);
  let latest: ExportState | undefined;
  let saveAt = 0;
  const save = async (): Promise<void> => {
    if (latest === undefined) return;
    await part.flush();
    await saveJson(statePath, { ...latest, ...settings, bytes: part.bytes });
    saveAt = now() + checkpointIntervalMs;
  };
  return {
    saved: saved ?? { done: 0 },
    async append(text, state) {
      await part.append(text);
      latest = state;
      if (now() >= saveAt) await save();
    },
    async finish() {
      await part.flush();
      await renameOver(`${out}.part`, out);
      await rm(statePath, { force: true });
      latest = undefined;
    },
    async close() {
      await save();
      await part.close();
    },
  };
}
