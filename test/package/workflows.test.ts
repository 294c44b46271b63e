import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { nodeBinary, nodeVersions } from '../runtimes/install.ts';

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

/** Steps of a workflow that run commands, by job: the command, and the Node that it tests or runs on. */
function commandsOf(workflow: string): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const [, jobs = ''] = workflow.split(/^jobs:$/m);
  const bodies = jobs.split(/^ {2}(\w[\w-]*):$/m).slice(1);
  return Object.fromEntries(
    bodies.flatMap((name, index) => {
      if (index % 2 === 1) return [];
      const steps = (bodies[index + 1] ?? '').split(/^ {6}- /m).slice(1);
      const commands = steps.flatMap(step => {
        const [, command] = /^(?:.*\n +)*?(?: *)run: (.*)$/m.exec(step) ?? [];
        return command === undefined ? [] : [[command, nodeOf(command, step)]];
      });
      return [[name, Object.fromEntries(commands)]];
    }),
  );
}

/** npm puts the Node among the dev dependencies first in the path of whatever it starts; a shell has that of the matrix. */
function nodeOf(command: string, step: string): string {
  if (/SYSTEM_NODE: \$\{\{ steps\.node\.outputs\.path \}\}/.test(step)) return 'matrix';
  return /^(npm|npx|\.ci\/run)\b/.test(command) ? 'dev dependency' : 'matrix';
}

describe('the Node that a job of ci.yml tests', () => {
  const path = `echo "path=$(node --print process.execPath)" >> "$GITHUB_OUTPUT"`;

  test('is that of its matrix, where it has one: the path is found outside of npm, and passed to the tests', () => {
    expect(commandsOf(read('ci.yml'))).toEqual({
      test: {
        [path]: 'matrix',
        'npm ci': 'dev dependency',
        'npm run build': 'dev dependency',
        'npm run types': 'dev dependency',
        'npx node test/nodes.ts ${{ matrix.node }}': 'matrix',
        'npm run lint': 'dev dependency',
      },
      node: {
        [path]: 'matrix',
        'npm ci': 'dev dependency',
        'npm run build': 'dev dependency',
        'npx node test/runtimes/run.ts "Node ${{ matrix.node }}"': 'matrix',
      },
      runtimes: {
        'npm ci': 'dev dependency',
        'npm run build': 'dev dependency',
        'npx node test/runtimes/run.ts ${{ matrix.runtime }}': 'dev dependency',
      },
      'all-checks': { '.ci/run': 'dev dependency' },
    });
  });

  test('is one that the repository knows, and the tests use no other', () => {
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
