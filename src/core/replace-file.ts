type FileHandle = Awaited<ReturnType<ReturnType<typeof fileSystem>['open']>>;

/** Loads `node:fs/promises` on demand: an import would fail in browsers, where the sandbox runs too. */
function fileSystem() {
  const fs = globalThis.process?.getBuiltinModule?.('node:fs/promises');
  if (fs === undefined) throw new Error('files require Node, Bun or Deno');
  return fs;
}

/**
 * Replaces the file at `path` atomically: writes a temporary file beside it, readable by its owner only, and renames it.
 * A symbolic link at `path` is replaced, not followed.
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

/** Error codes on Windows while another program, such as a virus scanner, has one of the files open. */
const heldOpen = ['EPERM', 'EACCES', 'EBUSY'];
/** Delay before the first retry of a rename. It doubles each time; all delays add up to 5 s. */
const firstWaitMs = 10;
const lastWaitMs = 2560;

/** Renames a file and overwrites the target. */
async function renameOver(from: string, to: string): Promise<void> {
  for (let waitMs = firstWaitMs; ; waitMs *= 2)
    try {
      return await fileSystem().rename(from, to);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (process.platform !== 'win32' || !heldOpen.includes(code) || waitMs > lastWaitMs) throw error;
      await new Promise(resolve => setTimeout(resolve, waitMs));
    }
}
