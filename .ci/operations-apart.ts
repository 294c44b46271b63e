import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';

const resources = /[\\/]src[\\/]resources[\\/][\w-]+\.ts$/;
const gathered = /(index|operations)\.ts$/;

/**
 * Builds each resource's file twice: whole for the operations, which hold the schemas, and without its operation for
 * everyone else, so that a page loads the class alone. A build divides what its entries share by the file.
 */
export const operationsApart: Plugin = {
  name: 'operations-apart',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^\.\/[\w-]+\.ts$/ }, ({ importer, path, resolveDir }) =>
      /resources[\\/]operations\.ts$/.test(importer)
        ? { path: join(resolveDir, path), suffix: '?operations' }
        : undefined,
    );
    onLoad({ filter: resources }, async ({ path, suffix }) =>
      suffix === '' && !gathered.test(path)
        ? { contents: await withoutOperation(path), loader: 'js' }
        : undefined,
    );
  },
};

/** The file with what its other exports need, and no more. */
async function withoutOperation(path: string): Promise<string> {
  const source = readFileSync(path, 'utf8');
  const names = [...source.matchAll(/^export (?:class|const|function) (\w+)/gm)].map(([, name = '']) => name);
  const wanted = names.filter(name => !name.endsWith('Operations'));
  const { outputFiles } = await build({
    stdin: { contents: `export { ${wanted} } from './${basename(path)}';`, resolveDir: dirname(path) },
    absWorkingDir: dirname(path),
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    sourcemap: 'inline',
    plugins: [othersExternal],
  });
  return outputFiles[0]?.text ?? '';
}

/** Leaves every other file to the build itself, and out where nothing of it is used. */
const othersExternal: Plugin = {
  name: 'others-external',
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ importer, path }) =>
      resources.test(importer) ? { path, external: true, sideEffects: false } : undefined,
    );
  },
};
