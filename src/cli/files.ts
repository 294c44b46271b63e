import { randomUUID } from 'node:crypto';
import fs, { type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from './command-line.ts';

/** @throws UsageError if a folder, device, pipe or link is at a path where a file is to be written. */
export async function requireReplaceable(path: string): Promise<void> {
  const found = await fs.lstat(path).catch(() => undefined);
  if (path === '' || found?.isFile() === false)
    throw new UsageError(`${path} is not a regular file. Use another name.`, 'file');
}

/**
 * Replaces the file at `path` atomically: writes a temporary file next to it, readable only by its owner, and renames it.
 * A symbolic link at `path` is replaced, not followed. Resolves to the value of `write`.
 */
export async function replaceFile<T>(path: string, write: (file: FileHandle) => Promise<T>): Promise<T> {
  const beside = `${path}.${randomUUID()}.tmp`;
  const file = await fs.open(beside, 'wx', 0o600).catch(error => {
    // The folder does not exist, or cannot be written to.
    throw Object.assign(error, { path: dirname(path) });
  });
  try {
    const result = await write(file);
    await file.sync();
    await file.close();
    await fs.rename(beside, path);
    return result;
  } catch (error) {
    await file.close();
    await fs.rm(beside, { force: true });
    throw error;
  }
}
