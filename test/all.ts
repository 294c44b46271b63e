/**
 * Runs every check: `npm run test:all`. Continues after a failure, and ends with the names of the failed tests and a line
 * that counts all. `npm run test:all -- runtimes redis` runs only these checks; `--without types` skips one. A folder in
 * RESULTS_FOLDER may hold the report of quick tests that ran before.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { countTests } from './support/count-tests.ts';

const folder = process.env.RESULTS_FOLDER ?? mkdtempSync(join(tmpdir(), 'test-all-'));

/** The condition has the library's source import its source. */
const node = (...args: readonly string[]) => ['node', '--conditions=repository', ...args];
const vitest = (...args: readonly string[]) => [
  'vitest',
  'run',
  '--config',
  'test/vitest.config.ts',
  ...args,
];

/** Commands by their names, in the order in which they run. */
type Checks = Readonly<Record<string, readonly string[]>>;

/** Checks that use every core, or measure time. */
const oneByOne: Checks = {
  build: ['npm', 'run', 'build'],
  types: ['npm', 'run', 'types'],
  lint: ['npm', 'run', 'lint'],
  unused: ['knip'],
  quick: vitest('--coverage'),
  long: vitest('--mode', 'long'),
  // The quick tests on the versions of Node that are not a dev dependency.
  nodes: node('test/nodes.ts', '24', '26'),
  // The tests that speak HTTP, against the built package.
  built: vitest('--mode', 'build', 'test/client'),
  demo: ['npm', 'run', 'demo'],
};

/** Lists of checks that use one core or wait. The lists run at the same time. */
const sideBySide: readonly Checks[] = [
  {
    gateways: node('test/gateways/run.ts'),
    runtimes: node('test/runtimes/run.ts'),
    bundles: node('test/runtimes/bundles.ts'),
    frameworks: node('test/frameworks/run.ts'),
    'network-errors': node('test/runtimes/network-errors.ts'),
  },
  {
    browsers: node('test/browsers/run.ts'),
    fuzz: node('--test', '--test-concurrency=1', '--test-timeout=80000', 'test/fuzz/*.fuzz.ts'),
    bullmq: node('test/queues/bullmq-import.ts'),
    'pg-boss': node('test/queues/pg-boss.ts'),
    release: node('test/release/run.ts'),
  },
];

const { values, positionals: chosen } = parseArgs({
  options: { without: { type: 'string', multiple: true, default: [] } },
  allowPositionals: true,
});
const failed: string[] = [];

/** Runs the chosen checks of a list. Shows their output at once, or as a whole when each has ended. */
async function run(checks: Checks, stdio: 'inherit' | 'pipe'): Promise<void> {
  for (const [name, [command = '', ...args]] of Object.entries(checks)) {
    if (values.without.includes(name) || (chosen.length > 0 && !chosen.includes(name))) continue;
    const start = performance.now();
    const env = { ...process.env, TEST_RESULTS: join(folder, `${name}.json`) };
    const child = spawn(command, args, {
      stdio: ['ignore', stdio, stdio],
      env,
      shell: process.platform === 'win32',
    });
    const printed: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', part => printed.push(part));
    const [status] = await once(child, 'close');
    if (status !== 0) failed.push(name);
    process.stdout.write(Buffer.concat(printed));
    const seconds = Math.round((performance.now() - start) / 1000);
    console.log(`${name}: ${status === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
  }
}

await run(oneByOne, 'inherit');
await Promise.all(sideBySide.map(checks => run(checks, 'pipe')));

const reports = readdirSync(folder).map(file => ({
  run: basename(file, '.json'),
  ...countTests(join(folder, file)),
}));
rmSync(folder, { recursive: true });
const names = reports.flatMap(({ run, names }) => names.map(name => `${run}: ${name}`));
for (const name of names) console.log(`FAILED: ${name}`);
if (failed.length > 0) console.log(`These checks failed: ${failed.join(', ')}.`);
// The other reports are of tests that run again, on another Node or against the built package.
const passed = reports
  .filter(({ run }) => run === 'quick' || run === 'long')
  .reduce((sum, report) => sum + report.passed, 0);
console.log(`${passed} passed, ${Math.max(names.length, failed.length)} failed`);
process.exitCode = names.length + failed.length > 0 ? 1 : 0;
