import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { renameOver } from '../../core/replace-file.ts';
import { type Account, requireSameAccount } from '../account.ts';
import { UsageError } from '../command-line.ts';
import { loadJson, PartFile, requireReplaceable, saveJson } from '../files.ts';
import { withLock } from '../lock.ts';
import type { Context } from '../surroundings.ts';
import { print, writeData } from '../terminal.ts';

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
}

interface SavedExport extends ExportState {
  readonly account: Account;
  /** Hash of the options that affect the content of the file. */
  readonly options: string;
  readonly bytes: number;
}

/** An export is resumed only with the same settings. */
type ExportSettings = Pick<SavedExport, 'account' | 'options'>;

/** Minimum time between two checkpoints, in milliseconds. */
const checkpointIntervalMs = 1000;

/**
 * Opens standard output, or a file, which resumes where an earlier run with the same settings stopped. The file is
 * locked until `run` has ended, and gets its name if it succeeds.
 */
export async function withOutput(
  { out, overwrite }: { readonly out?: string; readonly overwrite?: boolean },
  settings: ExportSettings,
  context: Context,
  run: (output: ExportOutput) => Promise<number>,
): Promise<number> {
  if (out === undefined) return run({ saved: { done: 0 }, append: text => writeData(context, text) });
  await requireReplaceable('--out', out, 'use another name, or - for standard output');
  return withLock(`${out}.lock`, async () => {
    if (existsSync(out) && !overwrite) throw new UsageError(`${out} exists; --overwrite replaces it`, 'file');
    return writeFile(out, settings, context, run);
  });
}

async function writeFile(
  out: string,
  settings: ExportSettings,
  context: Context,
  run: (output: ExportOutput) => Promise<number>,
): Promise<number> {
  const statePath = `${out}.checkpoint`;
  const saved = await loadState(statePath, settings);
  const part = await PartFile.open(`${out}.part`, saved?.bytes ?? 0);
  let latest: ExportState | undefined;
  let saveAt = 0;
  const save = async (): Promise<void> => {
    if (latest === undefined) return;
    await part.flush();
    await saveJson(statePath, { ...latest, ...settings, bytes: part.bytes });
    saveAt = context.now() + checkpointIntervalMs;
  };
  const append: ExportOutput['append'] = async (text, state) => {
    await part.append(text);
    latest = state;
    if (context.now() >= saveAt) await save();
  };
  try {
    const done = await run({ saved: saved ?? { done: 0 }, append });
    await part.flush();
    // If the process ends in between, the next run starts over: a checkpoint without its part would stop it.
    await rm(statePath, { force: true });
    await renameOver(`${out}.part`, out);
    latest = undefined;
    return done;
  } catch (error) {
    if (latest ?? saved) print(context, ['Run the same command again to resume.']);
    throw error;
  } finally {
    await save();
    await part.close();
  }
}

/** Returns the state of an earlier export with the same settings; `undefined` if there is none. */
async function loadState(path: string, settings: ExportSettings): Promise<SavedExport | undefined> {
  const saved = await loadJson<SavedExport>(path);
  const advice = 'delete it to start over';
  if (saved && saved.options !== settings.options)
    throw new UsageError(`${path} belongs to an export with different options; ${advice}`, 'file');
  if (saved) requireSameAccount(path, saved.account, settings.account);
  return saved;
}
