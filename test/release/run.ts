/**
 * Rehearses a release, in a clone of the last commit whose path has a space and a `#`. Follows docs/CONTRIBUTING.md, then does
 * twice what the release workflow does before the upload, and compares the bytes. Installs the tarball in an empty folder, and
 * loads it by import and require.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { npm } from '../support/npm.ts';

const root = join(import.meta.dirname, '../..');
const work = mkdtempSync(join(tmpdir(), 'release-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

const clone = join(work, 'a checkout #1');
execFileSync('git', ['clone', '--quiet', root, clone]);
npm(clone, ['ci', '--ignore-scripts']);

Object.assign(process.env, {
  // The clone is installed without scripts, and so without its own Node.
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
  GITHUB_SERVER_URL: 'https://git.example',
  GITHUB_REPOSITORY: 'team/repository',
});
const changelog = readFileSync(join(clone, 'CHANGELOG.md'), 'utf8');
if (changelog.includes('\n## Unreleased\n')) {
  assert.throws(() => npm(clone, ['run', 'release']), 'changes that belong to no version are not released');
  npm(clone, ['version', 'minor', '--no-git-tag-version']);
  const [, number = ''] = /"version": "(.*)"/.exec(readFileSync(join(clone, 'package.json'), 'utf8')) ?? [];
  writeFileSync(join(clone, 'CHANGELOG.md'), changelog.replace('## Unreleased', `## ${number}`));
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  execFileSync('git', [...author, 'commit', '--quiet', '--all', '--message', number], { cwd: clone });
}
/** Makes the release anew; returns the hash of each file that it uploads. */
function release(): readonly string[] {
  rmSync(join(clone, 'release'), { recursive: true, force: true });
  npm(clone, ['run', 'release']);
  const hashOf = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(clone, file)))
      .digest('hex');
  return globSync('release/*', { cwd: clone }).map(file => `${file} ${hashOf(file)}`);
}
const uploaded = release();
assert.deepEqual(release(), uploaded, 'a second build of the same commit has the same bytes');
const [tarball = ''] = globSync('release/*.tgz', { cwd: clone }).map(file => join(clone, file));
npm(clone, ['publish', tarball, '--dry-run', '--access', 'public', '--tag', 'next']);

npm(clone, ['pack']);
const [packed = ''] = globSync('*.tgz', { cwd: clone }).map(file => join(clone, file));
const manifestOf = (file: string) =>
  JSON.parse(execFileSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' }));
const { repository, homepage, bugs, ...others } = manifestOf(tarball);
assert.deepEqual(manifestOf(packed), others, 'npm pack gives the same manifest, without the repository');
const changed = execFileSync('git', ['status', '--porcelain', '--ignored'], { cwd: clone, encoding: 'utf8' });
assert.doesNotMatch(changed, /package\.json|^ M/m, 'a release and a pack change no tracked file');

const project = join(work, 'project');
mkdirSync(project);
writeFileSync(join(project, 'package.json'), '{ "private": true }');
npm(project, ['install', tarball]);
const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'));
const run = (type: string, program: string) =>
  execFileSync(process.execPath, [`--input-type=${type}`, '--eval', program], {
    cwd: project,
    encoding: 'utf8',
  });
const name = 'email-marketing-client';
const imported = `import info from '${name}/package.json' with { type: 'json' }; import * as all from '${name}'; console.log(info.version, typeof all.bulk);`;
const required = `const { bulk } = require('${name}'); console.log(require('${name}/package.json').version, typeof bulk);`;
assert.equal(run('module', imported), `${version} function\n`);
assert.equal(run('commonjs', required), `${version} function\n`);
console.log(`${name} ${version}: packed, checked, installed, imported and required`);
