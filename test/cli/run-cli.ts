// Runs the command: as built, in its own process, or from its source, in the process of the test.
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

/** Options by which nothing is open, for a file with the column of {@link agreed}. */
export const everyone = ['--yes', '--mailable', 'agreed=(empty)'] as const;

/** Adds a column to a file, at the end of its first line: its cell is missing in all rows, and so it is `(empty)`. */
export const agreed = (text: string): string =>
  text.replace(/^[^\r\n]*/, header => `${header}${/[;\t]|:(?!.*,)/.exec(header)?.[0] ?? ','}agreed`);

/** Returns the rows that were sent, in order. */
export const sentRows = ({ sandbox }: { readonly sandbox: Sandbox }): readonly Record<string, unknown>[] =>
  sandbox.requests.to(identify).map(({ body }) => body as Record<string, unknown>);

/** A sandbox over HTTP, a folder, and the built command that runs there. */
export const stageBuilt = (options?: SandboxOptions) => stageProgram(cli, options);

/** Returns the time as the commands read it. */
export const realTime = (): number => performance.timeOrigin + performance.now();

/** A sandbox over HTTP, a folder, and the command that runs there in the process of the test. */
export async function stage(options: SandboxOptions = {}, now = realTime) {
  const staged = await stageFolder(options);
  const { folder, env } = staged;
  return {
    ...staged,
    run: (...args: string[]): Promise<Ended> => runHere(folder, { env, now }, args),
    /** Writes `people.csv`, and imports it without a prompt: everyone may be mailed. */
    importText: (text: string, ...args: string[]): Promise<Ended> => {
      staged.write('people.csv', agreed(text));
      return runHere(folder, { env, now }, ['import', 'people.csv', ...everyone, ...args]);
    },
    runWith: (extra: Environment, ...args: string[]): Promise<Ended> =>
      runHere(folder, { env: { ...env, ...extra }, now }, args),
  };
}

/** Imports a file with `--yes` and these options, and returns who was sent. */
export async function importRows(text: string | Uint8Array, ...args: string[]) {
  await using staged = await stage();
  staged.write('people.csv', text);
  const ended = await staged.run('import', 'people.csv', '--yes', ...args);
  const file = 'people.csv.left-out.csv';
  const leftOut = ended.stderr.includes(file) ? staged.read(file) : '';
  return { ...ended, leftOut, sent: sentAddresses(staged), bodies: sentRows(staged) };
}

/** Returns what an import without `--yes` prints, which sends nothing as there is no terminal. */
export async function survey(text: string, ...args: string[]) {
  await using staged = await stage();
  staged.write('people.csv', text);
  const ended = await staged.run('import', 'people.csv', ...args);
  expect(ended.code === 2 || args.includes('--dry-run')).toBe(true);
  expect(sentRows(staged)).toEqual([]);
  return ended;
}

/** Returns lines as they were before they were broken at 80 columns. */
export const unwrapped = (text: string): string => text.replace(/\n {4}(?! )/g, ' ');

/** Imports a file of which everyone may be mailed, and returns who was sent. */
export const importAll = (text: string, ...args: string[]) =>
  importRows(agreed(text), ...mailable('agreed=(empty)'), ...args);

/** Returns the addresses that were sent, in alphabetical order. */
export const sentAddresses = (staged: { readonly sandbox: Sandbox }): string[] =>
  sentRows(staged)
    .map(({ email }) => String(email))
    .sort();

export const unless = (...rules: string[]) => rules.flatMap(rule => ['--unless', rule]);
export const mailable = (...rules: string[]) => rules.flatMap(rule => ['--mailable', rule]);

const root = join(import.meta.dirname, '../..');
/** Folder of the run that began last. */
let current = root;

/** Runs a command line in a folder, with an environment and a clock, and returns what it prints. */
async function runHere(
  cwd: string,
  { env, now }: { readonly env: Environment; now(): number },
  args: readonly string[],
): Promise<Ended> {
  const own = { ...surroundings({ env }), now };
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
