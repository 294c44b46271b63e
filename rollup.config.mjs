import { dts } from 'rollup-plugin-dts';
import { entry } from './tsup.config.ts';

/** Bundles the declarations, with maps by which editors go from a name to its source: tsup makes none. */
export default {
  input: entry,
  external: [/^node:/],
  plugins: [dts({ sourcemap: true })],
  // The sandbox's server has a method `[Symbol.asyncDispose]`, which ES2023 does not declare.
  output: ['ts', 'cts'].map(type => ({
    dir: 'dist',
    sourcemap: true,
    sourcemapExcludeSources: true,
    // Messages of compilers show the names of types in chunks.
    minifyInternalExports: false,
    entryFileNames: `[name].d.${type}`,
    banner: ({ name }) => (name === 'testing' ? '/// <reference lib="esnext.disposable" />' : ''),
    chunkFileNames: `[name]-[hash].d.${type}`,
  })),
};
