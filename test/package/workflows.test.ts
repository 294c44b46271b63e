import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { newestNode, nodeBinary, nodeVersions } from '../runtimes/install.ts';
import * as programs from '../support/programs.ts';

const folder = join(import.meta.dirname, '../../.github/workflows');
const files = globSync('*.yml', { cwd: folder }).sort();
const read = (file: string) => readFileSync(join(folder, file), 'utf8');

describe('the workflows', () => {
  test('are these', () => {
    expect(files).toEqual(['ci.yml', 'code-scanning.yml', 'release.yml']);
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

  test('use the Node of .nvmrc, the newest that is tested, where they use only one', () => {
    const named = files.flatMap(file =>
      [...read(file).matchAll(/node-version: (\d.*)/g)].map(([, node]) => node),
    );
    expect(new Set(named)).toEqual(new Set([newestNode]));
    expect(readFileSync(join(folder, '../../.nvmrc'), 'utf8')).toBe(`${newestNode}\n`);
  });

  test('check the branch of a tag, and the subjects of new commits, in complete clones', () => {
    for (const [file, command] of [
      ['release.yml', 'node .ci/dist-tag.ts'],
      ['ci.yml', 'git log --no-merges --format=%s "$commits"'],
    ] as const) {
      const job = read(file)
        .split(/^ {2}(?=\w+:$)/m)
        .find(text => text.includes(command));
      expect(job).toContain('fetch-depth: 0');
    }
  });

  test('publish in a job that neither runs code of the repository nor installs a package', () => {
    const release = read('release.yml');
    const [, publish = ''] = release.split(/^ {2}publish:$/m);
    expect(release.match(/id-token: write/g)).toHaveLength(1);
    expect(publish).toContain('id-token: write');
    expect(publish).not.toMatch(/checkout@|npm (ci|install|run)|\.ci\//);
    expect(publish).toMatch(/sha256sum --check[\s\S]*npm publish .*--ignore-scripts/);
    // Without a tag, npm would make each version the latest.
    expect(publish).toMatch(
      /npm publish .*--tag "\$DIST_TAG"\n *env:\n *DIST_TAG: \$\{\{ needs\.build\.outputs\.dist-tag/,
    );
  });
});

test.each(Object.values(programs).filter(program => typeof program === 'object'))(
  '.ci/run, which the workflows run, installs $name',
  ({ debianPackage }) => {
    expect(readFileSync(join(folder, '../../.ci/run'), 'utf8')).toContain(`missing+=(${debianPackage})`);
  },
);

describe('the Node that a job of ci.yml tests', () => {
  test('is the one of its matrix: steps that name it pass its path, which was found outside npm', () => {
    const steps = read('ci.yml').split(/^ {6}- /m);
    const naming = steps.filter(step => /^ *run: .*\bmatrix\.node\b/m.test(step));
    expect(naming).toHaveLength(2);
    for (const step of naming) expect(step).toMatch(/SYSTEM_NODE: \$\{\{ steps\.node\.outputs\.path \}\}/);
    const finding = steps.filter(step => step.startsWith('id: node\n'));
    expect(finding).toHaveLength(2);
    for (const step of finding)
      expect(step).toContain('run: echo "path=$(node --print process.execPath)" >> "$GITHUB_OUTPUT"');
  });

  test('is a version that the tests know and use', () => {
    const [major = '', minor = ''] = process.versions.node.split('.');
    const version = `${major}.${minor}` === '22.12' ? '22.12' : major;
    const named = [...read('ci.yml').matchAll(/\bnode: \[(.*)\]/g)].map(([, list = '']) => list);
    expect(named).toEqual(["'22', '24', '26'", "'22.12', '24', '26'"]);
    vi.stubEnv('SYSTEM_NODE', process.execPath);
    expect(nodeVersions).toContain(version);
    for (const each of nodeVersions)
      if (each === version) expect(nodeBinary(each)).toBe(process.execPath);
      else expect(() => nodeBinary(each)).toThrow(`not ${each}`);
    vi.unstubAllEnvs();
  });
});
