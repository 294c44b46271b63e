/**
 * Releases to a local registry: `npm run test:release`. Everything that the release workflow does but the upload itself, in a
 * clone of the last commit whose path has a space and a `#`; then the package is installed by its name, imported and required.
 * Last come tests that start other programs, in the same clone without the `#`, which Vite cannot have in a path.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npm } from '../support/npm.ts';
import { startRegistry } from './registry.ts';

/**
 * Tests that start programs or load files by their paths. Pages that Chromium opens are left out: they take minutes, and a
 * server gives them to it, which no path has to do with.
 */
const testsWithPaths = [
  ...['test/docs', 'test/examples', 'test/cli', 'test/testing'],
  ...['--exclude=**/site.test.ts', '--exclude=**/page.test.ts'],
];

const root = join(import.meta.dirname, '../..');
const work = mkdtempSync(join(tmpdir(), 'release-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

const clone = join(work, 'a checkout #1');
execFileSync('git', ['clone', '--quiet', root, clone]);
npm(clone, ['ci']);

Object.assign(process.env, {
  GITHUB_SERVER_URL: 'https://git.example',
  GITHUB_REPOSITORY: 'team/repository',
});
npm(clone, ['run', 'release']);
const [tarball = ''] = globSync('release/*.tgz', { cwd: clone });

const registry = await startRegistry(work);
try {
  await registry.npm(clone, ['publish', `./${tarball.replaceAll('\\', '/')}`]);
  const project = join(work, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  await registry.npm(project, ['install', 'email-marketing-client']);
  checkInstalled(project);
} finally {
  registry.close();
}

// The release has written the repository into the manifest and the documents.
execFileSync('git', ['checkout', '--quiet', '.'], { cwd: clone });
for (const script of ['types', 'lint', 'demo']) npm(clone, ['run', script]);
const spaced = join(work, 'a checkout');
renameSync(clone, spaced);
npm(spaced, ['run', 'test:unit', '--', ...testsWithPaths]);
console.log('the scripts run in a path with a space and a "#", and the tests in one with a space');
// verdaccio has no way to stop all of its timers.
process.exit();

function checkInstalled(project: string): void {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const run = (type: string, program: string) =>
    execFileSync(process.execPath, [`--input-type=${type}`, '--eval', program], {
      cwd: project,
      encoding: 'utf8',
    });
  const name = 'email-marketing-client';
  assert.equal(run('module', `import { version } from '${name}'; console.log(version);`), `${version}\n`);
  assert.equal(run('commonjs', `console.log(require('${name}').version);`), `${version}\n`);
  const { scripts } = JSON.parse(readFileSync(join(project, 'node_modules', name, 'package.json'), 'utf8'));
  assert.equal(scripts, undefined, 'npm warns of scripts in a package');
  console.log(`${name} ${version}: published, installed by name, imported and required`);
}
