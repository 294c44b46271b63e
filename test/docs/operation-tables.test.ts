// Compares generated files with their sources.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { generatedFiles } from '../../docs/scripts/operation-tables.ts';

const root = join(import.meta.dirname, '../..');

test.each(generatedFiles())('%s is what `npm run generate` writes', (path, text) => {
  expect(readFileSync(join(root, path), 'utf8')).toBe(text);
});
