// Builds the package where a source is newer than what was built, or nothing was.
import { execSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';

const modified = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const sources = [
  'package.json',
  'package-lock.json',
  'tsup.config.ts',
  ...globSync(['src/**/*.ts', '.ci/*.ts']),
];
const newest = Math.max(...sources.map(modified));
const built = Math.min(...['dist/index.js', 'dist/THIRD_PARTY_LICENSES.txt'].map(modified));
if (newest > built) execSync('npm run build --silent', { stdio: 'inherit' });
