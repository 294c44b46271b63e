// Runs a benchmark on Node 26, whichever Node runs this: `node test/bench/on-node-26.ts walk`.
import { spawnSync } from 'node:child_process';
import '../../.ci/build-if-stale.ts';
import { nodeBinary } from '../runtimes/install.ts';

const [name, ...args] = process.argv.slice(2);

function newestNode(): string {
  try {
    return nodeBinary('26.10.0');
  } catch {
    console.warn(`Node 26 could not be installed: this measures Node ${process.versions.node}`);
    return process.execPath;
  }
}

const file = new URL(`./${name}.ts`, import.meta.url).pathname;
const flags = ['--disable-warning=ExperimentalWarning'];
process.exitCode = spawnSync(newestNode(), [...flags, file, ...args], { stdio: 'inherit' }).status ?? 1;
