import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { defineConfig, type Options } from 'tsup';
import manifest from './package.json' with { type: 'json' };

/** Entry points that share code with the index. */
const shared = {
  index: 'src/index.ts',
  testing: 'src/testing/index.ts',
  'testing/msw': 'src/testing/msw.ts',
  proxy: 'src/proxy/index.ts',
  browser: 'src/browser/index.ts',
};

/**
 * Entry points in one file each (`tsup.apart.config.ts`): each that shares code cuts it into more files, which a new
 * process loads one by one.
 */
export const apart = { opentelemetry: 'src/opentelemetry.ts' };

export const entry = { ...shared, ...apart };

/** What sends requests, on Node and elsewhere: the package's `imports` choose one of them. */
const transports = {
  'node-transport': 'src/http/transport/node/node-transport.ts',
  'page-transport': 'src/http/transport/page-transport.ts',
};

/** A file of its own, so that bundlers leave ky out of programs that use helpers or errors only: loading ky runs code. */
const kyTransport = { 'ky-transport': 'src/http/transport/ky-transport.ts' };

/** Leaves the choice of the transport to the package's `imports`, so that no bundle for browsers holds code for Node only. */
const chosenTransport: Plugin = {
  name: 'chosen-transport',
  setup({ onResolve }) {
    onResolve({ filter: /\/node-transport\.ts$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: '#transport', external: true },
    );
  },
};

/**
 * Puts the sandbox's page into the build: its document, its style sheets, and its script in one file. From the
 * sources, `ui-files.ts` reads them one by one. A plugin, as the page has to be bundled itself, before it is text.
 */
const sandboxPage: Plugin = {
  name: 'sandbox-page',
  setup({ onLoad }) {
    // Windows separates folders by a backslash.
    onLoad({ filter: /testing[\\/]server[\\/]ui-files\.ts$/ }, async () => {
      const folder = 'src/testing/ui';
      const entryPoints = [`${folder}/main.ts`, ...globSync(`${folder}/*.css`)];
      const target = { outdir: 'page', target: 'es2022', format: 'esm' } as const;
      const { outputFiles } = await build({
        entryPoints,
        ...target,
        bundle: true,
        minify: true,
        write: false,
      });
      const files = Object.fromEntries([
        ['index.html', readFileSync(`${folder}/index.html`, 'utf8')],
        ...outputFiles.map(({ path, text }) => [basename(path), text]),
      ]);
      return { contents: `export const uiFiles = () => (${JSON.stringify(files)});`, loader: 'js' };
    });
  },
};

/** Settings of every entry point. */
export const settings = {
  format: ['esm', 'cjs'],
  removeNodeProtocol: false,
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/, '#transport'],
  esbuildPlugins: [chosenTransport, sandboxPage],
  define: { PACKAGE_VERSION: JSON.stringify(manifest.version) },
  splitting: true,
  // Together with `splitting`: without it the CommonJS build loses native class fields. Bundlers warn of an import of
  // nothing from a chunk.
  treeshake: { moduleSideEffects: 'no-external' },
} satisfies Options;

export default defineConfig({
  ...settings,
  entry: { ...shared, ...transports, ...kyTransport },
  // `.ci/notices.ts` reads it, and deletes it.
  metafile: true,
  clean: true,
});
