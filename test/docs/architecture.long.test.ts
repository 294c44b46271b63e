import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const script = join(import.meta.dirname, '../bench/call-path.ts');

test('docs/ARCHITECTURE.md lists the functions that a call runs, at most 40 in at most 14 files', () => {
  // Fails where the document differs from what is measured.
  const measured = execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  const [, functions, files] = /^(\d+) functions in (\d+) files/.exec(measured) ?? [];
  expect(Number(functions)).toBeLessThanOrEqual(40);
  expect(Number(files)).toBeLessThanOrEqual(14);
}, 30_000);
