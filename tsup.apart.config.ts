import { cpSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, join } from 'node:path';
import type { Plugin } from 'esbuild';
import { defineConfig, type Options } from 'tsup';
import { define } from './tsup.config.ts';

/** Entry points that the command imports as the user of the package would, instead of holding a copy of them. */
const builtEntries: ReadonlyMap<string, string> = new Map([
  [join(import.meta.dirname, 'src/index.ts'), './index.js'],
  [join(import.meta.dirname, 'src/testing/index.ts'), './testing.js'],
]);

const importBuiltEntries: Plugin = {
  name: 'import-built-entries',
  setup(build) {
    build.onResolve({ filter: /index\.ts$/ }, ({ path, resolveDir }) => {
      const built = builtEntries.get(join(resolveDir, path));
      return built === undefined ? undefined : { path: built, external: true };
    });
  },
};

/** Libraries name Node's modules with and without `node:`; not every runtime knows both. */
const prefixBuiltins: Plugin = {
  name: 'prefix-builtins',
  setup(build) {
    const names = builtinModules.filter(name => !name.startsWith('_')).join('|');
    build.onResolve({ filter: new RegExp(`^(${names})$`) }, ({ path }) => ({
      path: `node:${path}`,
      external: true,
    }));
  },
};

/** The command, with the libraries that only it uses compiled in. */
const command: Options = {
  silent: true,
  entry: { cli: 'src/cli.ts' },
  format: ['esm'],
  target: 'node22',
  platform: 'node',
  define,
  // Libraries in CommonJS load Node's own modules with `require`.
  banner: {
    js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
  },
  esbuildPlugins: [importBuiltEntries, prefixBuiltins],
  removeNodeProtocol: false,
  splitting: false,
  treeshake: true,
  // A third of the file is comments and spaces of libraries.
  esbuildOptions(options) {
    options.minifyWhitespace = true;
  },
  // `.ci/notices.ts` reads it, and deletes it.
  metafile: true,
};

/** The sandbox's page: files that both formats of the sandbox serve. */
const page: Options = {
  silent: true,
  entry: { 'ui/page': 'src/testing/ui/sandbox-page.ts' },
  format: ['esm'],
  target: 'es2022',
  platform: 'browser',
  onSuccess: async () => {
    for (const file of ['src/testing/ui/index.html', 'src/testing/ui/page.css', 'docs/openapi.json'])
      cpSync(file, `dist/ui/${basename(file)}`);
  },
};

export default defineConfig([command, page]);
