import { dirname, join } from 'node:path';
import { decode } from '@jridgewell/sourcemap-codec';
import { describe, expect, test } from 'vitest';
import { pack } from './packed.ts';

const { files, read } = pack();
const maps = files.filter(file => /\.d\.c?ts\.map$/.test(file));

interface SourceMap {
  readonly sources: readonly string[];
  readonly mappings: string;
}

/** The line of the source that a line of a declaration file leads to, and the source's path in the package. */
function sourceOf(file: string, declaration: RegExp): string {
  const line = read(file)
    .split('\n')
    .findIndex(text => declaration.test(text));
  const { sources, mappings }: SourceMap = JSON.parse(read(`${file}.map`));
  const [, source = -1, sourceLine = -1] = decode(mappings)[line]?.find(segment => segment.length > 1) ?? [];
  const path = join(dirname(file), sources[source] ?? '').replaceAll('\\', '/');
  return `${path}: ${read(path).split('\n')[sourceLine]}`;
}

describe('the maps of declarations', () => {
  test('exist for every declaration file', () => {
    const declarations = files.filter(file => /^dist\/.*\.d\.c?ts$/.test(file));
    expect(declarations).not.toEqual([]);
    expect(maps.sort()).toEqual(declarations.map(file => `${file}.map`).sort());
  });

  test.each(maps)('%s leads to sources in the package', map => {
    const { sources }: SourceMap = JSON.parse(read(map));
    for (const source of sources) expect(files).toContain(join(dirname(map), source).replaceAll('\\', '/'));
  });

  test('lead from the client to the line that declares it', () => {
    const declaration = /^declare class EmailMarketingClient\b/m;
    const [file = ''] = files.filter(path => path.endsWith('.d.ts') && declaration.test(read(path)));
    expect(sourceOf(file, declaration)).toMatch(/^src\/client\.ts: export class EmailMarketingClient\b/);
  });
});
