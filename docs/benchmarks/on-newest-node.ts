// Runs a benchmark on the newest Node, whichever Node runs this: `node docs/benchmarks/on-newest-node.ts pagination`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { newestNode, nodeBinary } from '../../test/runtimes/install.ts';
import { setup as buildIfStale } from '../../test/support/build-if-stale.ts';

const [name, ...args] = process.argv.slice(2);
buildIfStale();

function binary(): string {
  try {
    return nodeBinary(newestNode);
  } catch {
    console.warn(`Node ${newestNode} could not be installed: this measures Node ${process.versions.node}`);
    return process.execPath;
  }
}

const file = join(import.meta.dirname, `${name}.ts`);
process.exitCode = spawnSync(binary(), [file, ...args], { stdio: 'inherit' }).status ?? 1;
