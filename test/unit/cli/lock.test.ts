import fs, {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withLock } from '../../../src/cli/lock.ts';

let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
  path = join(folder, 'people.csv.lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

const token = '6a2f41a3-c54c-fce8-32d2-0324e1c32e22';
const held = () => JSON.parse(readFileSync(path, 'utf8'));

/** Writes the lock of another process, which differs from one of this process in these members, and its age in seconds. */
async function leaveLock(other: object, age = 0): Promise<void> {
  let lock = {};
  await withLock(path, async () => {
    lock = held();
  });
  writeFileSync(path, JSON.stringify({ ...lock, token, ...other }));
  const renewed = Date.now() / 1000 - age;
  utimesSync(path, renewed, renewed);
}

/** An id above the highest of Linux and macOS: no process has it. */
const noProcess = 4_194_305;

test('a lock has the host, the process id and a unique token, and is removed at the end, even after an error', async () => {
  const failing = withLock(path, async () => {
    const token = expect.stringMatching(/^[\da-f-]{36}$/);
    expect(held()).toMatchObject({ host: hostname(), pid: process.pid, token });
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(readdirSync(folder)).toEqual([]);
});

test('a lock is never empty, so that a process that is killed leaves one that can be replaced', async () => {
  let isDone = false;
  const lockOften = async () => {
    for (let count = 0; count < 100; count += 1) await withLock(path, async () => {});
    isDone = true;
  };
  const locking = lockOften();
  const seen = new Set<string>();
  while (!isDone) {
    if (existsSync(path)) seen.add(statSync(path, { throwIfNoEntry: false })?.size === 0 ? 'empty' : 'whole');
    await setImmediate();
  }
  await locking;
  expect([...seen]).toEqual(['whole']);
});

test('a second lock is refused while the first is held, and does not remove it', async () => {
  await withLock(path, async () => {
    const second = withLock(path, async () => {});
    await expect(second).rejects.toThrow(`process ${process.pid} on ${hostname()} is using this file`);
    expect(held().pid).toBe(process.pid);
  });
});

test('a lock that was replaced meanwhile is not removed at the end', async () => {
  const other = JSON.stringify({ host: 'elsewhere', pid: noProcess, token });
  await withLock(path, async () => writeFileSync(path, other));
  expect(readFileSync(path, 'utf8')).toBe(other);
});

test('on a file system without hard links, a lock is refused while another is held', async () => {
  const link = vi.spyOn(fs.promises, 'link').mockRejectedValue(Object.assign(new Error(), { code: 'EPERM' }));
  syncBuiltinESMExports();
  try {
    await withLock(path, async () => {
      const before = held();
      await expect(withLock(path, async () => {})).rejects.toThrow('is using this file');
      expect(held()).toEqual(before);
    });
    expect(link).toHaveBeenCalled();
  } finally {
    link.mockRestore();
    syncBuiltinESMExports();
  }
  expect(readdirSync(folder)).toEqual([]);
});

test('the lock of a process that no longer runs is replaced', async () => {
  await leaveLock({ pid: noProcess });
  await withLock(path, async () => expect(held().pid).toBe(process.pid));
  expect(readdirSync(folder)).toEqual([]);
});

const elsewhere = { host: 'elsewhere', pid: noProcess };
const isLinux = process.platform === 'linux';

test.runIf(isLinux)('a lock says which process of which container holds it', async () => {
  await withLock(path, async () => {
    const { boot, namespace, started } = held();
    expect(boot).toBe(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim());
    expect(namespace).toBe(readlinkSync('/proc/self/ns/pid'));
    expect(Number(started)).toBe(Number(readFileSync('/proc/self/stat', 'utf8').split(' ')[21]));
  });
});

// A container that is restarted can have the process ids of the one before; so can a machine.
test.runIf(isLinux).each([
  ['of an earlier process with the id of one that runs', { pid: process.pid, started: '1' }],
  ['of an earlier process with the id of another one that runs', { pid: 1, started: '0.5' }],
  ['from before a restart of the machine', { pid: process.pid, boot: 'another' }],
])('a lock %s is replaced', async (_, other) => {
  await leaveLock(other, 61);
  await withLock(path, async () => expect(held().token).not.toBe(token));
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ['of another machine', elsewhere],
  ['of a process that runs', { pid: process.pid }],
  ['of a process that runs, whose start is not known', { pid: process.pid, started: undefined }],
  ['of another container', { pid: noProcess, namespace: 'pid:[1]' }],
  [
    'of another container on a machine of this name',
    { pid: noProcess, namespace: 'pid:[1]', boot: 'another' },
  ],
  ['of another machine of this name', { pid: noProcess, boot: 'another', machine: 'another' }],
])('a lock %s is never removed', async (_, other) => {
  await leaveLock(other, 3600);
  const before = readFileSync(path, 'utf8');
  await expect(withLock(path, async () => {})).rejects.toThrow(`delete ${path}`);
  expect(readFileSync(path, 'utf8')).toBe(before);
});

// Clones of one image have the same name and the same id of the machine.
test.runIf(isLinux)(
  'a lock that was renewed within a minute is never removed, though it is of another boot',
  async () => {
    await leaveLock({ pid: noProcess, boot: 'another' }, 58);
    await expect(withLock(path, async () => {})).rejects.toThrow(`delete ${path}`);
    expect(held().token).toBe(token);
  },
);

test('whoever holds a lock renews it every five seconds', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    await withLock(path, async () => {
      utimesSync(path, 0, 0);
      vi.advanceTimersByTime(4_900);
      await setTimeout(50);
      expect(statSync(path).mtimeMs).toBe(0);
      vi.advanceTimersByTime(200);
      await vi.waitFor(() => expect(statSync(path).mtimeMs).toBeGreaterThan(Date.now() - 10_000));
    });
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test.runIf(isLinux)('a folder that cannot be written to is named, with what to do', async () => {
  const message = /^the folder \/sys cannot be written to, .*: use a file in another folder$/;
  await expect(withLock('/sys/people.csv.lock', async () => {})).rejects.toThrow(message);
});

test.runIf(isLinux)('a container does not judge a lock from before a restart of its machine', async () => {
  // Another machine can have a container with the same name and namespace.
  const readlink = vi.spyOn(fs, 'readlinkSync').mockReturnValue('pid:[4026532178]');
  syncBuiltinESMExports();
  try {
    await leaveLock({ pid: noProcess, boot: 'another' }, 3600);
    await expect(withLock(path, async () => {})).rejects.toThrow(`delete ${path}`);
  } finally {
    readlink.mockRestore();
    syncBuiltinESMExports();
  }
});

test.each(['', '{', '12345', '{"host":"a","pid":1,"token":"../../x"}'])(
  'a lock that cannot be read is never removed: %j',
  async text => {
    writeFileSync(path, text);
    await expect(withLock(path, async () => {})).rejects.toThrow(/another process is using this file/);
    expect(readFileSync(path, 'utf8')).toBe(text);
  },
);
