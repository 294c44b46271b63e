import { defineConfig, type Options } from 'tsup';
import manifest from './package.json' with { type: 'json' };

/** Entry points, as `package.json` exports them. */
export const entry = {
  index: 'src/index.ts',
  testing: 'src/testing/index.ts',
  'testing/msw': 'src/testing/msw.ts',
  proxy: 'src/proxy/index.ts',
  browser: 'src/browser/index.ts',
  opentelemetry: 'src/opentelemetry.ts',
};

/** What sends requests, on Node and elsewhere: the package's `imports` choose one of them. */
export const transports = {
  'node-transport': 'src/transport/node.ts',
  'fetch-transport': 'src/transport/fetch.ts',
};

/** A file of its own, so that bundlers leave ky out of programs that use helpers or errors only: loading ky runs code. */
const service = { service: 'src/client/service-call.ts' };

export const define = { PACKAGE_VERSION: JSON.stringify(manifest.version) };

/** Compiles the library to chunks, each of what the same entry points share. Rollup merges these (`rollup.config.mjs`). */
export default defineConfig({
  // Chunks are imported in this order. With ky first, our own code is in one piece, and a bundle compresses to 0.2 kB less.
  entry: { ...service, ...transports, ...entry },
  format: ['esm'],
  removeNodeProtocol: false,
  target: 'es2022',
  platform: 'neutral',
  // The package's `imports` choose the transport, so that no bundle for browsers holds code for Node only.
  external: [/^node:/, '#transport'],
  define,
  splitting: true,
  // `rollup.config.mjs` and `.ci/notices.ts` read it, and the second deletes it.
  metafile: true,
  clean: true,
  silent: true,
} satisfies Options);
