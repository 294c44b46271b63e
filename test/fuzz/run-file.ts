/** Runs one `*.fuzz.ts` file: `node test/fuzz/run-file.ts checkpoints.fuzz.ts SEED MILLISECONDS`. */
import { pathToFileURL } from 'node:url';
import type { FuzzModule } from './module.ts';

const [file = '', seed, milliseconds] = process.argv.slice(2);
const { name, run }: FuzzModule = await import(pathToFileURL(file).href);
try {
  const inputs = await run({ seed: Number(seed), milliseconds: Number(milliseconds) });
  console.log(`${name}: ${inputs} inputs, no failure`);
} catch (error) {
  console.error(`${name}: failed`, error);
  process.exitCode = 1;
}
