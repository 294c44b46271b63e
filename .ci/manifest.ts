/**
 * The part of package.json that is published. Run as a program by `prepack` and `postpack` in a checkout, it replaces
 * package.json with that part, and with `--restore` puts the complete file back.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Members that only the repository needs. */
const ofTheRepository = [
  'packageManager',
  'workspaces',
  'scripts',
  'devDependencies',
  'allowScripts',
  'overrides',
];

/** Returns the text of the published package.json, with members added. */
export function publishedManifest(text: string, added: object = {}): string {
  const members = Object.entries(JSON.parse(text)).filter(([name]) => !ofTheRepository.includes(name));
  return `${JSON.stringify({ ...Object.fromEntries(members), ...added }, null, 2)}\n`;
}

if (process.argv[1] === import.meta.filename) {
  const file = join(dirname(import.meta.dirname), 'package.json');
  const whole = `${file}.whole`;
  // A file left over from an interrupted run is also the complete one.
  if (existsSync(whole)) renameSync(whole, file);
  if (!process.argv.includes('--restore')) {
    const text = readFileSync(file, 'utf8');
    renameSync(file, whole);
    writeFileSync(file, publishedManifest(text));
  }
}
