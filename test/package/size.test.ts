import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Platform } from 'esbuild';
import { expect, test } from 'vitest';
import { pack } from './packed.ts';

const root = join(import.meta.dirname, '../../');
const { folder, files, read } = pack();
const manifest = JSON.parse(read('package.json'));

const client = "export { EmailMarketingClient } from './dist/index.js'";

/**
 * What is loaded, and how many bytes that may be, minified and compressed: a little above what is reached. Of the full
 * client ky and zod, as their authors publish them, take about 16 kB.
 */
const limits: readonly (readonly [loaded: string, program: string, bytes: number, on: Platform])[] = [
  ['the full client', client, 44_000, 'browser'],
  ['the same with what is for Node alone', client, 45_000, 'node'],
  ['everything beside it', "export * from './dist/index.js'", 46_000, 'browser'],
  ['the client without a key', "export * from './dist/browser.js'", 19_500, 'browser'],
];

/**
 * Bytes that the package may take on disk. Two thirds are the maps of ES modules and of CommonJS, each with the sources
 * that it was made from; a tenth are the sources again, as files, where editors look for declarations.
 */
const unpackedLimit = 6_500_000;

async function weigh(contents: string, platform: Platform): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    ...{ bundle: true, minify: true, write: false, format: 'esm' },
    platform,
  });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
}

test.each(limits)('%s weighs little', async (_, program, limit, on) => {
  expect(await weigh(program, on)).toBeLessThanOrEqual(limit);
});

test('the package takes at most 6.5 MB on disk, maps and sources included', () => {
  const sizes = files.map(file => statSync(join(folder, file)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(unpackedLimit);
});

/** Every file that `exports`, `imports` and `bin` name. */
const named = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value as object).flatMap(named);

test('every file that the manifest names is in the package', () => {
  const paths = files.map(file => `./${file}`);
  const wanted = named([manifest.exports, manifest.imports, manifest.bin, manifest.main, manifest.types]);
  expect(wanted.filter(path => !paths.includes(path))).toEqual([]);
  expect(Object.keys(manifest.exports)).toEqual([
    '.',
    './testing',
    './testing/msw',
    './proxy',
    './browser',
    './opentelemetry',
    './package.json',
  ]);
});

/** The sources that the parts of an entry were made from, by their maps. */
function sourcesOf(entry: string): Set<string> {
  const sources = new Set<string>();
  const visit = (file: string): void => {
    const map = globSync(`${root}dist/${file}.js.map`)[0];
    if (map) for (const source of JSON.parse(readFileSync(map, 'utf8')).sources) sources.add(source);
    const code = readFileSync(`${root}dist/${file}.js`, 'utf8');
    for (const [, next = ''] of code.matchAll(/^(?:import|export)\b[^'"\n]*['"]\.\/([\w-]+)\.js['"]/gm))
      visit(next);
  };
  visit(entry);
  return sources;
}

test('the client of a page is made of nothing of ky, zod or Node', () => {
  const sources = [...sourcesOf('browser')];
  expect(sources).toContain('../src/http/request.ts');
  const ofServers = /node_modules|ky-sender|node-transport|dispatch-handler|(input|response)-schema/;
  expect(sources.filter(source => ofServers.test(source))).toEqual([]);
});

test('maps lead to our own sources, and hold them', () => {
  for (const file of globSync(`${root}dist/*.js.map`)) {
    const { sources, sourcesContent } = JSON.parse(readFileSync(file, 'utf8'));
    for (const [index, source] of sources.entries())
      if (source.startsWith('../src/') && !source.startsWith('../src/testing/')) {
        const path = `${root}dist/${source.replace(/\?.*/, '')}`;
        expect(sourcesContent[index], `${file}: ${source}`).toBe(readFileSync(path, 'utf8'));
      }
  }
});
