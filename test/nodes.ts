/**
 * Runs the quick tests on each supported Node: npm's scripts use only the one among the dev dependencies.
 * Usage: `npm run test:all -- nodes`, or for some of them `npx node test/nodes.ts 24 26`.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { nodeBinary, nodeVersions, root } from './runtimes/install.ts';

const chosen = process.argv.slice(2);

for (const name of chosen.length > 0 ? chosen : ['22', '24', '26']) {
  const version = nodeVersions.find(each => each === name);
  if (!version)
    throw new Error(`Node ${name} is not among those that are tested: ${nodeVersions.join(', ')}`);
  const node = nodeBinary(version);
  console.log(`Quick tests on Node ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()}`);
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts'];
  const env = { ...process.env, TEST_RESULTS: process.env.TEST_RESULTS?.replace('.json', `-${name}.json`) };
  const { status } = spawnSync(node, vitest, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
  if (status !== 0) process.exitCode = 1;
}
