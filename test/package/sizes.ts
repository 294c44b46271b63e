// Sizes of the package, as a user's bundle and disk see it.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Platform } from 'esbuild';
import { packedFiles } from '../../.ci/copy-package.ts';

const root = join(import.meta.dirname, '../..');

const client = "export { EmailMarketingClient } from './dist/index.js'";

/** Programs whose bundles are measured, by what they load. */
const programs: Readonly<Record<string, readonly [program: string, platform: Platform]>> = {
  'the full client': [client, 'browser'],
  'the full client on Node': [client, 'node'],
  'every export': ["export * from './dist/index.js'", 'browser'],
  'the browser client': ["export { createBrowserClient } from './dist/browser.js'", 'browser'],
  'every export for web pages': ["export * from './dist/browser.js'", 'browser'],
};

/** Returns a program that imports from the build, bundled and minified. */
export async function bundled(contents: string, platform: Platform): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform,
  });
  return outputFiles[0]?.text ?? '';
}

/**
 * Returns bytes: of each program, minified and compressed, and of the package on disk.
 */
export async function measure(): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const [name, [program, platform]] of Object.entries(programs))
    sizes[name] = gzipSync(await bundled(program, platform), { level: 9 }).length;
  const onDisk = packedFiles().map(file => statSync(join(root, file)).size);
  sizes['the package on disk'] = onDisk.reduce((sum, size) => sum + size, 0);
  return sizes;
}
