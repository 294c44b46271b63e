// Runs the command: as built, in its own process, or from its source, in the process of the test.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { main } from '../../src/cli/main.ts';
import type { Environment } from '../../src/cli/surroundings.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../src/testing/index.ts';
import { type Ended, stageProgram } from '../support/staged-programs.ts';
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

/** Returns the rows that were sent, in order. */
export const sentRows = ({ sandbox }: { readonly sandbox: Sandbox }): readonly Record<string, unknown>[] =>
  sandbox.requests.to(identify).map(({ body }) => body as Record<string, unknown>);

/** A sandbox over HTTP, a folder, and the built command that runs there. */
export const stageBuilt = (options?: SandboxOptions) => stageProgram(cli, options);

/** A sandbox over HTTP, a folder, and the command that runs there in the process of the test. */
export async function stage(options: SandboxOptions = {}) {
  const sandbox = createSandbox(options);
  const server = await sandbox.listen();
  const folder = mkdtempSync(join(tmpdir(), 'cli-'));
  const env = {
    EMAIL_MARKETING_BASE_URL: server.url,
    EMAIL_MARKETING_API_KEY: sandbox.apiKey,
    EMAIL_MARKETING_TEAM_ID: sandbox.teamId,
    LC_ALL: 'C.UTF-8',
  };
  const path = (name: string): string => join(folder, name);
  return {
    sandbox,
    env,
    path,
    read: (name: string): string => readFileSync(path(name), 'utf8'),
    write: (name: string, text: string | Uint8Array): void => writeFileSync(path(name), text),
    run: (...args: string[]): Promise<Ended> => runHere(folder, env, args),
    /** Writes `people.csv`, and imports it without a prompt. */
    importText: (text: string | Uint8Array, ...args: string[]): Promise<Ended> => {
      writeFileSync(path('people.csv'), text);
      return runHere(folder, env, ['import', 'people.csv', '--yes', ...args]);
    },
    runWith: (extra: Environment, ...args: string[]): Promise<Ended> =>
      runHere(folder, { ...env, ...extra }, args),
    async [Symbol.asyncDispose]() {
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Runs a command line in a folder, with an environment, and returns what it prints. */
async function runHere(cwd: string, env: Environment, args: readonly string[]): Promise<Ended> {
  const before = process.cwd();
  const own = { ...surroundings({ env }), now: () => performance.timeOrigin + performance.now() };
  process.chdir(cwd);
  try {
    const code = await main(args, own);
    return { code, stdout: own.stdout.text, stderr: own.stderr.text };
  } finally {
    process.chdir(before);
  }
}
