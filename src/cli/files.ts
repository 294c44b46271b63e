import { randomUUID } from 'node:crypto';
import fs, { type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from './command-line.ts';

/** @throws UsageError if a folder, device, pipe or link is at a path where a file is to be written. */
export async function requireReplaceable(path: string): Promise<void> {
  const found = await fs.lstat(path).catch(() => undefined);
  if (path === '' || found?.isFile() === false)
    throw new UsageError(`${path} is not a regular file: use another name`, 'file');
}

/**
 * Replaces the file at `path` atomically: writes a temporary file beside it, readable by its owner only, and renames it.
 * A symbolic link at `path` is replaced, not followed.
 */
export async function replaceFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const beside = `${path}.${randomUUID()}.tmp`;
  const file = await fs.open(beside, 'wx', 0o600).catch(error => {
    // The folder does not exist, or cannot be written to.
    throw Object.assign(error, { path: dirname(path) });
  });
  try {
    await write(file)
      .then(() => file.sync())
      .finally(() => file.close());
    await fs.rename(beside, path);
  } catch (error) {
    await fs.rm(beside, { force: true });
    throw error;
  }
}
