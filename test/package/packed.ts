// Packs the built package and installs it in a new folder, as a user would.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { afterAll } from 'vitest';
import { copyPackage } from '../../.ci/copy-package.ts';
import { npm } from '../support/npm.ts';

/** The package as it is published, and a project that has it installed. */
export interface Packed {
  readonly tarball: string;
  /** Folder whose `node_modules` contains only the package. */
  readonly project: string;
  /** Folder of the package in it. */
  readonly folder: string;
  /** Paths of the package's files, relative to it. */
  readonly files: readonly string[];
  read(file: string): string;
}

/** Packs the build and installs it in a new folder, which is removed after the tests of the file. */
export function pack(): Packed {
  const project = mkdtempSync(join(tmpdir(), 'packed-'));
  afterAll(() => rmSync(project, { recursive: true }));
  const copy = mkdtempSync(join(tmpdir(), 'package-'));
  copyPackage(copy);
  npm(copy, ['pack', '--ignore-scripts', '--json', '--pack-destination', project]);
  rmSync(copy, { recursive: true });
  const name = readdirSync(project).find(file => file.endsWith('.tgz')) ?? '';
  const tarball = join(project, name);
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  npm(project, ['install', '--offline', '--ignore-scripts', tarball]);
  const folder = join(project, 'node_modules/email-marketing-client');
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter(entry => entry.isFile())
    .map(entry =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll(sep, '/'),
    );
  return { tarball, project, folder, files, read: file => readFileSync(join(folder, file), 'utf8') };
}
