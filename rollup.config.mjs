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

/**
 * What a program declares reaches its ES modules and its CommonJS modules only if both read it from one file. Either kind
 * can import the types of a CommonJS module.
 */
const isAccountTypes = id => id.endsWith('/account-types.ts');

const output = { dir: 'dist', sourcemap: true, sourcemapExcludeSources: true };

/** Bundles the declarations, with maps by which editors go from a name to its source: tsup makes none. */
export default [
  {
    input: entry,
    external: id => id.startsWith('node:') || isAccountTypes(id),
    plugins: [dts({ sourcemap: true }), markTypes],
    // The sandbox's server has a method `[Symbol.asyncDispose]`, which ES2023 does not declare.
    output: ['ts', 'cts'].map(type => ({
      ...output,
      // Messages of compilers show the names of types in chunks.
      minifyInternalExports: false,
      entryFileNames: `[name].d.${type}`,
      banner: ({ name }) => (name === 'testing' ? '/// <reference lib="esnext.disposable" />' : ''),
      chunkFileNames: `[name]-[hash].d.${type}`,
      paths: id => (isAccountTypes(id) ? './account-types.cjs' : id),
    })),
  },
  {
    input: { 'account-types': 'src/resources/account-types.ts' },
    plugins: [dts({ sourcemap: true })],
    output: { ...output, entryFileNames: '[name].d.cts' },
  },
];
