import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { installed } from '../runtimes/install.ts';
import { makeProject } from '../runtimes/project.ts';

const project = makeProject('consumer');
afterAll(() => rmSync(project, { recursive: true }));
const modules = join(import.meta.dirname, '../../node_modules');

mkdirSync(join(project, 'node_modules/@types'));
for (const name of ['@types/node', 'undici-types'])
  symlinkSync(join(modules, name), join(project, 'node_modules', name), 'junction');

const ofNpm = (version: string) =>
  join(installed(`typescript-${version}`, { typescript: version }), 'node_modules/typescript/bin/tsc');

/** Compilers by version. 5.4 is the oldest that supports `NoInfer`, which the declarations use. */
const compilers = {
  '5.4': ofNpm('5.4.5'),
  '5.9': ofNpm('5.9.3'),
  '6': join(modules, 'typescript/bin/tsc6'),
  '7': join(modules, '@typescript/native/bin/tsc'),
};

interface Settings {
  readonly files: readonly string[];
  readonly [option: string]: unknown;
}

const resolved = (rules: string) => ({ module: rules, moduleResolution: rules });
const node = { lib: ['es2023'], types: ['node'] };
const files = ['index.ts', 'server.ts', 'doubles.ts', 'thin-entries.ts', 'common.cts', 'peers.d.ts'];

const settings: Readonly<Record<string, Settings>> = {
  // Unlike `nodenext`, `node16` does not allow CommonJS to require declarations of ES modules.
  'a Node project of ES modules and CommonJS': { ...node, files, ...resolved('node16') },
  // The usual project of ts-jest, which ignores `exports`.
  'a CommonJS project with the oldest rules': {
    ...node,
    files: ['server.ts', 'thin-entries.ts', 'classic.ts', 'peers.d.ts'],
    module: 'commonjs',
    moduleResolution: 'node10',
  },
  'a project that declares the names of its account': {
    ...node,
    files: ['account-types.ts', 'peers.d.ts'],
    ...resolved('nodenext'),
  },
  ...Object.fromEntries(
    ['declared.ts', 'declared.cts'].map(declared => [
      `a program of both kinds of modules that declares its names in ${declared}`,
      { ...node, files: [declared, 'typos.ts', 'typos.cts', 'peers.d.ts'], ...resolved('nodenext') },
    ]),
  ),
  'a bundled page': {
    files: ['index.ts', 'peers.d.ts'],
    // Asks for names of all types that the programs infer.
    declaration: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: [],
  },
};

/** Pairs of compiler and project: the oldest rules are deprecated in TypeScript 6, and removed in 7. */
const pairs = Object.keys(compilers).flatMap(version =>
  Object.entries(settings).flatMap(([title, options]) => {
    const isOldest = options.moduleResolution === 'node10';
    if (version === '7' && isOldest) return [];
    const deprecated = version === '6' && isOldest ? { ignoreDeprecations: '6.0' } : {};
    return [{ version, title, options: { ...options, ...deprecated } }];
  }),
);

/** Returns the errors of the compiler; empty if the project compiles. */
function errorsOf(compiler: string, { files, ...options }: Settings): string {
  const compilerOptions = {
    target: 'es2022',
    ...options,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  try {
    execFileSync(process.execPath, [compiler, '-p', project], { encoding: 'utf8', stdio: 'pipe' });
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
cpSync(join(import.meta.dirname, 'consumer'), project, { recursive: true });
// Replaces the peers, of which a user may have any version.
writeFileSync(
  join(project, 'peers.d.ts'),
  `declare module 'msw' { export type RequestHandler = object; }
   declare module '@opentelemetry/api' { export type Tracer = object; }`,
);
writeFileSync(
  join(project, 'thin-entries.ts'),
  `export { createBrowserClient } from 'email-marketing-client/browser';
   export { openTelemetryHooks } from 'email-marketing-client/opentelemetry';
   export { sandboxHandlers } from 'email-marketing-client/testing/msw';`,
);
writeFileSync(
  join(project, 'classic.ts'),
  `import { EmailMarketingClient, type Tag } from 'email-marketing-client';
   import { createSandbox } from 'email-marketing-client/testing';
   const { clientOptions } = createSandbox({ seed: { contacts: 3 } });
   export const tag: Promise<Tag> = new EmailMarketingClient(clientOptions).tags.create({ name: 'a' });
   // @ts-expect-error -- a tag lacks this field
   export const other = new EmailMarketingClient(clientOptions).tags.create({ colour: 'red' });`,
);
writeFileSync(
  join(project, 'common.cts'),
  `import type { Resources } from 'email-marketing-client' with { 'resolution-mode': 'import' };
   import client = require('email-marketing-client');
   import testing = require('email-marketing-client/testing');
   import browser = require('email-marketing-client/browser');
   import proxy = require('email-marketing-client/proxy');
   import msw = require('email-marketing-client/testing/msw');
   import opentelemetry = require('email-marketing-client/opentelemetry');
   export const functions: readonly Function[] = [
     ...[browser.createBrowserClient, proxy.createProxyHandler, msw.sandboxHandlers, opentelemetry.openTelemetryHooks],
   ];
   const { apiKey, fetch } = testing.createSandbox();
   export const ofTheOtherBuild: Resources = new client.EmailMarketingClient();
   export const tag: Promise<client.Tag> =
     new client.EmailMarketingClient({ baseUrl: 'https://x.test', apiKey, fetch }).tags.create({ name: 'a' });`,
);
const declaration = `import type {} from 'email-marketing-client';
   declare module 'email-marketing-client' { interface AccountTypes { tags: 'vip' } }`;
const typos = `import { EmailMarketingClient } from 'email-marketing-client';
   import { createBrowserClient } from 'email-marketing-client/browser';
   export const { legacy } = new EmailMarketingClient();
   export const page = createBrowserClient({ url: '/api' });
   legacy.identify({ email: 'a@x.test', tags: ['vip'] });
   // @ts-expect-error -- the tag is not declared
   legacy.identify({ email: 'a@x.test', tags: ['vipp'] });
   // @ts-expect-error -- the tag is not declared
   page.tags.create({ name: 'vipp' });`;
for (const type of ['ts', 'cts']) {
  writeFileSync(join(project, `declared.${type}`), declaration);
  writeFileSync(join(project, `typos.${type}`), typos);
}

test.each(pairs)(
  'TypeScript $version compiles $title, with strict checks of every library',
  ({ version, options }) => {
    expect(errorsOf(compilers[version as keyof typeof compilers], options)).toBe('');
  },
  60_000,
);
