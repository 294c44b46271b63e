import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const demo = fileURLToPath(new URL('../../examples/demo/main.ts', import.meta.url));

test('the demo proves each of its claims, and leaves no file in the temporary folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const env = { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder };
  const printed = execFileSync(process.execPath, [demo], { encoding: 'utf8', env, stdio: 'pipe' });
  expect(printed).toMatch(/\n(\d+) of \1 claims held\.\n$/);
  expect(readdirSync(folder)).toEqual([]);
}, 120_000);
