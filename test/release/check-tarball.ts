/** Checks the tarball in the folder `release` before it is published. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const [tarball = ''] = globSync('release/*.tgz', { cwd: root }).map(file => join(root, file));
const folder = mkdtempSync(join(tmpdir(), 'tarball-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', folder]);

const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const manifest = JSON.parse(read('package.json'));

const members = [
  ...['name', 'version', 'description', 'keywords', 'license', 'type', 'sideEffects', 'engines'],
  ...['main', 'module', 'types', 'bin', 'imports', 'exports', 'typesVersions', 'files'],
  ...['peerDependencies', 'peerDependenciesMeta', 'repository', 'homepage', 'bugs'],
];

function checkManifest(): void {
  assert.match(manifest.repository.url, /^git\+https?:.*\.git$/, 'npm needs the repository for provenance');
  // Other members of the repository's manifest are left out: npm runs its scripts where the package is installed.
  assert.deepEqual(Object.keys(manifest), members, 'the manifest has these members');
  assert.ok(manifest.homepage && manifest.bugs.url, 'the manifest has a homepage and an address for bugs');
}

function checkBillOfMaterials(): void {
  const { bomFormat, components } = JSON.parse(read('dist/sbom.cdx.json'));
  assert.equal(bomFormat, 'CycloneDX');
  const notices = read('dist/THIRD_PARTY_LICENSES.txt');
  const names = components.map(({ name }: { name: string }) => name);
  for (const name of ['ky', 'zod']) assert.ok(names.includes(name), `the bill of materials names ${name}`);
  for (const { name, version, purl } of components) {
    assert.equal(purl, `pkg:npm/${name}@${version}`);
    assert.ok(notices.includes(`${name} ${version} (`), `${name} ${version} is compiled in`);
  }
}

checkManifest();
checkBillOfMaterials();
console.log('The tarball can be published.');
