// Sizes of the package, as a user's bundle and disk see it.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, type Platform } from 'esbuild';
import type { Packed } from './packed.ts';

const client = "export { EmailMarketingClient } from './dist/index.js'";

/** Programs whose bundles are measured, by what they load. */
const programs: Readonly<Record<string, readonly [program: string, platform: Platform]>> = {
  'the full client': [client, 'browser'],
  'the full client on Node': [client, 'node'],
  'every export': ["export * from './dist/index.js'", 'browser'],
  'the browser client': ["export { createBrowserClient } from './dist/browser.js'", 'browser'],
  'every export for web pages': ["export * from './dist/browser.js'", 'browser'],
};

/** Returns a program that imports from the package in `folder`, bundled and minified. */
export async function bundled(folder: string, contents: string, platform: Platform): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform,
  });
  return outputFiles[0]?.text ?? '';
}

/**
 * Returns bytes: of each program, minified and compressed, and of the package on disk (ES modules, CommonJS, their
 * declarations, and the sources to which editors go from these).
 */
export async function measure({
  folder,
  files,
}: Pick<Packed, 'folder' | 'files'>): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const [name, [program, platform]] of Object.entries(programs))
    sizes[name] = gzipSync(await bundled(folder, program, platform), { level: 9 }).length;
  const onDisk = files.map(file => statSync(join(folder, file)).size);
  sizes['the package on disk'] = onDisk.reduce((sum, size) => sum + size, 0);
  return sizes;
}
