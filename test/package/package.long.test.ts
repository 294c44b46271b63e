import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, describe, expect, test } from 'vitest';
import { makeProject } from '../runtimes/project.ts';

const project = makeProject('package');
afterAll(() => rmSync(project, { recursive: true }));
const folder = join(project, 'node_modules/email-marketing-client');
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
  .map(file => file.replaceAll(sep, '/'));
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const manifest = JSON.parse(read('package.json'));
const code = files.filter(file => /^dist\/.*\.c?js$/.test(file));
const declarations = files.filter(file => /\.d\.c?ts$/.test(file));

/** Runs a program in the folder where the package is installed; returns its output. */
const run = (type: 'module' | 'commonjs', program: string) =>
  execFileSync(process.execPath, [`--input-type=${type}`, '-e', program], { cwd: project, encoding: 'utf8' });

/** Returns everything that a file imports, in any form. */
async function importsOf(file: string): Promise<string[]> {
  const { metafile } = await build({
    ...({ entryPoints: [join(folder, file)], format: 'esm', bundle: true } as const),
    external: ['*'],
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  return Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
}

/** Returns what a file may import if its entry point needs another package. */
function peersOf(file: string): RegExp | undefined {
  if (/testing\/msw\./.test(file)) return /^(\.\.?\/|msw$)/;
  return /opentelemetry\./.test(file) ? /^(\.\/|@opentelemetry\/api$)/ : undefined;
}

describe('the packed package', () => {
  test('contains the build, the documents and the examples', () => {
    const documents = ['AGENTS.md', 'CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];
    const inFolders = /^dist\/|^docs\/.*\.(md|txt|svg|png)$|^docs\/openapi\.json$|^examples\//;
    expect(files.filter(file => !inFolders.test(file)).sort()).toEqual(documents);
    for (const file of files.filter(name => name.endsWith('.md')))
      expect(read(file), file).not.toContain('<!--@include');
  });

  test('installs nothing else, and has no side effects', () => {
    expect(manifest.sideEffects).toBe(false);
    expect(manifest.dependencies).toBeUndefined();
    const optional = { optional: true };
    expect(manifest.peerDependenciesMeta).toEqual({ '@opentelemetry/api': optional, msw: optional });
    expect(Object.keys(manifest.peerDependencies)).toEqual(Object.keys(manifest.peerDependenciesMeta));
  });

  test.each([
    ['module', "await import('email-marketing-client/testing')"],
    ['commonjs', "require('email-marketing-client/testing')"],
  ] as const)('serves the one copy of the sandbox page to a program of the type %s', (type, load) => {
    expect(files.filter(file => file.startsWith('dist/ui/')).sort()).toEqual([
      'dist/ui/index.html',
      // The document of the API, which the server serves too.
      'dist/ui/openapi.json',
      'dist/ui/page.css',
      'dist/ui/page.js',
    ]);
    const program = `
      const { createSandbox } = ${load};
      createSandbox().listen().then(async server => {
        for (const path of ['/', '/_sandbox/ui/page.js', '/_sandbox/ui/page.css'])
          console.log((await (await fetch(server.url + path)).text()).length);
        await server.close();
      });`;
    const sizes = ['index.html', 'page.js', 'page.css'].map(file => read(`dist/ui/${file}`).length);
    expect(run(type, program).trim().split('\n').map(Number)).toEqual(sizes);
  });

  test.each(code)('%s imports only files of the package and modules of Node', async file => {
    for (const path of await importsOf(file))
      expect(path).toMatch(peersOf(file) ?? /^(\.\/|node:|#transport$)/);
  });
});

test.each(declarations)('%s has only types of the package, and no private member', file => {
  const text = read(file).replace(/\/\*[\s\S]*?\*\//g, '');
  expect(text).not.toMatch(/\bky\b|zod|\$Zod/i);
  // Only the class itself could implement a private member, not a double in a test.
  expect(text).not.toMatch(/#private|\b(private|protected)\b/);
  const imported = text.matchAll(/^(?:import|export)\b[^;*]*?\bfrom '([^']+)'/gm);
  for (const [, specifier] of imported) expect(specifier).toMatch(peersOf(file) ?? /^\.\//);
});

test.each(['index', 'testing', 'browser', 'proxy'])('the classes of %s have their own names', async entry => {
  const module: object = await import(pathToFileURL(join(folder, `dist/${entry}.js`)).href);
  for (const [name, value] of Object.entries(module))
    if (/^[A-Z]/.test(name) && value instanceof Function) expect(value.name).toBe(name);
});

test('the notices name the packages that the client, the commands and the page contain', () => {
  const notices = read('dist/THIRD_PARTY_LICENSES.txt');
  const named = [...notices.matchAll(/^(\S+) \d+\.\d+\.\d+ \((?:MIT|Apache-2\.0)\)$/gm)].map(
    ([, name]) => name,
  );
  expect(named.sort()).toEqual(['commander', 'csv-parse', 'csv-stringify', 'htm', 'ky', 'preact', 'zod']);
  expect(notices).toContain('Copyright (c) Sindre Sorhus');
});

test('publint finds nothing', async () => {
  const [tarball = ''] = readdirSync(project).filter(file => file.endsWith('.tgz'));
  const bytes = readFileSync(join(project, tarball));
  const content = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: content }, strict: true });
  expect(messages.map(message => formatMessage(message, pkg))).toEqual([]);
});
