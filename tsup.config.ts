import type { Plugin } from 'esbuild';
import { defineConfig, type Options } from 'tsup';
import { leanKy } from './.ci/lean-ky.ts';

/** Leaves the choice of what sends to the package's `imports`, so that no page's bundle holds what is for Node alone. */
const chosenExchange: Plugin = {
  name: 'chosen-exchange',
  setup(build) {
    build.onResolve({ filter: /core\/node-exchange\.ts$/ }, ({ kind }) =>
      kind === 'entry-point' ? undefined : { path: '#exchange', external: true },
    );
  },
};

const common: Options = {
  format: ['esm', 'cjs'],
  removeNodeProtocol: false,
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/, '#exchange'],
  esbuildPlugins: [leanKy, chosenExchange],
  esbuildOptions(options) {
    options.minifyWhitespace = true;
  },
  splitting: true,
  treeshake: true,
  sourcemap: true,
};

export default defineConfig([
  {
    ...common,
    entry: {
      index: 'src/index.ts',
      testing: 'src/testing/index.ts',
      cli: 'src/cli.ts',
      'node-exchange': 'src/core/node-exchange.ts',
      exchange: 'src/core/default-exchange.ts',
      proxy: 'src/proxy/index.ts',
    },
    dts: {
      entry: {
        index: 'src/index.ts',
        testing: 'src/testing/index.ts',
        proxy: 'src/proxy/index.ts',
        browser: 'src/browser/index.ts',
      },
    },
    clean: ['!browser.*'],
  },
  // Alone, as parts shared with the others would bring the schemas, which stand beside what the page needs.
  {
    ...common,
    entry: { browser: 'src/browser/index.ts' },
  },
]);
