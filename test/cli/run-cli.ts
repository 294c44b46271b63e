// Runs the command: as built, in its own process, or from its source, in the process of the test.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { main } from '../../src/cli/main.ts';
import type { Environment } from '../../src/cli/surroundings.ts';
import type { Sandbox, SandboxOptions } from '../../src/testing/index.ts';
import { type Ended, stageFolder, stageProgram } from '../support/staged-programs.ts';
import { surroundings } from '../support/surroundings.ts';

/** Program of the built command. */
export const cli = join(import.meta.dirname, '../../dist/cli.js');

/** The endpoint that `import` sends each row to. */
export const identify = 'POST /contact/identify';

/** Matches a command that ended with this exit code, and printed this text on standard error. */
export const endedWith = (code: number, stderr: string | RegExp) => ({
  code,
  stderr: typeof stderr === 'string' ? expect.stringContaining(stderr) : expect.stringMatching(stderr),
});

/** Writes `yes` in a first column `mailable` of each line. */
export const agreed = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map((line, index) => `${index === 0 ? 'mailable' : 'yes'},${line}\n`)
    .join('');

/** Returns the rows that were sent, in order. */
export const sentRows = ({ sandbox }: { readonly sandbox: Sandbox }): readonly Record<string, unknown>[] =>
  sandbox.requests.to(identify).map(({ body }) => body as Record<string, unknown>);

/** Returns the addresses that were sent, in alphabetical order. */
export const sentAddresses = (staged: { readonly sandbox: Sandbox }): string[] =>
  sentRows(staged)
    .map(({ email }) => String(email))
    .sort();

/** A sandbox over HTTP, a folder, and the built command that runs there. */
export const stageBuilt = (options?: SandboxOptions) => stageProgram(cli, options);

/** A sandbox over HTTP, a folder, and the command that runs there in the process of the test. */
export async function stage(options: SandboxOptions = {}) {
  const staged = await stageFolder(options);
  const { folder, env } = staged;
  const rejectedFile = staged.path('people.csv.rejected.csv');
  return {
    ...staged,
    run: (...args: string[]): Promise<Ended> => runHere(folder, env, args),
    runWith: (extra: Environment, ...args: string[]): Promise<Ended> =>
      runHere(folder, { ...env, ...extra }, args),
    /** Writes `people.csv`, and imports it with `--yes --json`; returns the report and what was sent since then. */
    async importText(text: string | Uint8Array, ...args: string[]) {
      staged.write('people.csv', text);
      const before = sentRows(staged).length;
      const ended = await runHere(folder, env, ['import', 'people.csv', '--yes', '--json', ...args]);
      const bodies = sentRows(staged).slice(before);
      return {
        ...ended,
        report: JSON.parse(ended.stdout),
        bodies,
        sent: bodies.map(({ email }) => String(email)).sort(),
        rejected: existsSync(rejectedFile) ? staged.read('people.csv.rejected.csv') : '',
      };
    },
  };
}

/** Imports a file in its own surroundings. */
export async function importText(text: string | Uint8Array, ...args: string[]) {
  await using staged = await stage();
  return await staged.importText(text, ...args);
}

const root = join(import.meta.dirname, '../..');
/** Folder of the run that began last. */
let current = root;

/** Runs a command line in a folder, with an environment, and returns what it prints. */
async function runHere(cwd: string, env: Environment, args: readonly string[]): Promise<Ended> {
  const own = { ...surroundings({ env }), now: () => performance.timeOrigin + performance.now() };
  current = cwd;
  process.chdir(cwd);
  try {
    const code = await main(args, own);
    return { code, stdout: own.stdout.text, stderr: own.stderr.text };
  } finally {
    // The run of a test that has timed out may end while another one runs: the working directory is that one's by then.
    if (current === cwd) process.chdir(root);
  }
}
