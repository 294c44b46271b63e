import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../.github/workflows');
const files = globSync('*.yml', { cwd: folder }).sort();
const read = (file: string) => readFileSync(join(folder, file), 'utf8');

describe('the workflows', () => {
  test('are those of pull requests and releases', () => {
    expect(files).toEqual(['ci.yml', 'release.yml']);
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

  test('publish in a job that runs no code of the repository and installs no package', () => {
    const release = read('release.yml');
    const [, publish = ''] = release.split(/^ {2}publish:$/m);
    expect(release.match(/id-token: write/g)).toHaveLength(1);
    expect(publish).toContain('id-token: write');
    expect(publish).not.toMatch(/checkout@|npm (ci|install|run)|\.ci\//);
    expect(publish).toMatch(/sha256sum --check[\s\S]*npm publish .*--ignore-scripts/);
  });
});
