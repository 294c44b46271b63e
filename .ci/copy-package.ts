import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { npm } from '../test/support/npm.ts';
import { publishedManifest } from './manifest.ts';

const root = dirname(import.meta.dirname);

/** What a release changes in its copy. */
export interface Changes {
  /** Members that package.json gets. */
  readonly manifest?: object;
  /** Returns the text of a document, which has this path. */
  readonly document?: (text: string, file: string, files: readonly string[]) => string;
}

let packed: readonly string[] | undefined;

/** Returns the paths of the files that npm packs. */
export function packedFiles(): readonly string[] {
  if (packed) return packed;
  const [{ files }] = JSON.parse(npm(root, ['pack', '--dry-run', '--json', '--ignore-scripts']));
  packed = files.map(({ path }: { path: string }) => path) as readonly string[];
  return packed;
}

/** Copies the files that npm packs into a folder, from which it packs what is published. */
export function copyPackage(folder: string, { manifest, document = text => text }: Changes = {}): void {
  const files = packedFiles();
  for (const file of files) {
    const [from, to] = [join(root, file), join(folder, file)];
    mkdirSync(dirname(to), { recursive: true });
    if (file.endsWith('.md')) writeFileSync(to, document(readFileSync(from, 'utf8'), file, files));
    else copyFileSync(from, to);
  }
  writeFileSync(
    join(folder, 'package.json'),
    publishedManifest(readFileSync(join(root, 'package.json'), 'utf8'), manifest),
  );
}
