/**
 * Runs every `*.fuzz.ts` file of this folder, each for its share of the time and in its own process, which is killed if it
 * hangs. `module.ts` documents what such a file exports.
 * Usage: `npm run fuzz -- --seconds 3600 --seed 42`, or with names of files: `npm run fuzz -- checkpoints`.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

/** Largest seed that fast-check takes. */
const maxSeed = 2 ** 31 - 1;
/** Time for start-up and for shrinking a failing input, before a file counts as hanging. */
const graceMs = 60_000;

const { values, positionals } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' } },
  allowPositionals: true,
});
const seconds = Number(values.seconds);
const seed = Number(values.seed ?? Math.floor(Math.random() * maxSeed));
if (!(seconds > 0)) throw new Error(`--seconds must be a positive number, not ${values.seconds}.`);
if (!Number.isInteger(seed)) throw new Error(`--seed must be an integer, not ${values.seed}.`);

const files = globSync('*.fuzz.ts', { cwd: import.meta.dirname })
  .filter(file => positionals.length === 0 || positionals.some(part => file.includes(part)))
  .sort();
if (files.length === 0) throw new Error('No *.fuzz.ts file has such a name.');
const milliseconds = Math.ceil((seconds * 1000) / files.length);

function passes(file: string): boolean {
  const args = [join(import.meta.dirname, file), String(seed), String(milliseconds)];
  const { status, signal } = spawnSync(
    process.execPath,
    [...process.execArgv, join(import.meta.dirname, 'run-file.ts'), ...args],
    { stdio: 'inherit', timeout: milliseconds + graceMs },
  );
  if (signal) console.error(`${file}: killed by ${signal} because it hangs`);
  if (status !== 0)
    console.error(`To repeat it: npm run fuzz -- --seed ${seed} --seconds ${seconds} ${file}`);
  return status === 0;
}

console.log(`seed ${seed}, ${seconds} s for ${files.length} files`);
if (!files.map(passes).every(Boolean)) process.exitCode = 1;
