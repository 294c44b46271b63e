import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from '../core/replace-file.ts';
import { messageOf, UsageError } from './command-line.ts';

/** Fails on a symbolic link. Windows does not have this flag. */
const noFollow = constants.O_NOFOLLOW ?? 0;

/** Opens an existing file to append to it. A symbolic link is an error. */
export const openToAppend = (path: string): Promise<FileHandle> =>
  open(path, constants.O_WRONLY | constants.O_APPEND | noFollow);

export const saveJson = (path: string, value: object): Promise<void> =>
  replaceFile(path, file => file.writeFile(`${JSON.stringify(value)}\n`));

/** Reads JSON that {@link saveJson} wrote; `undefined` if there is no such file. */
export async function loadJson<Value>(path: string): Promise<Value | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Value;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UsageError(`${path} cannot be read: ${messageOf(error)}; delete it to start again`, 'file');
  }
}

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

/** A file that is written from start to end, and that a later run can resume at a known position. */
export class PartFile {
  readonly #file: FileHandle;
  /** Size of what was appended as a whole: a text that did not fit on the disk does not count. */
  bytes: number;

  private constructor(file: FileHandle, bytes: number) {
    this.#file = file;
    this.bytes = bytes;
  }

  /** Creates an empty file, or opens an unfinished one and removes what follows its first `bytes`. */
  static async open(path: string, bytes: number): Promise<PartFile> {
    if (bytes === 0) await replaceFile(path, async () => {});
    const file = await open(
      path,
      constants.O_CREAT | constants.O_RDWR | constants.O_APPEND | noFollow,
      0o600,
    );
    if ((await file.stat()).size < bytes) {
      await file.close();
      throw new UsageError(
        `${path} is shorter than its checkpoint; delete the checkpoint to start again`,
        'file',
      );
    }
    await file.truncate(bytes);
    return new PartFile(file, bytes);
  }

  async append(text: string): Promise<void> {
    await this.#file.appendFile(text);
    this.bytes += Buffer.byteLength(text);
  }

  flush(): Promise<void> {
    return this.#file.datasync();
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
