import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { UsageError } from './usage-error.ts';

/** Reads JSON that {@link saveState} wrote; `undefined` when there is none. */
export async function loadState<State>(path: string): Promise<State | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as State;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}; delete it to start again`);
  }
}

/** Replaces a JSON file at once, so that it is whole at every moment. */
export async function saveState(path: string, state: object): Promise<void> {
  await writeFile(`${path}.new`, `${JSON.stringify(state)}\n`, { flush: true });
  await rename(`${path}.new`, path);
}

/** Deletes the file, if it is there. */
export const removeState = (path: string): Promise<void> => rm(path, { force: true });
