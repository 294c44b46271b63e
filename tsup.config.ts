import { readFileSync } from 'node:fs';
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
 * Puts the sandbox's page into the build: its script bundled, its style sheet and its document as they are. From the
 * sources, `ui-files.ts` reads them one by one.
 */
const sandboxPage: Plugin = {
  name: 'sandbox-page',
  setup({ onLoad }) {
    onLoad({ filter: /testing[\\/]server[\\/]ui-files\.ts$/ }, async () => {
      const folder = 'src/testing/ui';
      const script = { entryPoints: [`${folder}/main.ts`], bundle: true, minify: true, target: 'es2022' };
      const { outputFiles } = await build({ ...script, format: 'esm', write: false });
      const files = {
        'main.js': outputFiles[0]?.text,
        ...Object.fromEntries(
          ['index.html', 'style.css'].map(name => [name, readFileSync(`${folder}/${name}`, 'utf8')]),
        ),
      };
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
