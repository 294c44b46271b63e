// What the build leaves to do: declarations that promise no value that is not there, the notices of what is compiled in,
// and maps that are small.
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { slimMaps } from './slim-maps.ts';

/** A class that is exported as a type alone is written as a value by the bundler of declarations: says so again. */
async function keepTypesTypes(entry: string): Promise<void> {
  const module = await import(pathToFileURL(`dist/${entry}.js`).href);
  for (const file of [`dist/${entry}.d.ts`, `dist/${entry}.d.cts`]) {
    const text = readFileSync(file, 'utf8').replace(
      /^(export \{ )(.*)(?= \})/gm,
      (_, begin, list: string) => {
        const given = (name: string) => (name.split(' as ').at(-1) ?? '') in module;
        const names = list
          .split(', ')
          .map(name => (given(name) || name.startsWith('type ') ? name : `type ${name}`));
        return begin + names.join(', ');
      },
    );
    // A page's TypeScript does not know `Symbol.asyncDispose` of itself.
    const knows = text.includes('Symbol.asyncDispose') ? '/// <reference lib="esnext.disposable" />\n' : '';
    writeFileSync(file, knows + text);
  }
}

/** The folders of the packages that the source maps name. */
function packagesCompiledIn(): readonly string[] {
  const sources = globSync('dist/*.js.map').flatMap(map => JSON.parse(readFileSync(map, 'utf8')).sources);
  const folders = sources.map(source => /node_modules\/(?:@[^/]+\/)?[^/]+/.exec(source)?.[0]);
  return [...new Set(folders)].filter(folder => folder !== undefined).sort();
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const [file] = globSync(join(folder, '[Ll][Ii][Cc][Ee][Nn][CcSs][Ee]*'));
  if (!file) throw new Error(`${name} is compiled in, and has no file with its licence.`);
  return `${name} ${version} (${license})\n\n${readFileSync(file, 'utf8').trim()}\n`;
}

process.chdir(dirname(import.meta.dirname));
const entries = globSync('dist/*.d.ts').map(file => file.replace(/^dist.|\.d\.ts$/g, ''));
for (const entry of entries) if (existsSync(`dist/${entry}.js`)) await keepTypesTypes(entry);
const notices = ['These packages are compiled into this one.\n', ...packagesCompiledIn().map(noticeOf)];
writeFileSync('dist/THIRD_PARTY_LICENSES.txt', notices.join(`\n${'-'.repeat(72)}\n\n`));
slimMaps();
