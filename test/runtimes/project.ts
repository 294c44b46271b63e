// Makes a project in which the packed package is installed.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { copyPackage } from '../../.ci/copy-package.ts';
import { npm } from '../support/npm.ts';
import { root } from './install.ts';

const here = join(root, 'test/runtimes/');

/** Packs the build as the published package. Returns the name of the tarball in the folder. */
function pack(folder: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'package-'));
  copyPackage(copy);
  const output = npm(copy, ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]);
  rmSync(copy, { recursive: true });
  return JSON.parse(output)[0].filename;
}

/**
 * Makes a folder with only the packed package installed, the tarball, and the programs of the runtimes. Removed when the
 * process ends.
 */
export function makeProject(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `email-marketing-client-${name}-`));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  npm(folder, ['install', '--offline', '--ignore-scripts', `./${pack(folder)}`]);
  for (const file of readdirSync(here).filter(file => /\.[mc]js$/.test(file)))
    cpSync(here + file, join(folder, file));
  const scenario = readFileSync(`${here}scenario.mjs`, 'utf8');
  writeFileSync(join(folder, 'scenario.cjs'), transformSync(scenario, { format: 'cjs' }).code);
  mkdirSync(join(folder, 'out'));
  return folder;
}
