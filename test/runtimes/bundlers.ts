// The bundlers that `npm run test:all -- bundles` tries.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
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

/** Parcel, with the setting that docs/frameworks.md names. */
const parcel: Bundler = async (folder, entry) => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/frameworks.md'), 'utf8');
  const [, setting = ''] = /## Parcel[\s\S]*?```json\n(.*)\n```/.exec(guide) ?? [];
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, ...JSON.parse(setting) }));
  const home = installed('parcel', { parcel: '2.16.4' });
  const program = join(home, 'node_modules/parcel/lib/bin.js');
  writeFileSync(join(folder, 'parcel.html'), `<!doctype html><script type="module" src="${entry}"></script>`);
  const out = ['--dist-dir', 'out/parcel', '--no-cache', '--no-source-maps', '--no-content-hash'];
  const { status, stderr } = spawnSync(process.execPath, [program, 'build', 'parcel.html', ...out], {
    cwd: folder,
    encoding: 'utf8',
  });
  const html = readFileSync(join(folder, 'out/parcel/parcel.html'), 'utf8');
  const [, file = ''] = /src="?\/([^">]+)/.exec(html) ?? [];
  const code = readFileSync(join(folder, 'out/parcel', file), 'utf8');
  return { code, warnings: status === 0 ? [] : [stderr] };
};

/** Every bundler, by its name. */
export const bundlers: Readonly<Record<string, Bundler>> = {
  esbuild,
  Vite: vite,
  webpack,
  Rollup: rollup,
  Parcel: parcel,
};
