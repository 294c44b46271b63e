import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { link, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { UsageError } from './command-line.ts';

/** What a lock says of its process: every member can differ for another process of the same id. */
type Process = ReturnType<typeof self>;
/** `token` is the random name of the lock. */
type Holder = Process & { readonly token: string };

/** Returns the text of a file of Linux, or the target of a link; `undefined` if it does not exist. */
function ofSystem(path: string, read: (path: string, encoding: 'latin1') => string = readFileSync) {
  try {
    return read(path, 'latin1').trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Returns when a process started. The name of its program, in parentheses, can contain spaces and parentheses. */
const startedAt = (pid: number): string | undefined =>
  ofSystem(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ')[19];

const self = () => ({
  host: hostname(),
  // Two machines can have one name.
  machine: ofSystem('/etc/machine-id'),
  boot: ofSystem('/proc/sys/kernel/random/boot_id'),
  // Each container has its own process ids.
  namespace: ofSystem('/proc/self/ns/pid', readlinkSync),
  pid: process.pid,
  started: startedAt(process.pid),
});

/** How often a lock is renewed, and since when it is not that of a process that runs, in milliseconds. */
const renewalMs = 5000;
const maxAgeMs = 60_000;

/** Calls `run` while this process holds the lock file at `path`. The lock of a process that has ended is removed. */
export async function withLock<Value>(path: string, run: () => Promise<Value>): Promise<Value> {
  const holder: Holder = { ...self(), token: randomUUID() };
  if (!(await create(path, holder))) {
    await removeIfDead(path);
    if (!(await create(path, holder))) throw locked(path, await readHolder(path));
  }
  const renew = () => void utimes(path, new Date(), new Date()).catch(() => {});
  const renewal = setInterval(renew, renewalMs).unref();
  try {
    return await run();
  } finally {
    clearInterval(renewal);
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
  try {
    await write(beside);
    await link(beside, path).catch(error => (error.code === 'EEXIST' ? Promise.reject(error) : write(path)));
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    if (!['EROFS', 'EACCES', 'EPERM'].includes(code)) throw error;
    throw new UsageError(
      `the folder ${dirname(path)} cannot be written to, but the command keeps its files beside yours: use a file in another folder`,
      'file',
    );
  } finally {
    await rm(beside, { force: true });
  }
}

/**
 * Removes the lock of a process that has ended, while holding a lock on that lock. Otherwise the second of two processes
 * that find it would remove the new lock of the first.
 */
async function removeIfDead(path: string): Promise<void> {
  const holder = await readHolder(path);
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }));
  if (holder === undefined || !isDead(holder, mtimeMs)) throw locked(path, holder);
  await withLock(`${path}.${holder.token}`, () => removeOwn(path, holder.token));
}

async function removeOwn(path: string, token: string): Promise<void> {
  if ((await readHolder(path))?.token === token) await rm(path, { force: true });
}

/** Returns the holder of a lock, or `undefined` if the lock does not exist or is invalid. */
async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const holder: Holder = JSON.parse(await readFile(path, 'utf8'));
    return /^[\da-f-]{36}$/.test(holder.token) ? holder : undefined;
  } catch {
    return undefined;
  }
}

const locked = (path: string, holder: Holder | undefined): UsageError => {
  const who = holder === undefined ? 'another process' : `process ${holder.pid} on ${holder.host}`;
  return new UsageError(
    `${who} is using this file; if that process no longer exists, delete ${path}`,
    'locked',
  );
};

/** Namespace of a machine's own processes, which are in no container. */
const machineNamespace = 'pid:[4026531836]';

/** Returns whether a process has certainly ended. One that cannot be judged, such as in another container, has not. */
function isDead({ host, machine, boot, namespace, pid, started }: Holder, renewedAt: number): boolean {
  const own = self();
  if (host !== own.host || namespace !== own.namespace) return false;
  if (process.platform === 'linux' && namespace === undefined) return false;
  // The machine was restarted, unless it is a clone of another one that runs. A container can have a name of another machine.
  if (boot !== own.boot) {
    const isOld = Math.abs(Date.now() - renewedAt) > maxAgeMs;
    return isOld && namespace === machineNamespace && machine !== undefined && machine === own.machine;
  }
  const now = startedAt(pid);
  return !isRunning(pid) || (now !== undefined && started !== undefined && now !== started);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It exists, and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
