import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { replaceFile } from '../../../src/cli/files.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const path = (name: string): string => join(folder, name);
const permissions = (name: string): number => statSync(path(name)).mode & 0o777;

// Windows has no such permissions.
test.skipIf(process.platform === 'win32')(
  'replaceFile creates a file that only its owner can read',
  async () => {
    await replaceFile(path('out'), output => output.writeFile('new'));
    expect(permissions('out')).toBe(0o600);
  },
);

describe('a rename that fails because another program has the file open', () => {
  const fs = process.getBuiltinModule('node:fs/promises');
  const { rename } = fs;

  /** Replaces a file on a platform where the first renames fail; returns how many were tried. */
  async function replaceOn(platform: string, failures: number, code: string): Promise<number> {
    let calls = 0;
    vi.spyOn(process, 'platform', 'get').mockReturnValue(platform as NodeJS.Platform);
    vi.spyOn(fs, 'rename').mockImplementation(async (from, to) => {
      calls += 1;
      if (calls <= failures) throw Object.assign(new Error(code), { code });
      await rename(from, to);
    });
    await replaceFile(path('out'), file => file.writeFile('new')).finally(() => vi.restoreAllMocks());
    return calls;
  }

  test.each(['EPERM', 'EACCES', 'EBUSY'])('is retried on Windows after %s', async code => {
    writeFileSync(path('out'), 'old');
    expect(await replaceOn('win32', 3, code)).toBe(4);
    expect(readFileSync(path('out'), 'utf8')).toBe('new');
  });

  test('fails at once on other systems, and for other reasons', async () => {
    await expect(replaceOn('linux', 1, 'EPERM')).rejects.toThrow('EPERM');
    await expect(replaceOn('win32', 1, 'ENOSPC')).rejects.toThrow('ENOSPC');
    expect(readdirSync(folder)).toEqual([]);
  });
});
