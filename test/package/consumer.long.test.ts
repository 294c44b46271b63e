import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { installed } from '../runtimes/install.ts';
import { pack } from './packed.ts';

const { project } = pack();
const modules = join(import.meta.dirname, '../../node_modules');

mkdirSync(join(project, 'node_modules/@types'));
symlinkSync(join(modules, '@types/node'), join(project, 'node_modules/@types/node'), 'junction');
symlinkSync(join(modules, 'undici-types'), join(project, 'node_modules/undici-types'), 'junction');

const compilers = {
  '5.9': join(installed('typescript-5', { typescript: '5.9.3' }), 'node_modules/typescript/bin/tsc'),
  '6': join(modules, 'typescript/bin/tsc6'),
  '7': join(modules, '@typescript/native/bin/tsc'),
};

interface Settings {
  readonly files: readonly string[];
  readonly [option: string]: unknown;
}

const settings: Readonly<Record<string, Settings>> = {
  // `node16` does not allow CommonJS to require declarations of ES modules, as `nodenext` does.
  'a Node project, of ES modules and of CommonJS': {
    files: ['index.ts', 'server.ts', 'thin-entries.ts', 'common.cts', 'peers.d.ts'],
    module: 'node16',
    moduleResolution: 'node16',
    lib: ['es2023'],
    types: ['node'],
  },
  'a bundled page': {
    files: ['index.ts'],
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: [],
  },
};

/** What the compiler has to say of the project; nothing when it compiles. */
function complaints(compiler: string, { files, ...options }: Settings): string {
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
// Stands for the peers, of which a user may have any version.
writeFileSync(
  join(project, 'peers.d.ts'),
  `declare module 'msw' { export type RequestHandler = object; }
   declare module '@opentelemetry/api' { export type Tracer = object; }`,
);
writeFileSync(
  join(project, 'thin-entries.ts'),
  `export { createBrowserClient } from 'email-marketing-client/browser';
   export { openTelemetryHooks } from 'email-marketing-client/opentelemetry';
   export { handlers } from 'email-marketing-client/testing/msw';`,
);
writeFileSync(
  join(project, 'common.cts'),
  `import client = require('email-marketing-client');
   import testing = require('email-marketing-client/testing');
   import browser = require('email-marketing-client/browser');
   import proxy = require('email-marketing-client/proxy');
   import msw = require('email-marketing-client/testing/msw');
   import opentelemetry = require('email-marketing-client/opentelemetry');
   export const functions: readonly Function[] = [
     ...[browser.createBrowserClient, proxy.createProxyHandler, msw.handlers, opentelemetry.openTelemetryHooks],
   ];
   const { apiKey, fetch } = testing.createSandbox();
   export const tag: Promise<client.Tag> =
     new client.EmailMarketingClient({ baseUrl: 'https://x.test', apiKey, fetch }).tags.create({ name: 'a' });`,
);

describe.each(Object.entries(compilers))('TypeScript %s, strict, all libraries checked', (_, compiler) => {
  test.each(Object.entries(settings))(
    'compiles %s',
    (_, options) => {
      expect(complaints(compiler, options)).toBe('');
    },
    60_000,
  );
});
