// The bundlers that `npm run test:all -- bundles` tries.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { rollup as bundleWithRollup } from 'rollup';
import { build as buildWithVite, createLogger } from 'vite';
import { installed } from './install.ts';

/** Output of a bundler, and its warnings. */
interface Bundle {
  readonly code: string;
  readonly warnings: readonly string[];
}

type Bundler = (folder: string, entry: string) => Promise<Bundle>;

/** Loads a package that is no dev dependency. */
const load = (name: string, version: string) => {
  const home = installed(name.replace('/', '-'), { [name]: version });
  return import(pathToFileURL(createRequire(join(home, 'package.json')).resolve(name)).href);
};

const esbuild: Bundler = async (folder, entry) => {
  const { outputFiles, warnings } = await build({
    absWorkingDir: folder,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    logLevel: 'silent',
  });
  return { code: outputFiles[0]?.text ?? '', warnings: warnings.map(({ text }) => text) };
};

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
  const { default: pack } = await load('webpack', '5.112.2');
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

const rollup: Bundler = async (folder, entry) => {
  const { nodeResolve } = await load('@rollup/plugin-node-resolve', '16.0.3');
  const warnings: string[] = [];
  const made = await bundleWithRollup({
    input: join(folder, entry),
    plugins: [nodeResolve({ browser: true })],
    onwarn: ({ message }) => void warnings.push(message),
  });
  const { output } = await made.generate({ format: 'es', inlineDynamicImports: true });
  return { code: output[0].code, warnings };
};

/** Every bundler, by its name. */
export const bundlers: Readonly<Record<string, Bundler>> = {
  esbuild,
  Vite: vite,
  webpack,
  Rollup: rollup,
};
