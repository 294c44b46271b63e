// What CI and the release depend on, but their runs would not report.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const workflows = globSync('.github/workflows/*.yml', { cwd: root });

/** Returns the jobs of all workflows that contain a text. */
const jobsWith = (text: string) =>
  workflows.flatMap(file => read(file).split(/^ {2}(?=[\w-]+:$)/m)).filter(job => job.includes(text));

test.each(workflows)('%s pins each action to a commit, and names its version', file => {
  const uses = read(file).match(/\buses:.*/g) ?? [];
  expect(uses).not.toEqual([]);
  for (const line of uses) expect(line).toMatch(/^uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test.each(['.ci/dist-tag.ts', 'git log'])('a job that runs %s clones the whole history', command => {
  const jobs = jobsWith(command);
  expect(jobs).not.toEqual([]);
  for (const job of jobs) expect(job).toContain('fetch-depth: 0');
});

test('the job that can publish runs no code of the repository and installs nothing', () => {
  const jobs = jobsWith('id-token: write');
  expect(jobs).toHaveLength(1);
  expect(jobs[0]).not.toMatch(/checkout@|npm (ci|install|run)|npx|\.ci\//);
  // Without a tag, npm would make each version the latest.
  expect(jobs[0]).toMatch(/sha256sum --check[\s\S]*npm publish .*--ignore-scripts.* --tag "\$DIST_TAG"/);
});
