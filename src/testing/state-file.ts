import { snapshotFromJson, snapshotToJson } from './service/record-json.ts';
import { restoreSnapshot, type State, takeSnapshot } from './service/state.ts';

/** Returns Node's file functions, looked up when they are needed: this module loads in browsers too. */
function fileSystem(): typeof import('node:fs/promises') {
  const fs = globalThis.process?.getBuiltinModule?.('node:fs/promises');
  if (fs === undefined) throw new Error('state files need Node, Bun or Deno');
  return fs;
}

/** Writes a state to a JSON file: to a file beside it first, which then takes its place in one step. */
export async function saveState(state: State, file: string): Promise<void> {
  const fs = fileSystem();
  const beside = `${file}.${crypto.randomUUID()}.tmp`;
  try {
    const handle = await fs.open(beside, 'wx');
    try {
      await handle.writeFile(snapshotToJson(takeSnapshot(state)));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await fs.rename(beside, file);
  } catch (error) {
    await fs.rm(beside, { force: true });
    throw error;
  }
}

/** Replaces a state by that of a JSON file; one that is not whole changes nothing and rejects with a `RangeError`. */
export async function loadState(state: State, file: string): Promise<void> {
  const text = await fileSystem().readFile(file, 'utf8');
  restoreSnapshot(state, snapshotFromJson(text));
}
