import { cpSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { defineConfig, type Options } from 'tsup';
import { writeNotices } from './.ci/notices.ts';
import manifest from './package.json' with { type: 'json' };

/** Entry points, as `package.json` exports them. */
const entry = {
  index: 'src/index.ts',
  testing: 'src/testing/index.ts',
  'testing/msw': 'src/testing/msw.ts',
  proxy: 'src/proxy/index.ts',
  browser: 'src/browser/index.ts',
  opentelemetry: 'src/opentelemetry.ts',
};

const shared: Options = {
  target: 'es2022',
  define: { PACKAGE_VERSION: JSON.stringify(manifest.version) },
  removeNodeProtocol: false,
  esbuildPlugins: [writeNotices],
  silent: true,
};

const library: Options = {
  ...shared,
  entry: {
    // With the first two in this order, a bundle compresses best.
    browser: entry.browser,
    // A file of its own, so that bundlers leave ky out of programs that use helpers or errors only: loading ky runs code.
    service: 'src/client/service-call.ts',
    // The package's `imports` choose one of them, so that no bundle for browsers holds code for Node only.
    'node-transport': 'src/transport/node.ts',
    'fetch-transport': 'src/transport/fetch.ts',
    ...entry,
  },
  platform: 'neutral',
  external: [/^node:/, '#transport'],
  splitting: true,
  // Bundlers warn about a chunk import that imports nothing.
  treeshake: { moduleSideEffects: false },
  esbuildOptions(options) {
    options.legalComments = 'inline';
  },
};

/** Declares the types of MSW for ES modules, which differ from its types for CommonJS. */
const esm: Options = { ...library, format: 'esm', dts: { entry: { 'testing/msw': 'src/testing/msw.ts' } } };

const cjs: Options = {
  ...library,
  format: 'cjs',
  define: { ...shared.define, 'import.meta.dirname': '__dirname' },
  dts: {
    entry,
    // The sandbox's server has a method `[Symbol.asyncDispose]`, which ES2023 does not declare.
    banner: '/// <reference lib="esnext.disposable" />',
  },
  // One set of declarations, so that both formats mean the same to the compiler.
  onSuccess: async () => {
    for (const name of Object.keys(entry).filter(each => each !== 'testing/msw'))
      writeFileSync(`dist/${name}.d.ts`, `export * from './${name}.cjs';\n`);
  },
};

/** Imports entry points of the build, as a user of the package would, in place of compiling them in. */
const importBuiltEntries: Plugin = {
  name: 'import-built-entries',
  setup(build) {
    build.onResolve({ filter: /index\.ts$/ }, ({ path, resolveDir }) => {
      const source = relative(import.meta.dirname, join(resolveDir, path)).replaceAll('\\', '/');
      const name = (['index', 'testing'] as const).find(each => entry[each] === source);
      return name && { path: `./${name}.js`, external: true };
    });
  },
};

const command: Options = {
  ...shared,
  entry: { cli: 'src/cli.ts' },
  format: 'esm',
  platform: 'node',
  esbuildPlugins: [writeNotices, importBuiltEntries],
  treeshake: true,
  // A third of the file is comments and white space from libraries.
  minifyWhitespace: true,
  esbuildOptions(options) {
    // As two libraries name it, which not every runtime knows.
    options.alias = { stream: 'node:stream' };
  },
};

const page: Options = {
  ...shared,
  entry: { 'ui/page': 'src/testing/ui/sandbox-page.ts' },
  format: 'esm',
  platform: 'browser',
  onSuccess: async () => {
    for (const file of ['src/testing/ui/index.html', 'src/testing/ui/page.css', 'docs/openapi.json'])
      cpSync(file, `dist/ui/${basename(file)}`);
  },
};

export default defineConfig([esm, cjs, command, page]);
