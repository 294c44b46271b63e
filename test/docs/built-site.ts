// Builds the site of the documents, for tests of its pages.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './collect.ts';

/** Builds the site in a new folder, as `npm run docs` builds it. */
export function buildSite() {
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  const steps = [
    ['typedoc/bin/typedoc', '--options', 'typedoc.config.js'],
    ['vitepress/bin/vitepress.js', 'build', '--outDir', folder],
  ];
  const runs = steps.map(([program = '', ...args]) =>
    spawnSync(process.execPath, [join(root, 'node_modules', program), ...args], {
      cwd: join(root, 'docs'),
      encoding: 'utf8',
    }),
  );
  return {
    folder,
    /** Standard output and standard error of the build. */
    output: runs.map(({ stdout, stderr }) => stdout + stderr).join(''),
    /** Sum of the exit codes: 0 if both steps succeeded. */
    status: runs.reduce((sum, run) => sum + (run.status ?? 1), 0),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
