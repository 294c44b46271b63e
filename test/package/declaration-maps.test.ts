import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { packedFiles } from '../../.ci/copy-package.ts';

const root = join(import.meta.dirname, '../..');
const files = packedFiles();
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** Returns the source that a line of a declaration file leads to: its path in the package, and the line. */
function sourceOf(file: string, declaration: RegExp): string {
  const line = read(file)
    .split('\n')
    .findIndex(text => declaration.test(text));
  const map = new SourceMap(JSON.parse(read(`${file}.map`)));
  const entry = map.findEntry(line, Number.MAX_SAFE_INTEGER);
  if (!('originalSource' in entry)) throw new Error(`${file} has no source for ${declaration}`);
  const path = join(dirname(file), entry.originalSource).replaceAll('\\', '/');
  expect(files).toContain(path);
  return `${path}: ${read(path).split('\n')[entry.originalLine]}`;
}

test('the map of declarations leads from the client to its class, in the package', () => {
  const declaration = /^declare class EmailMarketingClient\b/m;
  const [file = ''] = files.filter(path => path.endsWith('.d.cts') && declaration.test(read(path)));
  expect(sourceOf(file, declaration)).toMatch(
    /^src\/client\/client\.ts: export class EmailMarketingClient\b/,
  );
});
