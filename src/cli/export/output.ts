import { existsSync } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Checkpoint } from '../../index.ts';
import { UsageError } from '../command-line.ts';
import { loadJson, PartFile, saveJson } from '../files.ts';
import { writeData } from '../terminal.ts';

/** Position of an export. */
interface ExportState {
  /** Contacts written. */
  readonly done: number;
  readonly checkpoint?: Checkpoint;
}

/** Output of an export. */
export interface ExportOutput {
  /** Position at which an earlier run stopped. */
  readonly saved: ExportState;
  /** Writes text; `state` is the position after it. */
  append(text: string, state?: ExportState): Promise<void>;
  /** Gives the complete file its name. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

interface SavedExport extends ExportState {
  readonly settings: string;
  readonly bytes: number;
}

/** Shortest time between two checkpoints, in milliseconds. */
const checkpointIntervalMs = 1000;

/** Opens standard output, or a file that resumes where an earlier run with the same settings stopped. */
export async function openOutput(
  target: { readonly out?: string; readonly overwrite?: boolean },
  settings: string,
): Promise<ExportOutput> {
  const { out, overwrite } = target;
  // Each write rejects with its own failure; without a listener the event would end the process.
  if (out === undefined) process.stdout.on('error', () => {});
  if (out === undefined) return standardOutput;
  const folder = dirname(out);
  if (!existsSync(folder)) throw new UsageError(`--out ${out}: the folder ${folder} does not exist`);
  const existing = await stat(out).catch(() => undefined);
  if (existing?.isDirectory()) throw new UsageError(`--out ${out} is a folder: add the name of a file`);
  if (existing && !overwrite) throw new UsageError(`${out} exists; --overwrite replaces it`);
  return fileOutput(out, settings);
}

const standardOutput: ExportOutput = {
  saved: { done: 0 },
  append: text => writeData(text),
  finish: async () => {},
  close: async () => {},
};

async function fileOutput(out: string, settings: string): Promise<ExportOutput> {
  const statePath = `${out}.checkpoint`;
  const saved = await loadJson<SavedExport>(statePath);
  if (saved && saved.settings !== settings)
    throw new UsageError(`${statePath} belongs to an export with other options; delete it to start again`);
  const part = await PartFile.open(`${out}.part`, saved?.bytes ?? 0);
  let latest: ExportState | undefined;
  let saveAt = 0;
  const save = async (): Promise<void> => {
    if (latest === undefined) return;
    await part.flush();
    await saveJson(statePath, { ...latest, settings, bytes: part.bytes });
    saveAt = performance.now() + checkpointIntervalMs;
  };
  return {
    saved: saved ?? { done: 0 },
    async append(text, state) {
      await part.append(text);
      latest = state;
      if (performance.now() >= saveAt) await save();
    },
    async finish() {
      await part.flush();
      await rename(`${out}.part`, out);
      await rm(statePath, { force: true });
      latest = undefined;
    },
    async close() {
      await save();
      await part.close();
    },
  };
}
