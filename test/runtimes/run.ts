/**
 * Installs the packed package in an empty folder, and runs a scenario on every runtime. Then makes calls whose connections
 * are cut, and that must act once.
 * Usage: `npm run test:all -- runtimes`, or with names: `node test/runtimes/run.ts bun deno`.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { checkCutConnections } from './cut-connections.ts';
import { check, makeSandbox } from './expected.ts';
import { makeProject } from './project.ts';
import { programs, runtimes } from './runtimes.ts';

const chosen = process.argv.slice(2);
const folder = makeProject('app');
const found = readdirSync(join(folder, 'node_modules')).filter(name => !name.startsWith('.'));
assert.deepEqual(found, ['email-marketing-client'], 'the package installs nothing else');

const isChosen = (name: string) =>
  chosen.length === 0 || chosen.some(part => name.toLowerCase().includes(part.toLowerCase()));

for (const [name, run] of Object.entries(runtimes)) {
  if (!isChosen(name)) continue;
  const sandbox = makeSandbox();
  check(name, await run(folder, sandbox), sandbox);
  console.log(`${name}: as expected`);
}

for (const [name, program] of Object.entries(programs))
  if (isChosen(name)) await checkCutConnections(name, program, folder);
