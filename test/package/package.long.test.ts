import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { pack } from './packed.ts';

const { tarball, project, folder, files, read } = pack();
const manifest = JSON.parse(read('package.json'));
const code = files.filter(file => /\.c?js$/.test(file));
const declarations = files.filter(file => /\.d\.c?ts$/.test(file));

/** Longest line that reads as one, in characters: minified code has lines of many thousands. */
const longestShownLine = 500;

/** Runs a program where the package is installed; its output. */
const run = (type: 'module' | 'commonjs', program: string) =>
  execFileSync(process.execPath, [`--input-type=${type}`, '-e', program], { cwd: project, encoding: 'utf8' });

/** What a file imports, by any form of it. */
async function importsOf(file: string): Promise<string[]> {
  const { metafile } = await build({
    ...({ entryPoints: [join(folder, file)], format: 'esm', bundle: true } as const),
    ...{ external: ['*'], write: false },
    metafile: true,
    logLevel: 'silent',
  });
  return Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
}

/** One call against the sandbox, with what both entry points give. */
const useIt = `
  const sandbox = createSandbox();
  const { apiKey, teamId, fetch } = sandbox;
  const client = new EmailMarketingClient({ baseUrl: 'https://sandbox.test', apiKey, teamId, fetch });
  const created = client.tags.create({ name: 'vip' });
  created.then(tag => client.tags.create({ name: tag.name }).safe())
    .then(({ error }) => console.log(error.name, ConflictError.isInstance(error), error instanceof ConflictError));`;

/** What an entry point for users of another package imports besides: that package, which they have. */
function peersOf(file: string): RegExp | undefined {
  if (/testing\/msw\./.test(file)) return /^(\.\.?\/|msw$)/;
  return /opentelemetry\./.test(file) ? /^(\.\/|@opentelemetry\/api$)/ : undefined;
}

describe('the packed package', () => {
  test('holds what is built, its sources, and the papers', () => {
    const papers = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'];
    expect(
      files.filter(file => !/^dist\/|^src\/.*\.ts$|^docs\/.*\.(md|txt|json)$/.test(file)).sort(),
    ).toEqual(papers);
  });

  test('installs nothing besides itself', () => {
    expect(manifest.dependencies).toBeUndefined();
    const peers = ['@opentelemetry/api', 'msw'];
    expect(Object.keys(manifest.peerDependencies ?? {})).toEqual(peers);
    for (const peer of peers) expect(manifest.peerDependenciesMeta[peer].optional).toBe(true);
  });

  test('is loaded by import', () => {
    const program = `
      import { ConflictError, EmailMarketingClient } from 'email-marketing-client';
      import { createSandbox } from 'email-marketing-client/testing';
      ${useIt}`;
    expect(run('module', program)).toBe('ConflictError true true\n');
  });

  test('is loaded by require', () => {
    const program = `
      const { ConflictError, EmailMarketingClient } = require('email-marketing-client');
      const { createSandbox } = require('email-marketing-client/testing');
      ${useIt}`;
    expect(run('commonjs', program)).toBe('ConflictError true true\n');
  });

  test('shows a short line of its code where an error of a CommonJS program ends it', () => {
    const program =
      "const { EmailMarketingClient } = require('email-marketing-client'); new EmailMarketingClient();";
    const { stderr } = spawnSync(process.execPath, ['--input-type=commonjs', '-e', program], {
      cwd: project,
      encoding: 'utf8',
      env: {},
    });
    expect(stderr).toContain('ConfigurationError');
    expect(Math.max(...stderr.split('\n').map(line => line.length))).toBeLessThan(longestShownLine);
  });

  test('knows the errors of its other copy', () => {
    const program = `
      import { createRequire } from 'node:module';
      import { ConfigurationError, EmailMarketingError } from 'email-marketing-client';
      const other = createRequire(import.meta.url)('email-marketing-client');
      const error = new other.ConfigurationError('x');
      console.log(error instanceof ConfigurationError, ConfigurationError.isInstance(error),
        EmailMarketingError.isInstance(error));`;
    const file = { cwd: project, encoding: 'utf8', input: program } as const;
    expect(execFileSync(process.execPath, ['--input-type=module', '-'], file)).toBe('false true true\n');
  });

  test.each(code)('%s imports nothing but itself and what Node has', async file => {
    for (const path of await importsOf(file))
      expect(path).toMatch(peersOf(file) ?? /^(\.\/|node:|#transport$)/);
  });

  test('changes nothing by being loaded', () => {
    expect(manifest.sideEffects).toBe(false);
    const program = `
      const before = new Set(Reflect.ownKeys(globalThis));
      await import('email-marketing-client');
      console.log(Reflect.ownKeys(globalThis).filter(key => !before.has(key)).map(String).join());`;
    // The first is zod's own, which all copies of zod share; nothing here writes to it. The second is Node's: it loads its
    // HTTP client when ky first looks for a `Request`.
    const ofOthers = [
      '__zod_globalConfig',
      'Symbol(undici.globalDispatcher.1)',
      'Symbol(undici.globalDispatcher.2)',
    ];
    const added = run('module', program).trim().split(',').filter(Boolean);
    expect(added.filter(key => !ofOthers.includes(key))).toEqual([]);
  });
});

/** Returns the names that a declaration file exports as values. */
function valuesOf(file: string): string[] {
  const path = join(folder, file);
  const program = ts.createProgram([path], { target: ts.ScriptTarget.ES2022, noEmit: true });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(path);
  const module = source && checker.getSymbolAtLocation(source);
  return module
    ? checker
        .getTypeOfSymbol(module)
        .getProperties()
        .map(({ name }) => name)
    : [];
}

describe('the declarations', () => {
  test.each(declarations)('%s holds no type of ky or zod', file => {
    expect(read(file).replace(/\/\*[\s\S]*?\*\//g, '')).not.toMatch(/\bky\b|zod|\$Zod/i);
  });

  test.each(declarations)('%s imports nothing but its own', file => {
    const imported = read(file).matchAll(/^(?:import|export)\b[^;*]*?\bfrom '([^']+)'/gm);
    for (const [, specifier] of imported) expect(specifier).toMatch(peersOf(file) ?? /^\.\//);
  });

  test.each(['index', 'testing', 'browser', 'proxy'])(
    '%s promises the values that are there, and no other',
    async entry => {
      const there = Object.keys(await import(pathToFileURL(join(folder, `dist/${entry}.js`)).href));
      for (const file of [`dist/${entry}.d.ts`, `dist/${entry}.d.cts`])
        expect(valuesOf(file).sort()).toEqual(there.sort());
    },
  );

  test('show nothing that is internal', () => {
    for (const file of declarations)
      expect(read(file)).not.toMatch(/@internal|\bRecordReader\b|\bTransport\b|\bEngine\b/);
  });
});

test('the notices of what is compiled in are those of the client, and of the command', () => {
  const notices = read('dist/THIRD_PARTY_LICENSES.txt');
  const ofTheCommand = ['commander', 'csv-parse', 'csv-stringify'];
  const compiledIn = ['ky', 'zod', ...ofTheCommand];
  const named = [...notices.matchAll(/^(\S+) (\d+\.\d+\.\d+) \(MIT\)$/gm)];
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
  const bytes = readFileSync(tarball);
  const content = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: content }, strict: true });
  expect(messages.map(message => formatMessage(message, pkg))).toEqual([]);
});
