import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { npm } from '../test/support/npm.ts';
import { publishedManifest } from './manifest.ts';

const root = dirname(import.meta.dirname);

let packed: readonly string[] | undefined;

/** Returns the paths of the files that npm packs. */
export function packedFiles(): readonly string[] {
  if (packed) return packed;
  const [{ files }] = JSON.parse(npm(root, ['pack', '--dry-run', '--json', '--ignore-scripts']));
  packed = files.map(({ path }: { path: string }) => path) as readonly string[];
  return packed;
}

/** Copies the files that npm packs into a folder, from which the published package is packed. Adds `added` to package.json. */
export function copyPackage(folder: string, added: object = {}): void {
  for (const file of packedFiles()) {
    const to = join(folder, file);
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(join(root, file), to);
  }
  const manifest = readFileSync(join(root, 'package.json'), 'utf8');
  writeFileSync(join(folder, 'package.json'), publishedManifest(manifest, added));
}
