import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import ts from 'typescript';
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

/** Returns what a file may import if its entry point is for users of another package: that package too. */
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

  test('installs nothing besides itself, and has no side effects', () => {
    expect(manifest.sideEffects).toBe(false);
    expect(manifest.dependencies).toBeUndefined();
    for (const member of ['scripts', 'workspaces', 'devDependencies', 'allowScripts', 'overrides'])
      expect(manifest).not.toHaveProperty(member);
    const peers = ['@opentelemetry/api', 'msw'];
    expect(Object.keys(manifest.peerDependencies ?? {})).toEqual(peers);
    for (const peer of peers) expect(manifest.peerDependenciesMeta[peer].optional).toBe(true);
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

/** Returns the names that a declaration file exports as values. */
function valuesOf(file: string): string[] {
  const program = ts.createProgram([join(folder, file)], { module: ts.ModuleKind.Node16, noEmit: true });
  const source = program.getSourceFile(join(folder, file));
  const checker = program.getTypeChecker();
  const module = source && checker.getSymbolAtLocation(source);
  return module && source
    ? checker
        .getTypeOfSymbolAtLocation(module, source)
        .getProperties()
        .map(({ name }) => name)
    : [];
}

describe('the declarations', () => {
  test.each(declarations)('%s shows no type of ky or zod', file => {
    expect(read(file).replace(/\/\*[\s\S]*?\*\//g, '')).not.toMatch(/\bky\b|zod|\$Zod/i);
  });

  test.each(declarations)('%s declares no private member, which only its own class could have', file => {
    expect(read(file).replace(/\/\*[\s\S]*?\*\//g, '')).not.toMatch(/#private|\b(private|protected)\b/);
  });

  test.each(declarations)('%s imports only declarations of the package', file => {
    const imported = read(file).matchAll(/^(?:import|export)\b[^;*]*?\bfrom '([^']+)'/gm);
    for (const [, specifier] of imported) expect(specifier).toMatch(peersOf(file) ?? /^\.\//);
  });

  test.each(['index', 'testing', 'browser', 'proxy'])(
    '%s declares exactly the values that it exports, and its classes print under their names',
    async entry => {
      const module: object = await import(pathToFileURL(join(folder, `dist/${entry}.js`)).href);
      const exported = Object.keys(module);
      for (const [name, value] of Object.entries(module))
        if (/^[A-Z]/.test(name) && value instanceof Function) expect(value.name).toBe(name);
      expect(valuesOf(`dist/${entry}.d.cts`).sort()).toEqual(exported.sort());
      expect(read(`dist/${entry}.d.ts`)).toBe(`export * from './${entry}.cjs';\n`);
    },
  );
});

test('the notices are those of the packages that the client, the commands and the page contain', () => {
  const notices = read('dist/THIRD_PARTY_LICENSES.txt');
  const ofTheCommand = ['commander', 'csv-parse', 'csv-stringify'];
  const ofThePage = ['htm', 'preact'];
  const compiledIn = ['ky', 'zod', ...ofTheCommand, ...ofThePage];
  const named = [...notices.matchAll(/^(\S+) (\d+\.\d+\.\d+) \((?:MIT|Apache-2\.0)\)$/gm)];
  expect(named.map(([, name]) => name).sort()).toEqual(compiledIn.sort());
  for (const name of ['ky', 'zod', 'commander', 'csv-parse']) {
    const place = join(import.meta.dirname, '../../node_modules', name);
    const { version } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'));
    expect(notices).toContain(`${name} ${version} (MIT)`);
  }
  expect(notices).toContain('Copyright (c) Sindre Sorhus');
  expect(notices).toMatch(/Copyright \(c\) \d{4} Colin McDonnell/);
});

test('publint finds nothing', async () => {
  const [tarball = ''] = readdirSync(project).filter(file => file.endsWith('.tgz'));
  const bytes = readFileSync(join(project, tarball));
  const content = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: content }, strict: true });
  expect(messages.map(message => formatMessage(message, pkg))).toEqual([]);
});
