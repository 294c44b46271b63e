// Readers of an installed package follow the links of its documents, which a release does not change.
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { packedFiles } from '../../.ci/copy-package.ts';
import { root } from '../docs/collect.ts';

const links = /\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g;

/** Returns the files of the package that a document links to, or should be. */
function targets(file: string): string[] {
  const prose = readFileSync(root + file, 'utf8').replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
  return [...prose.matchAll(links)]
    .map(([, inline, attribute]) => (inline ?? attribute ?? '').replace(/#.*/, ''))
    .filter(path => path !== '' && !/^[a-z]+:/i.test(path))
    .map(path => posix.join(posix.dirname(file), path));
}

test('every link of a packed document leads to a packed file', () => {
  const files = packedFiles();
  const documents = files.filter(file => file.endsWith('.md'));
  const dead = documents.flatMap(file =>
    targets(file)
      .filter(target => !files.includes(target))
      .map(target => `${target} in ${file}`),
  );
  expect(documents.flatMap(targets).length).toBeGreaterThan(100);
  expect(dead).toEqual([]);
});
