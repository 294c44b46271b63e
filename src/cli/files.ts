import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from './command-line.ts';

/** Fails on a symbolic link. Windows does not have this flag. */
const noFollow = constants.O_NOFOLLOW ?? 0;

/** Opens an existing file to append to it. A symbolic link is an error. */
export const openToAppend = (path: string): Promise<FileHandle> =>
  open(path, constants.O_WRONLY | constants.O_APPEND | noFollow);

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
  const found = await lstat(path).catch(() => undefined);
  if (found?.isDirectory()) refuse(' is a folder: add a file name');
  if (found?.isFile() === false) refuse(` is not a regular file: ${advice}`);
}
