// Compares generated files with their sources, and the tables of operations with the table of the tests.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generatedFiles } from '../../docs/scripts/operation-tables.ts';
import { rows } from '../operations.ts';

const root = join(import.meta.dirname, '../..');

/** Returns the rows of the tables of a document whose text matches a pattern. */
const tableRows = (path: string, pattern: RegExp): readonly string[] =>
  readFileSync(join(root, path), 'utf8')
    .split('\n')
    .filter(line => line.startsWith('|') && pattern.test(line));

test.each(generatedFiles())('%s is what `npm run generate` writes', (path, text) => {
  expect(readFileSync(join(root, path), 'utf8')).toBe(text);
});

test('the table of the guide pairs each endpoint with its operation', () => {
  const pairs = tableRows('docs/api.md', /^\| `client\.\w+\.\w+\(/).map(line => {
    const [, name, legacy, method, path] =
      /`client\.(\w+\.\w+).*\| (legacy )?`(\w+) (\S+)` \|$/.exec(line) ?? [];
    const base = legacy ? '/api/v1' : '/api/v1/rest';
    return `${method} ${base}${path?.replace('{id}', '{identifier}')} ${name}`;
  });
  const expected = rows.map(({ method, path, name }) => `${method} ${path} ${name}`);
  expect(pairs.toSorted()).toEqual(expected.toSorted());
});
