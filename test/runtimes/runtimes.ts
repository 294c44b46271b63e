// Runs the scenario on each runtime.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Sandbox } from '../../src/testing/index.ts';
import { esbuild } from './bundlers.ts';
import { installed, type NodeVersion, nodeBinary, root } from './install.ts';

/** Runs the scenario in a project against a sandbox. */
type Run = (folder: string, sandbox: Sandbox) => Promise<unknown>;

const execute = promisify(execFile);

/** Serves a sandbox over HTTP while a function runs. */
async function served<T>(sandbox: Sandbox, run: (url: string) => Promise<T>): Promise<T> {
  const server = await sandbox.listen();
  return run(server.url).finally(() => server.close());
}

/** How a runtime starts a program. */
export interface RuntimeProgram {
  /** Installs the executable if necessary; returns its path. */
  readonly command: () => string;
  /** Arguments before the name of the program. */
  readonly args: readonly string[];
}

/** Maximum output of a program. */
const maxBuffer = 10_000_000;

/** Runs a program of a project in its own process; returns the JSON that it prints. */
export async function printedBy<Printed>(
  { command, args }: RuntimeProgram,
  folder: string,
  program: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Printed> {
  const options = { cwd: folder, env: { ...process.env, ...variables }, maxBuffer };
  const { stdout } = await execute(command(), [...args, ...program], options);
  return JSON.parse(stdout);
}

/** Runs the scenario in its own process. */
const program =
  (runtime: RuntimeProgram, file = 'program.mjs'): Run =>
  (folder, sandbox) =>
    served(sandbox, url => printedBy(runtime, folder, [file, 'scenario', url]));

const node = (version: NodeVersion): RuntimeProgram => ({ command: () => nodeBinary(version), args: [] });

const exe = process.platform === 'win32' ? '.exe' : '';

/** Returns the executable of a runtime: npm's link to it needs a shell on Windows. */
const binary = (name: string, version: string, file: string) => () =>
  join(installed(name, { [name]: version }), 'node_modules', name, file);

/** Runs a Jest project, which loads by `require` in its own realm, in an environment of Jest or of docs/testing.md. */
const jest =
  (environment: 'node' | 'jsdom'): Run =>
  async (folder, sandbox) => {
    const dependencies = { jest: '30.5.2', 'jest-environment-jsdom': '30.5.2' };
    const modules = join(installed('jest', dependencies), 'node_modules');
    const result = join(folder, 'out/jest.json');
    const guide = readFileSync(`${root}docs/testing.md`, 'utf8');
    const [, jsdom = ''] = /^```js .*\n.*\n([^`]*jest-environment-jsdom[^`]*)^```$/m.exec(guide) ?? [];
    const file = join(folder, 'jsdom-environment.js');
    writeFileSync(file, jsdom);
    const isJsdom = environment === 'jsdom';
    const args = ['--rootDir', folder, '--testMatch', '**/*.test.cjs', '--env', isJsdom ? file : 'node'];
    await served(sandbox, url => {
      const variables = {
        SANDBOX: url,
        RESULT: result,
        NODE_PATH: modules,
        ...(isJsdom && { JSDOM: 'true' }),
      };
      const env = { ...process.env, ...variables };
      return execute(process.execPath, [join(modules, 'jest/bin/jest.js'), ...args], { cwd: folder, env });
    });
    return JSON.parse(readFileSync(result, 'utf8'));
  };

/** A worker in workerd, in one isolate. */
interface Worker {
  dispatchFetch(url: string, init?: RequestInit): Promise<Response>;
  dispose(): Promise<void>;
}

/** Starts a bundled worker. */
export function startBundled(script: string, options: object): Worker {
  const home = installed('workerd', { miniflare: '4.20260426.0' });
  const { Miniflare } = createRequire(join(home, 'package.json'))('miniflare');
  return new Miniflare({ modules: true, script, ...options });
}

/** Runs the scenario or the probe of a project in workerd. */
export async function runInWorkerd(folder: string, name: string, argument: string): Promise<unknown> {
  const { code } = await esbuild(folder, 'program-worker.mjs', ['workerd', 'worker', 'browser']);
  const worker = startBundled(code, { compatibilityDate: '2026-04-01', handleRuntimeStdio: () => {} });
  try {
    const body = JSON.stringify([name, argument]);
    const response = await worker.dispatchFetch('http://worker/', { method: 'POST', body });
    return await response.json();
  } finally {
    await worker.dispose();
  }
}

const workerd: Run = (folder, sandbox) => served(sandbox, url => runInWorkerd(folder, 'scenario', url));

/** Runtimes that start programs, by name. */
export const programs = {
  'Node 22.12': node('22.12'),
  'Node 24': node('24'),
  'Node 26': node('26'),
  Bun: { command: binary('bun', '1.4.5', 'bin/bun.exe'), args: [] },
  Deno: { command: binary('deno', '2.9.6', `deno${exe}`), args: ['run', '-A', '--node-modules-dir=manual'] },
} as const satisfies Readonly<Record<string, RuntimeProgram>>;

/** Every runtime, by the name that the report shows. */
export const runtimes: Readonly<Record<string, Run>> = {
  'Node 22.12 by import': program(programs['Node 22.12']),
  'Node 22.12 by require': program(programs['Node 22.12'], 'program.cjs'),
  'Node 24 by import': program(programs['Node 24']),
  'Node 24 by require': program(programs['Node 24'], 'program.cjs'),
  'Node 26 by import': program(programs['Node 26']),
  'Node 26 by require': program(programs['Node 26'], 'program.cjs'),
  'Jest by require': jest('node'),
  "Jest's jsdom by require": jest('jsdom'),
  Bun: program(programs.Bun),
  Deno: program(programs.Deno),
  workerd,
};
