import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { UsageError } from '../usage-error.ts';

/**
 * Runs something as the only process that imports a file: two would send rows twice. A lock that was left behind by a
 * process that no longer runs is taken over.
 */
export async function withLock<Value>(file: string, run: () => Promise<Value>): Promise<Value> {
  const path = `${file}.journal.lock`;
  const holder = Number(await readFile(path, 'utf8').catch(() => '0'));
  if (isRunning(holder))
    throw new UsageError(
      `process ${holder} is importing this file; if it is another program, delete ${path}`,
    );
  await rm(path, { force: true });
  await createLock(path);
  try {
    return await run();
  } finally {
    await rm(path, { force: true });
  }
}

/** Creates the file with its content at once; one that another process has just created is an error. */
async function createLock(path: string): Promise<void> {
  const own = `${path}.${process.pid}`;
  await writeFile(own, `${process.pid}`);
  try {
    await link(own, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new UsageError('another process has just begun to import this file');
  } finally {
    await rm(own, { force: true });
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
