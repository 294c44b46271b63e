import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { npm } from '../support/npm.ts';
import { lacksSignals } from '../support/staged-programs.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbox-packed-'));
  const [packed] = JSON.parse(
    npm(root, ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]),
  );
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  npm(folder, ['install', '--offline', `./${packed.filename}`]);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true }));

// Windows starts no `npx` without a shell, and ends no group of processes.
test.skipIf(lacksSignals)('`npx email-marketing-client sandbox` serves from an empty folder', async () => {
  const child = spawn('npx', ['--no-install', 'email-marketing-client', 'sandbox', '--port', '0'], {
    cwd: folder,
    detached: true,
  });
  try {
    const url = await new Promise<string>((resolve, reject) => {
      let printed = '';
      child.stdout.on('data', chunk => {
        printed += chunk;
        const found = /BASE_URL=(\S+)\n/.exec(printed)?.[1];
        if (found !== undefined) resolve(found);
      });
      child.once('exit', () => reject(new Error(printed)));
    });
    const answer = await fetch(`${url}/api/v1/rest/contact?limit=100`, {
      headers: { 'X-Team-ApiKey': 'sandbox-key' },
    });
    expect(await answer.json()).toHaveLength(100);
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
  }
});

test.each([
  [
    'import',
    "import { createSandbox } from 'email-marketing-client/testing'; console.log(typeof createSandbox().fetch)",
  ],
  ['require', "console.log(typeof require('email-marketing-client/testing').createSandbox().fetch)"],
])('the entry loads by %s where MSW is not installed', (way, code) => {
  const flags = way === 'import' ? ['--input-type=module'] : ['--input-type=commonjs'];
  expect(execFileSync(process.execPath, [...flags, '-e', code], { cwd: folder, encoding: 'utf8' })).toBe(
    'function\n',
  );
});

test.each(['index.js', 'index.cjs'])('nothing of the sandbox is in what %s loads', entry => {
  const seen = new Set<string>();
  const load = (name: string): string => {
    if (seen.has(name)) return '';
    seen.add(name);
    const text = readFileSync(join(root, 'dist', name), 'utf8');
    const parts = [...text.matchAll(/(?:from|import|require\()\s*['"]\.\/([^'"]+)['"]/g)];
    return text + parts.map(([, part = '']) => load(part)).join('');
  };
  const text = load(entry);
  expect(text).not.toContain('sandbox');
  expect(text.length).toBeGreaterThan(10_000);
});
