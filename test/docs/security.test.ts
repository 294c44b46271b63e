import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/SECURITY.md'), 'utf8');

/** A statement of the threat model: its number, the file of its test, and the title or name of that test. */
const statements = [...guide.matchAll(/^\| T(\d+) \| [^|]+ \| `([^`]+)`: (.+) \|$/gm)].map(
  ([, number = '', file = '', title = '']) => ({ number: Number(number), file, title }),
);

describe('the threat model', () => {
  test('numbers its statements from 1 on, each with a test', () => {
    const numbers = [...guide.matchAll(/^\| T(\d+) \|/gm)].map(([, number]) => Number(number));
    expect(numbers.length).toBeGreaterThan(25);
    expect(statements.map(({ number }) => number)).toEqual(numbers.map((_, index) => index + 1));
    expect(statements).toHaveLength(numbers.length);
  });

  test.each(statements)('T$number names a test of $file', ({ file, title }) => {
    const path = join(root, file);
    expect(existsSync(path)).toBe(true);
    expect(readFileSync(path, 'utf8')).toContain(title);
  });
});
