// Runs the benchmarks on the newest Node, whichever Node runs this: `npm run bench`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { newestNode, nodeBinary } from '../../test/runtimes/install.ts';
import { setup as buildIfStale } from '../../test/support/build-if-stale.ts';

buildIfStale();

function binary(): string {
  try {
    return nodeBinary(newestNode);
  } catch {
    console.warn(`Node ${newestNode} could not be installed: this measures Node ${process.versions.node}`);
    return process.execPath;
  }
}

const args = [join(import.meta.dirname, 'run.ts'), ...process.argv.slice(2)];
process.exitCode = spawnSync(binary(), args, { stdio: 'inherit' }).status ?? 1;
