import { dts } from 'rollup-plugin-dts';
import { entry } from './tsup.config.ts';

/** Marks as types what an entry exports and its built module does not: of names in a chunk, `dts` forgets it. */
const markTypes = {
  name: 'mark-types',
  async generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle).filter(({ isEntry }) => isEntry)) {
      const values = Object.keys(await import(new URL(`dist/${chunk.name}.js`, import.meta.url)));
      const marked = name => (values.includes(name) ? name : `type ${name}`);
      chunk.code = chunk.code.replace(
        /^export \{ (.*) \}/gm,
        (_, names) => `export { ${names.split(', ').map(marked).join(', ')} }`,
      );
    }
  },
};

/** Bundles the declarations, with maps by which editors go from a name to its source: tsup makes none. */
export default {
  input: entry,
  external: [/^node:/],
  plugins: [dts({ sourcemap: true }), markTypes],
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
