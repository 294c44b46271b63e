import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { UsageError } from './command-line.ts';

interface Holder {
  readonly host: string;
  readonly pid: number;
  /** Random name of this lock. */
  readonly token: string;
}

/** Calls `run` while this process holds the lock file at `path`. The lock of a process that has ended is removed. */
export async function withLock<Value>(path: string, run: () => Promise<Value>): Promise<Value> {
  const holder: Holder = { host: hostname(), pid: process.pid, token: randomUUID() };
  if (!(await create(path, holder))) {
    await removeIfDead(path);
    if (!(await create(path, holder))) throw locked(path, await readHolder(path));
  }
  try {
    return await run();
  } finally {
    await removeOwn(path, holder.token);
  }
}

/**
 * Creates a lock, unless there is one. It is written under another name and linked, so that a killed process leaves no
 * empty lock. On file systems without hard links it is written directly.
 */
async function create(path: string, holder: Holder): Promise<boolean> {
  const write = (file: string) => writeFile(file, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
  const beside = `${path}.${holder.token}.tmp`;
  await write(beside);
  try {
    await link(beside, path).catch(error => (isExisting(error) ? Promise.reject(error) : write(path)));
    return true;
  } catch (error) {
    if (isExisting(error)) return false;
    throw error;
  } finally {
    await rm(beside, { force: true });
  }
}

const isExisting = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EEXIST';

/**
 * Removes the lock of a process that has ended, while holding a lock on that lock. Otherwise the second of two processes
 * that find it would remove the new lock of the first.
 */
async function removeIfDead(path: string): Promise<void> {
  const holder = await readHolder(path);
  if (holder === undefined || !isDead(holder)) throw locked(path, holder);
  await withLock(`${path}.${holder.token}`, () => removeOwn(path, holder.token));
}

async function removeOwn(path: string, token: string): Promise<void> {
  if ((await readHolder(path))?.token === token) await rm(path, { force: true });
}

/** Returns the holder of a lock, or `undefined` if the lock does not exist or is invalid. */
async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const holder = JSON.parse(await readFile(path, 'utf8'));
    const valid =
      typeof holder.host === 'string' && Number.isInteger(holder.pid) && /^[\da-f-]{36}$/.test(holder.token);
    return valid ? holder : undefined;
  } catch {
    return undefined;
  }
}

const locked = (path: string, holder: Holder | undefined): UsageError => {
  const who = holder === undefined ? 'another process' : `process ${holder.pid} on ${holder.host}`;
  return new UsageError(
    `${who} is importing or exporting this file; if that process no longer exists, delete ${path}`,
  );
};

const isDead = ({ host, pid }: Holder): boolean => host === hostname() && !isRunning(pid);

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It exists, and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
