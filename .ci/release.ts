/**
 * Makes what a release uploads, in the folder `release`: the tarball, and beside it the software bill of materials that the
 * tarball holds too. Writes the repository into package.json and into links of the documents that leave the package, from
 * the CI server's own variables: run it in a fresh clone.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { linkToRepository } from '../test/release/repository-links.ts';
import { npm } from '../test/support/npm.ts';

const root = dirname(import.meta.dirname);
process.chdir(root);
const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
if (!server || !repository) throw new Error('Set GITHUB_SERVER_URL and GITHUB_REPOSITORY, as GitHub does.');

const url = `${server}/${repository}`;
npm(root, [
  ...['pkg', 'set', 'repository.type=git', `repository.url=git+${url}.git`],
  ...[`homepage=${url}#readme`, `bugs.url=${url}/issues`],
]);
npm(root, ['run', 'build']);

const sbom = 'dist/sbom.cdx.json';
writeFileSync(sbom, JSON.stringify(billOfMaterials(), null, 2));
mkdirSync('release', { recursive: true });
copyFileSync(sbom, 'release/sbom.cdx.json');
linkDocuments();
npm(root, ['pack', '--ignore-scripts', '--pack-destination', 'release']);

/** Makes the links of the packed documents that leave the package lead to the repository. */
function linkDocuments(): void {
  const [{ files: entries }] = JSON.parse(npm(root, ['pack', '--dry-run', '--json', '--ignore-scripts']));
  const files: string[] = entries.map(({ path }: { path: string }) => path);
  for (const file of files.filter(path => path.endsWith('.md')))
    writeFileSync(file, linkToRepository(readFileSync(file, 'utf8'), file, { files, repository: url }));
}

/** npm's own bill of materials, less the development packages of which nothing is compiled in. */
function billOfMaterials() {
  const notices = readFileSync('dist/THIRD_PARTY_LICENSES.txt', 'utf8');
  const compiledIn = [...notices.matchAll(/^(\S+) (\d+\.\d+\.\d+\S*) \(/gm)].map(
    ([, name, version]) => `${name}@${version}`,
  );
  const bom = JSON.parse(npm(root, ['sbom', '--sbom-format=cyclonedx', '--package-lock-only']));
  const component = {
    ...bom.metadata.component,
    name: JSON.parse(readFileSync('package.json', 'utf8')).name,
  };
  return {
    ...bom,
    metadata: { ...bom.metadata, lifecycles: [{ phase: 'build' }], component },
    components: bom.components
      .filter((part: { 'bom-ref': string }) => compiledIn.includes(part['bom-ref']))
      .map((part: object) => ({ ...part, properties: [] })),
    dependencies: [
      { ref: component['bom-ref'], dependsOn: compiledIn },
      ...compiledIn.map(ref => ({ ref, dependsOn: [] })),
    ],
  };
}
