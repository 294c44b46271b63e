import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packedFiles } from '../../.ci/copy-package.ts';

const root = join(import.meta.dirname, '../..');
const files = packedFiles();
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const maps = files.filter(file => /\.d\.c?ts\.map$/.test(file));

/** Returns the source that a line of a declaration file leads to: its path in the package, and the line. */
function sourceOf(file: string, declaration: RegExp): string {
  const line = read(file)
    .split('\n')
    .findIndex(text => declaration.test(text));
  const map = new SourceMap(JSON.parse(read(`${file}.map`)));
  const entry = map.findEntry(line, Number.MAX_SAFE_INTEGER);
  if (!('originalSource' in entry)) throw new Error(`${file} has no source for ${declaration}`);
  const path = join(dirname(file), entry.originalSource).replaceAll('\\', '/');
  return `${path}: ${read(path).split('\n')[entry.originalLine]}`;
}

describe('the maps of declarations', () => {
  test('exist for every declaration file', () => {
    // Those of the ES modules export these.
    const declarations = files.filter(file => /^dist\/.*\.d\.cts$/.test(file));
    expect(declarations).not.toEqual([]);
    expect(maps.toSorted()).toEqual(declarations.map(file => `${file}.map`).sort());
  });

  test.each(maps)('%s leads to sources in the package', map => {
    const { sources }: { readonly sources: readonly string[] } = JSON.parse(read(map));
    for (const source of sources) expect(files).toContain(join(dirname(map), source).replaceAll('\\', '/'));
  });

  test('lead from the declaration of the client to its class', () => {
    const declaration = /^declare class EmailMarketingClient\b/m;
    const [file = ''] = files.filter(path => path.endsWith('.d.cts') && declaration.test(read(path)));
    expect(sourceOf(file, declaration)).toMatch(
      /^src\/client\/client\.ts: export class EmailMarketingClient\b/,
    );
  });
});
