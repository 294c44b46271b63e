// Makes projects from the samples of docs/frameworks.md and docs/browser.md, with the packed package and the framework installed.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { esbuild } from '../runtimes/bundlers.ts';
import { installed, root } from '../runtimes/install.ts';
import { makeProject } from '../runtimes/project.ts';
import { freePort } from '../support/listen.ts';

/** A project that can be built and run. */
type Project = ReturnType<typeof makeSamples>;

const guide = (name: string) => readFileSync(`${root}docs/${name}.md`, 'utf8');

/** The samples of the guides, by the path in the comment of their first line. */
const samples = new Map(
  ['frameworks', 'browser'].flatMap(name =>
    [
      ...guide(name).matchAll(
        /^```(?:tsx?|js|html|astro|svelte)\b.*\n((?:---\n)?(?:\/\/|<!--) (\S+\.\w+)\b[\s\S]*?)^```$/gm,
      ),
    ].map(([, code = '', path = '']) => [path, code] as const),
  ),
);

/** The `tsconfig.json` of Getting started. */
const [, tsconfig = ''] =
  /^```json\n(\{\n {2}"compilerOptions"[\s\S]*?)^```$/m.exec(guide('getting-started')) ?? [];

/** The sample that each project has. */
export const signUpFiles = { 'lib/sign-up.ts': 'lib/sign-up.ts' };

/** The two samples that most projects share. */
export const lib = { 'lib/email-marketing.ts': 'lib/email-marketing.ts', ...signUpFiles };

/** Samples that have the same path in the guide and in the project. */
export const unchanged = (...paths: readonly string[]) => Object.fromEntries(paths.map(path => [path, path]));

const packed = join(makeProject('frameworks'), 'node_modules/email-marketing-client');

/** Makes a project of samples `from` the guides, at these paths, and of other files. Later runs use the installed dependencies. */
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

/** Packages that {@link checkTypes} needs. */
export const compiler = { typescript: '5.9.3', '@types/node': '22.20.5' };

/** Checks the types of a project's samples with the `tsconfig.json` of Getting started. */
export function checkTypes({ folder, run }: Project): void {
  writeFileSync(join(folder, 'tsconfig.json'), tsconfig);
  run('typescript/bin/tsc');
}

/** Bundles a file of a project; returns the path of the bundle. */
export async function bundle(
  { folder }: Project,
  file: string,
  format: 'esm' | 'cjs',
  conditions: string[],
): Promise<string> {
  const { code } = await esbuild(folder, file, conditions, format);
  const outfile = join(folder, `out.${format === 'esm' ? 'mjs' : 'cjs'}`);
  writeFileSync(outfile, code);
  return outfile;
}

/** Sends a body, as JSON or by a form. Returns the status and the text of the response. */
export type Ask = (path: string, body?: unknown) => Promise<readonly [status: number, text: string]>;

/** A running program. */
export interface Running {
  readonly ask: Ask;
  readonly close: () => Promise<unknown>;
}

/** Variables of an account. */
export type Account = Readonly<Record<string, string>>;

/** Builds and starts a program. `further` checks what only this program does. */
export type Start = (account: Account) => Promise<Running & { readonly further?: () => Promise<void> }>;

/** Sends a body by a function that is called like `fetch`. */
export const asking =
  (send: (url: string, init: RequestInit) => Promise<Response>, origin: string): Ask =>
  async (path, body) => {
    const headers = { 'content-type': 'application/json' };
    const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await send(origin + path, init);
    return [response.status, await response.text()];
  };

const unescapeHtml = (text: string) => text.replaceAll('&quot;', '"').replaceAll('&amp;', '&');

/**
 * Posts fields as a browser without JavaScript posts the form of a page. `pageOrigin` differs if something in front of the
 * server ends TLS.
 */
export const askingByForm =
  (origin: string, pageOrigin = origin): Ask =>
  async (path, fields) => {
    const shown = await (await fetch(origin + path)).text();
    if (!/<form[^>]* method="post"/i.test(shown)) throw new Error(`No form at ${path}: ${shown}`);
    const values = [...shown.matchAll(/<input[^>]*>/g)].map(([input]) => {
      const attribute = (name: string) =>
        unescapeHtml(new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1] ?? '');
      const name = attribute('name');
      return [name, String(Object(fields)[name] ?? attribute('value'))] as const;
    });
    const body = /<form[^>]* enctype="multipart/i.test(shown) ? new FormData() : new URLSearchParams();
    for (const [name, value] of values) body.append(name, value);
    const headers = { origin: pageOrigin, accept: 'text/html' };
    const response = await fetch(origin + path, { method: 'POST', headers, body });
    return [response.status, await response.text()];
  };

/** Checks what the page shows after its form is sent: after a failure, also the input. */
export async function thanks(ask: Ask) {
  assert.match((await ask('/sign-up', { email: 'zoe@example.com' }))[1], /Thank you\./);
  const [, page] = await ask('/sign-up', { email: 'no address', firstName: 'Zoe' });
  assert.match(page, /Please check the address\./);
  for (const value of ['no address', 'Zoe']) assert.ok(page.includes(`value="${value}"`), `lost: ${value}`);
}

/** Starts a server of a project with the variables of an account, and waits until it responds. */
export async function serve(
  { folder }: Project,
  account: Account,
  ...command: readonly string[]
): Promise<Running & { readonly origin: string }> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const [program = '', ...args] = command.map(part => part.replace('PORT', `${port}`));
  const child: ChildProcess = spawn(process.execPath, [join(folder, program), ...args], {
    cwd: folder,
    env: { ...process.env, ...account, PORT: `${port}`, HOST: '127.0.0.1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
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
