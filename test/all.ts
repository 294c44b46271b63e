/**
 * Runs every check: `npm run test:all`. Goes on after a failure, and ends with a line that counts the tests. With names as
 * arguments, it runs only these, such as `npm run test:all -- runtimes redis`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countTests } from './support/count-tests.ts';

const folder = mkdtempSync(join(tmpdir(), 'test-all-'));
const report = join(folder, 'vitest.json');

const node = (program: string, ...args: readonly string[]) => ['node', program, ...args];
const vitest = (...args: readonly string[]) => ['vitest', 'run', ...args];

/** Commands by their names, in the order in which they run. */
const checks: Readonly<Record<string, readonly string[]>> = {
  build: ['npm', 'run', 'build'],
  types: ['npm', 'run', 'types'],
  lint: ['npm', 'run', 'lint'],
  unused: ['knip'],
  tests: vitest('--config', 'test/vitest.config.ts', '--mode', 'all'),
  // The tests that speak HTTP, against the built package.
  built: vitest('--config', 'test/vitest.config.ts', '--mode', 'build', 'test/client'),
  coverage: vitest('--config', 'test/in-process.config.ts', '--coverage'),
  demo: ['npm', 'run', 'demo'],
  soak: node('test/soak.ts', '2000'),
  fuzz: node('test/fuzz/run.ts', '--seed', '774675619'),
  runtimes: node('test/runtimes/run.ts'),
  bundles: node('test/runtimes/bundles.ts'),
  'network-errors': node('test/runtimes/network-errors.ts'),
  redis: node('test/redis/bullmq-import.ts'),
  release: node('test/release/run.ts'),
};

const chosen = process.argv.slice(2);
const failed: string[] = [];
for (const [name, [command = '', ...args]] of Object.entries(checks)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const start = performance.now();
  const env = name === 'tests' ? { ...process.env, TEST_RESULTS: report } : process.env;
  const { status } = spawnSync(command, args, { stdio: 'inherit', env, shell: process.platform === 'win32' });
  if (status !== 0) failed.push(name);
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(`${name}: ${status === 0 ? 'passed' : 'FAILED'} in ${seconds} s`);
}
const count = countTests(report, { skipsFail: Boolean(process.env.CI) });
rmSync(folder, { recursive: true });
if (failed.length > 0) console.log(`These checks failed: ${failed.join(', ')}.`);
console.log(`${count.passed} passed, ${Math.max(count.failed, failed.length)} failed`);
process.exitCode = count.failed + failed.length > 0 ? 1 : 0;
