import type { FileHandle } from 'node:fs/promises';

/** Returns Node's file functions, loaded when they are needed: the sandbox runs in browsers too. */
export function fileSystem(): typeof import('node:fs/promises') {
  const fs = globalThis.process?.getBuiltinModule?.('node:fs/promises');
  if (fs === undefined) throw new Error('state files need Node, Bun or Deno');
  return fs;
}

/**
 * Creates a file under a random name beside `path`, which only its owner can read, and renames it to `path`, so that
 * `path` is whole at every moment. A symbolic link at `path` is replaced, never followed.
 */
export async function replaceFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const fs = fileSystem();
  const beside = `${path}.${crypto.randomUUID()}.tmp`;
  const file = await fs.open(beside, 'wx', 0o600).catch(error => {
    throw Object.assign(error, { path });
  });
  try {
    try {
      await write(file);
      await file.sync();
    } finally {
      await file.close();
    }
    await renameOver(beside, path);
  } catch (error) {
    await fs.rm(beside, { force: true });
    throw error;
  }
}

/** Codes of a rename on Windows while a virus scanner or a backup holds one of the files open. */
const heldOpen = ['EPERM', 'EACCES', 'EBUSY'];
/** First wait before a rename is retried; each is twice as long as the one before. Together they take 5 s. */
const firstWaitMs = 10;
const lastWaitMs = 2560;

/** Renames a file, over one that may exist. */
export async function renameOver(from: string, to: string): Promise<void> {
  for (let waitMs = firstWaitMs; ; waitMs *= 2)
    try {
      return await fileSystem().rename(from, to);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (process.platform !== 'win32' || !heldOpen.includes(code) || waitMs > lastWaitMs) throw error;
      await new Promise(resolve => setTimeout(resolve, waitMs));
    }
}
