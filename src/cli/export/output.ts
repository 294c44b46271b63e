import { existsSync } from 'node:fs';
import { type FileHandle, lstat, readFile, rm } from 'node:fs/promises';
import { renameOver, replaceFile } from '../../core/replace-file.ts';
import { messageOf, UsageError } from '../command-line.ts';
import { openToAppend, requireReplaceable } from '../files.ts';
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

/** Minimum time between two checkpoints, in milliseconds. */
const checkpointIntervalMs = 1000;

/**
 * Opens standard output, or a file, which resumes where an earlier run with the same hash of `settings` stopped. The file is
 * locked until `run` has ended, and gets its name if it succeeds.
 */
export async function withOutput(
  { out, overwrite }: { readonly out: string; readonly overwrite?: boolean },
  settings: () => string,
  context: Context,
  run: (output: ExportOutput) => Promise<number>,
): Promise<number> {
  if (out === '-') return run({ saved: { done: 0 }, append: text => writeData(context, text) });
  await requireReplaceable('--out', out, 'use another name, or - for standard output');
  return withLock(`${out}.lock`, async () => {
    if (existsSync(out) && !overwrite) throw new UsageError(`${out} exists; --overwrite replaces it`, 'file');
    return writeFile(out, settings, context, run);
  });
}

async function writeFile(
  out: string,
  settings: () => string,
  context: Context,
  run: (output: ExportOutput) => Promise<number>,
): Promise<number> {
  const statePath = `${out}.checkpoint`;
  const saved = await loadState(statePath, settings);
  const part = await openPart(`${out}.part`, saved.bytes);
  // A text that did not fit on the disk does not count.
  let { bytes } = saved;
  let latest = saved;
  let saveAt = context.now() + checkpointIntervalMs;
  const save = async (): Promise<void> => {
    await part.datasync();
    await replaceFile(statePath, file => file.writeFile(JSON.stringify({ ...latest, settings: settings() })));
    saveAt = context.now() + checkpointIntervalMs;
  };
  const append: ExportOutput['append'] = async (text, state) => {
    await part.appendFile(text);
    bytes += Buffer.byteLength(text);
    if (state === undefined) return;
    latest = { ...state, bytes };
    if (context.now() >= saveAt) await save();
  };
  try {
    const done = await run({ saved, append });
    await part.datasync();
    // If the process ends in between, the next run starts over: a checkpoint without its part would stop it.
    await rm(statePath, { force: true });
    await renameOver(`${out}.part`, out);
    return done;
  } catch (error) {
    if (latest.done > 0) {
      print(context, ['Run the same command again to resume.']);
      await save();
    }
    throw error;
  } finally {
    await part.close();
  }
}

/** Opens a new file to append to it, or an unfinished one, of which what follows its first `bytes` is removed. */
export async function openPart(path: string, bytes: number): Promise<FileHandle> {
  if (bytes === 0) await replaceFile(path, async () => {});
  const { size = 0 } = (await lstat(path).catch(() => undefined)) ?? {};
  if (size < bytes)
    throw new UsageError(
      `${path} is shorter than its checkpoint; delete the checkpoint to start again`,
      'file',
    );
  const file = await openToAppend(path);
  await file.truncate(bytes);
  return file;
}

/** Returns the state of an earlier export with the same settings. */
async function loadState(
  path: string,
  settings: () => string,
): Promise<ExportState & { readonly bytes: number }> {
  if (!existsSync(path)) return { done: 0, bytes: 0 };
  const saved = await readFile(path, 'utf8')
    .then(JSON.parse)
    .catch(error => {
      throw new UsageError(`${path} cannot be read: ${messageOf(error)}; delete it to start over`, 'file');
    });
  if (saved?.settings === settings()) return saved;
  const reason = 'belongs to an export of another address, with another key or other options';
  throw new UsageError(`${path} ${reason}; delete it to start over`, 'account');
}
