// Bundles programs for web pages and workers.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { build as buildWithVite, createLogger } from 'vite';
import { installed } from './install.ts';

/** Output of a bundler, and its warnings. */
interface Bundle {
  readonly code: string;
  readonly warnings: readonly string[];
}

type Bundler = (folder: string, entry: string) => Promise<Bundle>;

/** Bundles for web pages, unless other conditions or another format are given. */
export async function esbuild(
  folder: string,
  entry: string,
  conditions = ['browser'],
  format: 'esm' | 'cjs' = 'esm',
): Promise<Bundle> {
  const { outputFiles, warnings } = await build({
    absWorkingDir: folder,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format,
    conditions,
    platform: conditions.includes('node') ? 'node' : 'browser',
    external: ['node:*'],
    logLevel: 'silent',
  });
  return { code: outputFiles[0]?.text ?? '', warnings: warnings.map(({ text }) => text) };
}

const vite: Bundler = async (folder, entry) => {
  const warnings: string[] = [];
  const logger = createLogger('warn');
  logger.info = () => {};
  logger.warn = logger.warnOnce = message => void warnings.push(message);
  const outDir = join(folder, 'out/vite');
  const output = { entryFileNames: 'page.js' };
  await buildWithVite({
    root: folder,
    customLogger: logger,
    configFile: false,
    logLevel: 'warn',
    build: { outDir, modulePreload: false, rollupOptions: { input: join(folder, entry), output } },
  });
  return { code: readFileSync(join(outDir, 'page.js'), 'utf8'), warnings };
};

const webpack: Bundler = async (folder, entry) => {
  const home = installed('webpack', { webpack: '5.112.2' });
  const pack = createRequire(join(home, 'package.json'))('webpack');
  const path = join(folder, 'out/webpack');
  const compiler = pack({
    mode: 'production',
    context: folder,
    entry: `./${entry}`,
    output: { path, filename: 'page.js' },
  });
  const stats = await new Promise<{
    toJson(): { warnings: { message: string }[]; errors: { message: string }[] };
  }>((resolve, reject) =>
    compiler.run((error: Error | null, done: never) => (error ? reject(error) : resolve(done))),
  );
  const { warnings, errors } = stats.toJson();
  const messages = [...errors, ...warnings].map(({ message }) => message);
  return { code: readFileSync(join(path, 'page.js'), 'utf8'), warnings: messages };
};

/** Every bundler, by its name. */
export const bundlers = { esbuild, Vite: vite, webpack } satisfies Readonly<Record<string, Bundler>>;
