/**
 * What of package.json is published. As a program, for `prepack` and `postpack` of `npm pack` in a checkout: puts it in the
 * place of package.json, and with `--restore` the whole one back.
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
  // One that is left from an interrupted run is the whole one, too.
  if (existsSync(whole)) renameSync(whole, file);
  if (!process.argv.includes('--restore')) {
    const text = readFileSync(file, 'utf8');
    renameSync(file, whole);
    writeFileSync(file, publishedManifest(text));
  }
}
