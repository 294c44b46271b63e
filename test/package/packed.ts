// Packs the built package and installs it in a folder of its own, as a user would.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { afterAll } from 'vitest';
import { npm } from '../support/npm.ts';

const root = join(import.meta.dirname, '../..');

/** The package as it would be published, and a project that has it installed. */
export interface Packed {
  readonly tarball: string;
  /** A folder whose `node_modules` holds the package and nothing else. */
  readonly project: string;
  /** The package in there. */
  readonly folder: string;
  /** The package's files, by their paths in it. */
  readonly files: readonly string[];
  read(file: string): string;
}

/** Packs what is built and installs it in a new folder, which goes when the test file ends. */
export function pack(): Packed {
  const project = mkdtempSync(join(tmpdir(), 'packed-'));
  afterAll(() => rmSync(project, { recursive: true }));
  npm(root, ['pack', '--ignore-scripts', '--json', '--pack-destination', project]);
  const name = readdirSync(project).find(file => file.endsWith('.tgz')) ?? '';
  const tarball = join(project, name);
  // Only by its name: GNU's tar takes what precedes a colon, as in `C:\\`, for the name of a host.
  execFileSync('tar', ['-xzf', name], { cwd: project });
  const folder = join(project, 'node_modules/email-marketing-client');
  mkdirSync(join(project, 'node_modules'));
  renameSync(join(project, 'package'), folder);
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
