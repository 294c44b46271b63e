import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { git, pathOf, skipsWithout } from '../support/programs.ts';

const program = join(import.meta.dirname, '../../.ci/subjects.ts');

test.skipIf(skipsWithout(git))('a commit after the base may have a subject of at most 72 characters', () => {
  const folder = mkdtempSync(join(tmpdir(), 'subjects-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const run = (...args: string[]) =>
    execFileSync(pathOf(git), ['-c', 'user.name=a', '-c', 'user.email=a@b.test', ...args], { cwd: folder });
  const commit = (message: string) => run('commit', '--quiet', '--allow-empty', '--message', message);
  const check = (base: string) => {
    const { status, stdout } = spawnSync(process.execPath, [program, base], {
      cwd: folder,
      encoding: 'utf8',
    });
    return [status, stdout.replace(/[0-9a-f]{7,} /, '')];
  };

  run('init', '--quiet');
  commit('a'.repeat(200));
  run('tag', 'base');
  expect(check('base')).toEqual([0, '']);
  commit(`${'ü'.repeat(72)}\n\n${'reason '.repeat(20)}`);
  expect(check('base')).toEqual([0, '']);
  commit('b'.repeat(73));
  commit('c');
  expect(check('base')).toEqual([1, `over 72 characters: ${'b'.repeat(73)}\n`]);
  expect(check('gone')[0]).toBe(1);
  expect(check('0'.repeat(40))).toEqual([0, '']);
  commit('d'.repeat(73));
  expect(check('0'.repeat(40))).toEqual([1, `over 72 characters: ${'d'.repeat(73)}\n`]);
});
