/**
 * Creates what a release uploads, in the folder `release`: the tarball, and the software bill of materials that the tarball
 * also contains. The tarball is packed from a copy, in which package.json names the repository, from the CI server's
 * own variables. No file of the checkout changes.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { npm } from '../test/support/npm.ts';
import { copyPackage } from './copy-package.ts';

const root = dirname(import.meta.dirname);
process.chdir(root);
const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
if (!server || !repository) throw new Error('Set GITHUB_SERVER_URL and GITHUB_REPOSITORY, as GitHub does.');
const url = `${server}/${repository}`;

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const { version } = manifest;
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
if (lock.version !== version || lock.packages[''].version !== version)
  throw new Error(`package-lock.json has version ${lock.version}, not ${version}: run npm install.`);
const changelog = readFileSync('CHANGELOG.md', 'utf8');
if (!changelog.includes(`\n## ${version}\n`) || changelog.includes('\n## Unreleased\n'))
  throw new Error(`CHANGELOG.md needs a section "## ${version}" in place of "## Unreleased".`);

npm(root, ['run', 'build']);
const copy = mkdtempSync(join(tmpdir(), 'release-'));
process.on('exit', () => rmSync(copy, { recursive: true }));
copyPackage(copy, {
  repository: { type: 'git', url: `git+${url}.git` },
  homepage: `${url}#readme`,
  bugs: { url: `${url}/issues` },
});

const sbom = join(copy, 'dist/sbom.cdx.json');
writeFileSync(sbom, JSON.stringify(billOfMaterials(), null, 2));
mkdirSync('release', { recursive: true });
copyFileSync(sbom, 'release/sbom.cdx.json');
npm(copy, ['pack', '--ignore-scripts', '--pack-destination', join(root, 'release')]);

/** npm's own bill of materials, without development packages that are not compiled in. */
function billOfMaterials() {
  const notices = readFileSync('dist/THIRD_PARTY_LICENSES.txt', 'utf8');
  const compiledIn = [...notices.matchAll(/^(\S+) (\d+\.\d+\.\d+\S*) \(/gm)].map(
    ([, name, version]) => `${name}@${version}`,
  );
  const bom = JSON.parse(npm(root, ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']));
  const component = {
    ...bom.metadata.component,
    name: manifest.name,
  };
  // npm adds the time and a random serial number, but two builds of one commit must be byte-identical.
  const { timestamp: _, ...metadata } = bom.metadata;
  const content = {
    ...bom,
    serialNumber: undefined,
    metadata: { ...metadata, lifecycles: [{ phase: 'build' }], component },
    components: bom.components
      .filter((part: { 'bom-ref': string }) => compiledIn.includes(part['bom-ref']))
      .map((part: object) => ({ ...part, properties: [] })),
    dependencies: [
      { ref: component['bom-ref'], dependsOn: compiledIn },
      ...compiledIn.map(ref => ({ ref, dependsOn: [] })),
    ],
  };
  return { ...content, serialNumber: serialNumberOf(JSON.stringify(content)) };
}

/** Returns a UUID, as CycloneDX requires, derived from text. */
function serialNumberOf(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex');
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `5${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`];
  return `urn:uuid:${parts.join('-')}-${hash.slice(20, 32)}`;
}
