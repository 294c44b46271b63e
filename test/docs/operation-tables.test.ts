// What is written from the sources, and the tables of operations against the table of the tests.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rows } from '../operations.ts';
import { generatedFiles } from './operation-tables.ts';

const root = join(import.meta.dirname, '../..');

/** Returns the rows of the tables of a document whose text matches a pattern. */
const tableRows = (path: string, pattern: RegExp): readonly string[] =>
  readFileSync(join(root, path), 'utf8')
    .split('\n')
    .filter(line => line.startsWith('|') && pattern.test(line));

test.each(generatedFiles())('%s is what `npm run generate` writes', (path, text) => {
  expect(readFileSync(join(root, path), 'utf8')).toBe(text);
});

test("the readme's table has one row per operation", () => {
  const named = tableRows('README.md', /^\| `client\.\w+\.\w+\(/).map(
    line => /client\.(\w+\.\w+)/.exec(line)?.[1],
  );
  expect(named.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});

test('the table for those who migrate pairs each endpoint with its operation', () => {
  const pairs = tableRows('docs/migrating-from-fetch.md', /^\| (legacy )?`(GET|POST|DELETE) /).map(line => {
    const [, legacy = '', method, path, name] =
      /^\| (legacy )?`(\w+) (\S+)` \| `client\.(\w+\.\w+)/.exec(line) ?? [];
    const base = legacy ? '/api/v1' : '/api/v1/rest';
    return `${method} ${base}${path?.replace('{id}', '{identifier}')} ${name}`;
  });
  const expected = rows.map(({ method, path, name }) => `${method} ${path} ${name}`);
  expect(pairs.toSorted()).toEqual(expected.toSorted());
});
