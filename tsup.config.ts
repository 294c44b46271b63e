import type { Plugin } from 'esbuild';
import { defineConfig, type Options } from 'tsup';
import manifest from './package.json' with { type: 'json' };

/** Entry points that share code with the index. */
const shared = {
  index: 'src/index.ts',
  testing: 'src/testing/index.ts',
  'testing/msw': 'src/testing/msw.ts',
  proxy: 'src/web/handler/index.ts',
  browser: 'src/web/browser/index.ts',
};

/**
 * Entry points in one file each (`tsup.apart.config.ts`): each that shares code cuts it into more files, which a new
 * process loads one by one.
 */
export const apart = { opentelemetry: 'src/opentelemetry.ts' };

export const entry = { ...shared, ...apart };

/** What sends requests, on Node and elsewhere: the package's `imports` choose one of them. */
const transports = {
  'node-transport': 'src/http/transport/node-transport.ts',
  'fetch-only-transport': 'src/http/transport/fetch-only-transport.ts',
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

/** Settings of every entry point. */
export const settings = {
  format: ['esm', 'cjs'],
  removeNodeProtocol: false,
  target: 'es2022',
  platform: 'neutral',
  external: [/^node:/, '#transport'],
  esbuildPlugins: [chosenTransport],
  define: { PACKAGE_VERSION: JSON.stringify(manifest.version) },
  esbuildOptions(options, { format }) {
    if (format === 'cjs') options.define = { ...options.define, 'import.meta.dirname': '__dirname' };
  },
  splitting: true,
  // Together with `splitting`: without it the CommonJS build loses native class fields. Bundlers warn of an import of
  // nothing from a chunk.
  treeshake: { moduleSideEffects: 'no-external' },
} satisfies Options;

export default defineConfig({
  ...settings,
  // Chunks are imported in this order. With ky first, our own code is in one piece, and a bundle compresses to 0.2 kB less.
  entry: { ...kyTransport, ...transports, ...shared },
  // `.ci/notices.ts` reads it, and deletes it.
  metafile: true,
  clean: true,
});
