/**
 * Checks the outcome of each network failure on Node, Bun, Deno and workerd, by real runs of the built package. Usage: `npm run test:all -- network-errors`; the runtimes are installed into a folder of the system's for
 * temporary files.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { closedPort, type Fault, startFaultServer, unresolvedName } from '../support/fault-server.ts';
import * as faults from '../support/faults.ts';

interface Result {
  readonly fault: string;
  readonly call: 'write' | 'listing';
  readonly name: string;
  readonly outcome: string;
  readonly attempts: number;
  readonly reason?: string;
}

const packages = ['bun@1.4.5', 'deno@2.9.6', 'miniflare@4.20260426.0'];
const folder = join(tmpdir(), 'email-marketing-client-runtimes');
const here = fileURLToPath(new URL('.', import.meta.url));
const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const run = promisify(execFile);

const injected: Readonly<Record<string, Fault>> = {
  'reset before the answer': faults.resetBeforeResponse,
  'closed before the answer': faults.closedBeforeResponse,
  'reset in mid-body': faults.resetInBody,
  'closed in mid-body': faults.closedInBody,
  'no HTTP': faults.notHttp,
  'stalled after the head': faults.stallsAfterHead,
  'no final response': ({ socket }) =>
    void socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
};

/** Nothing was sent, so both calls are made three times; unless the runtime does not tell, as workerd does not. */
const neverSent = [
  'refused connection',
  'unresolved name',
  'TLS spoken to a server without it',
  'blocked port',
];

/** Only Deno and workerd give a 101 as a response; the others give an error. */
const isResponse = (runtime: string, fault: string) =>
  fault === 'no final response' && ['Deno', 'workerd'].includes(runtime);

function nameOf(runtime: string, fault: string): string {
  if (isResponse(runtime, fault)) return 'ApiError';
  return fault.startsWith('stalled') ? 'TimeoutError' : 'ConnectionError';
}

function check(runtime: string, results: readonly Result[]): void {
  for (const { fault, call, name, outcome, attempts, reason } of results) {
    const isKnown = neverSent.includes(fault) && runtime !== 'workerd';
    const expected = {
      name: nameOf(runtime, fault),
      outcome: isKnown ? 'not-sent' : 'unknown',
      attempts: isKnown || (call === 'listing' && !isResponse(runtime, fault)) ? 3 : 1,
    };
    assert.deepEqual({ name, outcome, attempts }, expected, `${runtime}: ${call}, ${fault} (${reason})`);
  }
  console.log(`${runtime}: ${results.length} calls, each as expected`);
}

async function inProgram(command: string, args: readonly string[], addresses: string): Promise<Result[]> {
  const program = join(here, 'network-errors-program.mjs');
  const { stdout } = await run(command, [...args, program, join(dist, 'index.js'), addresses]);
  return JSON.parse(stdout);
}

async function inWorkerd(addresses: string): Promise<Result[]> {
  const { Miniflare } = createRequire(join(folder, 'package.json'))('miniflare');
  const module = (path: string, file: string) => ({
    type: 'ESModule',
    path,
    // workerd does not read the `imports` of a package.json.
    contents: readFileSync(file, 'utf8').replaceAll(/(['"])#transport\1/g, "'./page-transport.js'"),
  });
  const own = ['network-errors-worker.mjs', 'network-errors-probe.mjs'].map(name =>
    module(name, join(here, name)),
  );
  const built = readdirSync(dist).filter(name => name.endsWith('.js'));
  const miniflare = new Miniflare({
    modules: [...own, ...built.map(name => module(`dist/${name}`, join(dist, name)))],
    compatibilityDate: '2026-04-01',
    handleRuntimeStdio: () => {},
  });
  try {
    const response = await miniflare.dispatchFetch('http://worker/', { method: 'POST', body: addresses });
    return await response.json();
  } finally {
    await miniflare.dispose();
  }
}

if (!existsSync(join(folder, 'node_modules', 'miniflare')))
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefix', folder, ...packages]);
const binary = (name: string) => join(folder, 'node_modules', '.bin', name);

const servers = await Promise.all(
  Object.entries(injected).map(async ([name, fault]) => {
    const server = await startFaultServer();
    server.otherwise(fault);
    return { name, server };
  }),
);
const healthy = await startFaultServer();
const addresses = JSON.stringify([
  ['refused connection', await closedPort()],
  ['unresolved name', unresolvedName],
  ['TLS spoken to a server without it', healthy.url.replace('http:', 'https:')],
  // `fetch` sends nothing to a port of another protocol, here of X11, which nothing listens on either.
  ['blocked port', 'http://127.0.0.1:6000'],
  ...servers.map(({ name, server }) => [name, server.url]),
]);
try {
  check('Node', await inProgram(process.execPath, [], addresses));
  check('Bun', await inProgram(binary('bun'), [], addresses));
  check('Deno', await inProgram(binary('deno'), ['run', '-A', '--node-modules-dir=manual'], addresses));
  check('workerd', await inWorkerd(addresses));
} finally {
  await Promise.all([healthy, ...servers.map(({ server }) => server)].map(server => server.close()));
}
