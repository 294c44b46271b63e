import { readFile, rm, writeFile } from 'node:fs/promises';
import { UsageError } from '../command-line.ts';

/**
 * Runs something as the only process that imports a file: two would send rows twice. A lock that was left behind by a
 * process that no longer runs is taken over.
 */
export async function withLock<Value>(file: string, run: () => Promise<Value>): Promise<Value> {
  const path = `${file}.journal.lock`;
  const holder = await readFile(path, 'utf8').catch(() => undefined);
  if (holder === '' || isRunning(Number(holder))) throw locked(path, holder);
  await rm(path, { force: true });
  await writeFile(path, `${process.pid}`, { flag: 'wx' }).catch(error => {
    throw error.code === 'EEXIST' ? locked(path, '') : error;
  });
  try {
    return await run();
  } finally {
    await rm(path, { force: true });
  }
}

const locked = (path: string, holder = ''): UsageError =>
  new UsageError(
    `process ${holder || '?'} is importing this file; if there is no such import, delete ${path}`,
  );

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
