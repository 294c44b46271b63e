// Makes projects from the samples of docs/frameworks.md and docs/browser.md, with the packed package and the framework installed.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { buildSync } from 'esbuild';
import { installed, root } from '../runtimes/install.ts';
import { makeProject } from '../runtimes/project.ts';
import { freePort } from '../support/listen.ts';

/** A project that can be built and run. */
type Project = ReturnType<typeof makeSamples>;

/** The samples of the guides, by the path in the comment of their first line. */
const samples = new Map(
  ['frameworks', 'browser'].flatMap(guide =>
    [
      ...readFileSync(`${root}docs/${guide}.md`, 'utf8').matchAll(
        /^```(?:tsx?|js)\b.*\n\/\/ (\S+\.\w+)\n([\s\S]*?)^```$/gm,
      ),
    ].map(([, path = '', code = '']) => [path, code] as const),
  ),
);

/** The sample that each project has. */
export const signUpFiles = { 'lib/sign-up.ts': 'lib/sign-up.ts' };

const packed = join(makeProject('frameworks'), 'node_modules/email-marketing-client');

/**
 * Makes a project: the samples `from` the guides, at these paths, and further files. Dependencies stay installed for later
 * runs.
 */
export function makeSamples(
  name: string,
  dependencies: Readonly<Record<string, string>>,
  from: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>>,
) {
  const folder = installed(`frameworks-${name}`, dependencies);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [sample, path] of Object.entries(from)) {
    const code = samples.get(sample);
    if (code === undefined) throw new Error(`The guides have no sample ${sample}`);
    write(path, code);
  }
  for (const [path, text] of Object.entries(files)) write(path, text);
  const home = join(folder, 'node_modules/email-marketing-client');
  rmSync(home, { recursive: true, force: true });
  cpSync(packed, home, { recursive: true });
  /** Runs a program of the project's dependencies, without any variable of an account. */
  const run = (...[program = '', ...args]: readonly string[]) => {
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, NEXT_TELEMETRY_DISABLED: '1' };
    execFileSync(process.execPath, [join(folder, 'node_modules', program), ...args], {
      cwd: folder,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  };
  return { folder, run };
}

/** Bundles a file of a project. */
export function bundle(
  { folder }: Project,
  file: string,
  format: 'esm' | 'cjs',
  conditions: string[],
): string {
  const outfile = join(folder, `out.${format === 'esm' ? 'mjs' : 'cjs'}`);
  const platform = conditions.includes('browser') ? 'browser' : 'node';
  const external = ['node:*'];
  const settings = {
    absWorkingDir: folder,
    bundle: true,
    outfile,
    format,
    platform,
    conditions,
    external,
  } as const;
  buildSync({ ...settings, entryPoints: [file], packages: 'bundle' });
  return outfile;
}

/** What a program responds to a JSON body: the status, and the text. */
export type Ask = (path: string, body?: unknown) => Promise<readonly [status: number, text: string]>;

/** A running program. */
export interface Running {
  readonly ask: Ask;
  readonly close: () => Promise<unknown>;
}

/** Variables of an account. */
export type Account = Readonly<Record<string, string>>;

/** Builds and starts a program. `further` checks what is its own. */
export type Start = (account: Account) => Promise<Running & { readonly further?: () => Promise<void> }>;

/** Asks a function that is called like `fetch`. */
export const asking =
  (send: (url: string, init: RequestInit) => Promise<Response>, origin: string): Ask =>
  async (path, body) => {
    const headers = { 'content-type': 'application/json' };
    const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await send(origin + path, init);
    return [response.status, await response.text()];
  };

/** Starts a server of a project with the variables of an account, and waits until it responds. */
export async function serve(
  { folder }: Project,
  account: Account,
  ...command: readonly string[]
): Promise<Running & { readonly origin: string }> {
  const port = await freePort();
  const [program = '', ...args] = command.map(part => part.replace('PORT', `${port}`));
  const child: ChildProcess = spawn(process.execPath, [join(folder, program), ...args], {
    cwd: folder,
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1', ...account, PORT: `${port}` },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const origin = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(origin).then(
      () => true,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}`);
    await setTimeout(100);
  }
  return {
    origin,
    ask: asking(fetch, origin),
    close() {
      child.kill('SIGKILL');
      return once(child, 'exit');
    },
  };
}
