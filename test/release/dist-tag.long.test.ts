import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const script = join(import.meta.dirname, '../../.ci/dist-tag.ts');
const work = mkdtempSync(join(tmpdir(), 'dist-tag-'));
const author = join(work, 'author');
const clone = join(work, 'clone');
afterAll(() => rmSync(work, { recursive: true, force: true }));

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd });

/** Adds a commit with a version, and its tag, to a branch, or to a new one that begins at `from`. */
function add(version: string, branch: string, from?: string): void {
  git(author, 'checkout', '--quiet', ...(from ? ['-b', branch, from] : [branch]));
  writeFileSync(join(author, 'package.json'), JSON.stringify({ version }));
  git(author, 'add', '.');
  git(author, 'commit', '--quiet', '--message', version);
  git(author, 'tag', `v${version}`);
}

/** Returns what the script prints in a complete clone, as the workflow has it. */
function distTag(tag: string, ofVersion = tag): string {
  git(clone, 'fetch', '--quiet', '--tags');
  git(clone, 'checkout', '--quiet', `v${ofVersion}`);
  const env = { ...process.env, GITHUB_REF_NAME: `v${tag}` };
  const { stdout, stderr } = spawnSync(process.execPath, [script], { cwd: clone, env, encoding: 'utf8' });
  return stdout || (/^Error: (.*)$/m.exec(stderr)?.[1] ?? stderr);
}

beforeAll(() => {
  git(work, 'init', '--quiet', '--initial-branch', 'main', author);
  git(author, 'commit', '--quiet', '--allow-empty', '--message', 'begin');
  git(work, 'clone', '--quiet', author, clone);
});

test('each release gets its dist-tag when its tag is pushed', () => {
  for (const [version, expected, branch, from] of [
    ['1.0.0-rc.1', 'next', 'main'],
    ['1.0.0', 'latest', 'main'],
    ['1.0.1', 'latest', 'main'],
    ['2.0.0-rc.1', 'next', 'main'],
    ['1.0.2', 'latest', 'v1.x', 'v1.0.1'],
    ['2.0.0', 'latest', 'main'],
    ['1.0.10', 'latest-1', 'v1.x'],
    ['1.1.0-rc.1', 'next', 'v1.x'],
    ['10.0.0', 'latest', 'main'],
    ['2.0.1', 'latest-2', 'v2.x', 'v2.0.0'],
  ] as const) {
    add(version, branch, from);
    expect(distTag(version), version).toBe(`dist-tag=${expected}\n`);
  }

  // Of an older minor version: a program that asks for `^1.0.9` gets 1.0.10 already.
  add('1.0.9', 'v1.x');
  expect(distTag('1.0.9')).toBe('v1.0.9 is lower than v1.0.10: release the fix as a higher version.');
  add('10.0.1', 'work', 'main');
  expect(distTag('10.0.1')).toBe('v10.0.1 is not on main or v10.x.');
  add('3.0.0', 'v1.x');
  expect(distTag('3.0.0')).toBe('v3.0.0 is not on main or v3.x.');
  expect(distTag('9.9.9', '10.0.0')).toBe('The tag is v9.9.9, and package.json has version 10.0.0.');
});
