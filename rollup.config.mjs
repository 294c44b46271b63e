import { readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { dts } from 'rollup-plugin-dts';
import manifest from './package.json' with { type: 'json' };
import { entry, transports } from './tsup.config.ts';

const root = import.meta.dirname;
const builtFile = name => join(root, `dist/${name}.js`);

/** The files that esbuild wrote, and what each holds. */
let built = {};

/** Returns whether a chunk holds code of a package. */
const holds = (id, packageName) =>
  Object.keys(built[relative(root, id).replaceAll('\\', '/')].inputs).some(input =>
    input.startsWith(`node_modules/${packageName}/`),
  );

/** Returns whether loading an entry point loads a chunk. */
function loads(entryName, id, getModuleInfo) {
  const loaded = new Set([builtFile(entryName)]);
  for (const each of loaded) for (const imported of getModuleInfo(each).importedIds) loaded.add(imported);
  return loaded.has(id);
}

/**
 * Merges the chunks of the build into few files, in both formats. A new process spends more time on finding and loading
 * a file than on compiling it: with a file for each chunk, the first response took half as long again.
 */
const code = {
  input: Object.fromEntries(Object.keys({ ...entry, ...transports }).map(name => [name, builtFile(name)])),
  external: [/^node:/, '#transport', ...Object.keys(manifest.peerDependencies)],
  // Bundlers warn of an import of nothing from a chunk.
  treeshake: { moduleSideEffects: false },
  plugins: [
    {
      name: 'replace-chunks',
      resolveImportMeta: (property, { format }) =>
        format === 'cjs' && property === 'dirname' ? '__dirname' : undefined,
      buildStart() {
        built = JSON.parse(readFileSync(join(root, 'dist/metafile-esm.json'), 'utf8')).outputs;
      },
      buildEnd() {
        for (const file of Object.keys(built)) rmSync(join(root, file));
        renameSync(join(root, 'dist/metafile-esm.json'), join(root, 'dist/metafile-library.json'));
      },
    },
  ],
  output: ['es', 'cjs'].map(format => ({
    dir: 'dist',
    format,
    generatedCode: { preset: 'es2015', symbols: false },
    hoistTransitiveImports: false,
    minifyInternalExports: false,
    entryFileNames: `[name].${format === 'es' ? 'js' : 'cjs'}`,
    chunkFileNames: `[name].${format === 'es' ? 'js' : 'cjs'}`,
    manualChunks(id, { getModuleInfo }) {
      const { isEntry, isExternal } = getModuleInfo(id);
      if (isEntry || isExternal) return undefined;
      if (holds(id, 'ky')) return 'ky';
      if (holds(id, 'zod')) return 'schemas';
      return loads('index', id, getModuleInfo) ? 'shared' : undefined;
    },
  })),
};

/**
 * Finishes the declarations, of which there is one set, so that both formats mean the same to the compiler: ES modules can
 * import the types of CommonJS, and not the other way round.
 */
const finishDeclarations = {
  name: 'finish-declarations',
  async generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter(({ type }) => type === 'chunk');
    for (const chunk of chunks.filter(({ isEntry }) => isEntry)) {
      // `dts` forgets of names in a chunk which are types.
      const values = Object.keys(await import(new URL(`dist/${chunk.name}.js`, import.meta.url)));
      const marked = name => (values.includes(name) ? name : `type ${name}`);
      chunk.code = chunk.code.replace(
        /^export \{ (.*) \}/gm,
        (_, names) => `export { ${names.split(', ').map(marked).join(', ')} }`,
      );
      // The declarations of another package can differ between the formats.
      const isOfPeer = chunk.imports.some(id => Object.hasOwn(manifest.peerDependencies, id));
      const source = isOfPeer ? chunk.code : `export * from './${basename(chunk.name)}.cjs';\n`;
      this.emitFile({ type: 'asset', fileName: `${chunk.name}.d.ts`, source });
    }
  },
};

/** Bundles the declarations, with maps by which editors go from a name to its source: tsup makes none. */
const declarations = {
  input: entry,
  external: id => id.startsWith('node:') || id === '#transport',
  plugins: [dts({ sourcemap: true }), finishDeclarations],
  output: {
    dir: 'dist',
    sourcemap: true,
    sourcemapExcludeSources: true,
    // Messages of compilers show the names of types in chunks.
    minifyInternalExports: false,
    entryFileNames: '[name].d.cts',
    // The sandbox's server has a method `[Symbol.asyncDispose]`, which ES2023 does not declare.
    banner: ({ name }) => (name === 'testing' ? '/// <reference lib="esnext.disposable" />' : ''),
    chunkFileNames: '[name].d.cts',
  },
};

export default [code, declarations];
