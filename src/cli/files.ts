import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import fs, { type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from './command-line.ts';

/**
 * Checks a path that an option names, before a file is written there.
 * @throws UsageError if there is no such folder, or a folder, device, pipe or link would become a file.
 */
export async function requireReplaceable(flag: string, path: string, advice: string): Promise<void> {
  const refuse = (reason: string) => {
    throw new UsageError(`${flag} ${path}${reason}`, 'file');
  };
  if (path === '') refuse('is empty: add a file name');
  const folder = dirname(path);
  if (!existsSync(folder)) refuse(`: the folder ${folder} does not exist`);
  const found = await fs.lstat(path).catch(() => undefined);
  if (found?.isDirectory()) refuse(' is a folder: add a file name');
  if (found?.isFile() === false) refuse(` is not a regular file: ${advice}`);
}

/**
 * Replaces the file at `path` atomically: writes a temporary file beside it, readable by its owner only, and renames it.
 * A symbolic link at `path` is replaced, not followed.
 */
export async function replaceFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const beside = `${path}.${randomUUID()}.tmp`;
  const file = await fs.open(beside, 'wx', 0o600).catch(error => {
    throw Object.assign(error, { path });
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
