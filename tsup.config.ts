import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { defineConfig } from 'tsup';
import { leanKy } from './.ci/lean-ky.ts';
import { leanZod } from './.ci/lean-zod.ts';
import { operationsApart } from './.ci/operations-apart.ts';

/** Leaves the choice of what sends to the package's `imports`, so that no page's bundle holds what is for Node alone. */
const chosenExchange: Plugin = {
  name: 'chosen-exchange',
  setup(build) {
    build.onResolve({ filter: /core\/node-exchange\.ts$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: '#exchange', external: true },
    );
  },
};

/**
 * Puts the sandbox's page into the build: its document, its style sheets, and its script in one file. From the
 * sources, `ui-files.ts` reads them one by one.
 */
const sandboxPage: Plugin = {
  name: 'sandbox-page',
  setup({ onLoad }) {
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

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    testing: 'src/testing/index.ts',
    'testing/msw': 'src/testing/msw.ts',
    'node-exchange': 'src/core/node-exchange.ts',
    exchange: 'src/core/default-exchange.ts',
    proxy: 'src/proxy/index.ts',
    browser: 'src/browser/index.ts',
  },
  format: ['esm', 'cjs'],
  removeNodeProtocol: false,
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/, '#exchange'],
  esbuildPlugins: [leanKy, leanZod, chosenExchange, operationsApart, sandboxPage],
  esbuildOptions(options, { format }) {
    // Without white space, the marks by which bundlers leave out what is not used would go too.
    options.minifyWhitespace = format === 'cjs';
  },
  dts: {
    entry: {
      index: 'src/index.ts',
      testing: 'src/testing/index.ts',
      'testing/msw': 'src/testing/msw.ts',
      proxy: 'src/proxy/index.ts',
      browser: 'src/browser/index.ts',
    },
  },
  splitting: true,
  treeshake: true,
  sourcemap: true,
  clean: true,
});
