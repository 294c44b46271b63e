// Builds the package if there is no build, or a source is newer: as a program, or as vitest's global set-up.
import { execSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const modified = (file: string) => statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
const sources = [
  ...[
    'package.json',
    'package-lock.json',
    'tsup.config.ts',
    'tsconfig.json',
    '.ci/notices.ts',
    'docs/openapi.json',
  ],
  ...globSync('src/**/*', { cwd: root }),
];

export function setup(): void {
  const newest = Math.max(...sources.map(modified));
  const built = Math.min(...['dist/index.js', 'dist/THIRD_PARTY_LICENSES.txt'].map(modified));
  if (newest <= built) return;
  console.log('Building the package …');
  execSync('npm run build --silent', { cwd: root, stdio: 'inherit' });
}

if (process.argv[1] === import.meta.filename) setup();
