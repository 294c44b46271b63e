import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { publint } from 'publint';
import { expect, test } from 'vitest';

const root = new URL('../', import.meta.url).pathname;
const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));

/** In bytes, minified and compressed, as a page loads it. */
const limits = { index: 20_000, browser: 12_000 } as const;

/** Bytes that the package may take on disk. */
const unpackedLimit = 1_000_000;

interface Packed {
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

function packed(): Packed {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'];
  return JSON.parse(execFileSync('npm', args, { cwd: root, encoding: 'utf8' }))[0];
}

async function weigh(entry: string): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [`${root}dist/${entry}.js`],
    ...{ bundle: true, minify: true, write: false, format: 'esm', platform: 'browser' },
  });
  return gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length;
}

test.each(Object.entries(limits))('%s weighs at most %i bytes in a page', async (entry, limit) => {
  expect(await weigh(entry)).toBeLessThanOrEqual(limit);
});

test('the package takes at most a megabyte, and installs nothing else', () => {
  expect(packed().unpackedSize).toBeLessThanOrEqual(unpackedLimit);
  expect(manifest.dependencies).toBeUndefined();
  expect(manifest.optionalDependencies).toBeUndefined();
  expect(manifest.peerDependenciesMeta).toEqual({ msw: { optional: true } });
});

test('the package holds what it should, and nothing else', () => {
  const kinds =
    /^(dist\/[\w-]+\.(js|cjs|d\.ts|d\.cts|js\.map)|dist\/THIRD_PARTY_LICENSES\.txt|docs\/[\w-]+\.(md|txt|json)|README\.md|CHANGELOG\.md|LICENSE|package\.json)$/;
  const paths = packed().files.map(({ path }) => path);
  expect(paths.filter(path => !kinds.test(path))).toEqual([]);
  expect(paths).toEqual(
    expect.arrayContaining(['README.md', 'LICENSE', 'CHANGELOG.md', 'dist/index.js', 'dist/cli.js']),
  );
});

/** Every file that `exports`, `imports` and `bin` name. */
const named = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(value as object).flatMap(named);

test('every file that the manifest names is in the package', () => {
  const paths = packed().files.map(({ path }) => `./${path}`);
  const wanted = named([manifest.exports, manifest.imports, manifest.bin, manifest.main, manifest.types]);
  expect(wanted.filter(path => !paths.includes(path))).toEqual([]);
  expect(Object.keys(manifest.exports)).toEqual(['.', './testing', './proxy', './browser', './package.json']);
  expect(manifest.sideEffects).toBe(false);
});

test('publint finds nothing to say', async () => {
  const { messages } = await publint({ pkgDir: root, strict: true });
  expect(messages).toEqual([]);
});

test('every resolver finds the types of every entry', () => {
  const attw = `${root}node_modules/@arethetypeswrong/cli/dist/index.js`;
  const args = [attw, '--pack', '.', '--profile', 'node16', '--format', 'json'];
  const output = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', maxBuffer: 1e9 });
  // Node 10's resolver knows no `exports`.
  const problems: { resolutionKind: string }[] = Object.values(
    JSON.parse(output).problems ?? {},
  ).flat() as never;
  expect(problems.filter(({ resolutionKind }) => resolutionKind !== 'node10')).toEqual([]);
});

test.each(['index', 'browser', 'proxy', 'testing'])(
  'no type of ky or zod is in the declarations of %s',
  entry => {
    const seen = new Set<string>();
    const visit = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const [, next] of readFileSync(`${root}dist/${file}`, 'utf8').matchAll(/from '\.\/([\w-]+)\.js'/g))
        visit(`${next}.d.ts`);
    };
    visit(`${entry}.d.ts`);
    for (const file of seen)
      expect(readFileSync(`${root}dist/${file}`, 'utf8')).not.toMatch(/from ['"](ky|zod|esbuild)|ZodMini/);
  },
);

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
  expect(sources).toContain('../src/core/call.ts');
  expect(
    sources.filter(source => /node_modules|send-ky|node-exchange|services|schema\/input/.test(source)),
  ).toEqual([]);
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
