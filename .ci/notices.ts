// Writes the licences of the packages that are compiled into the build, as esbuild's metafiles name them, and deletes these.
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns the folders of the packages that the metafiles name. */
function packagesCompiledIn(metafiles: readonly string[]): readonly string[] {
  const sources: string[] = metafiles.flatMap(file =>
    Object.values<{ inputs: object }>(JSON.parse(readFileSync(file, 'utf8')).outputs).flatMap(({ inputs }) =>
      Object.keys(inputs),
    ),
  );
  // Of a package within another's folder, the last part of the path names it.
  const folders = sources.map(source => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(source)?.[0]);
  return [...new Set(folders)].filter(folder => folder !== undefined).sort();
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [file] = globSync(join(folder, '[Ll][Ii][Cc][Ee][Nn][CcSs][Ee]*'));
  if (!file) throw new Error(`${name} is compiled in, and has no file with its licence.`);
  return `${name} ${version} (${license})\n\n${readFileSync(file, 'utf8').trim()}\n`;
}

process.chdir(dirname(import.meta.dirname));
const metafiles = globSync('dist/metafile-*.json');
const notices = [
  'These packages are compiled into this one.\n',
  ...packagesCompiledIn(metafiles).map(noticeOf),
];
writeFileSync('dist/THIRD_PARTY_LICENSES.txt', notices.join(`\n${'-'.repeat(72)}\n\n`));
for (const file of metafiles) rmSync(file);
