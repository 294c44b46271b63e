// Makes a project for runtimes, in which the packed package is installed.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { npm } from '../support/npm.ts';
import { pack, root } from './install.ts';

const here = join(root, 'test/runtimes/');

/** Makes a folder with only the packed package installed, and the programs to run. Removed when the process ends. */
export function makeProject(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `email-marketing-client-${name}-`));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  npm(folder, ['install', '--offline', pack()]);
  for (const file of readdirSync(here).filter(file => /\.[mc]js$/.test(file)))
    cpSync(here + file, join(folder, file));
  const scenario = readFileSync(`${here}scenario.mjs`, 'utf8');
  writeFileSync(join(folder, 'scenario.cjs'), transformSync(scenario, { format: 'cjs' }).code);
  mkdirSync(join(folder, 'out'));
  return folder;
}
