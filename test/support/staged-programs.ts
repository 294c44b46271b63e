// Runs built commands and examples as processes, each in a new folder, against a sandbox over HTTP.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox, type SandboxOptions } from '../../src/testing/index.ts';

/** Output and exit code of a command. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a program on the Node that runs the tests. */
function startProgram(cwd: string, env: NodeJS.ProcessEnv, args: readonly string[]) {
  const child = spawn(process.execPath, [...args], { cwd, env });
  child.stdin.on('error', () => {}).end();
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', text => {
    stdout += text;
  });
  child.stderr.on('data', text => {
    stderr += text;
  });
  const ended = new Promise<Ended>(resolve => child.on('close', code => resolve({ code, stdout, stderr })));
  return { child, ended };
}

/** Returns a sandbox over HTTP, the environment of a program that calls it, and an empty folder. */
export async function stageFolder(options: SandboxOptions = {}) {
  const sandbox = createSandbox(options);
  const server = await sandbox.listen();
  const folder = mkdtempSync(join(tmpdir(), 'staged-'));
  const path = (name: string): string => join(folder, name);
  return {
    sandbox,
    folder,
    env: {
      EMAIL_MARKETING_BASE_URL: server.url,
      EMAIL_MARKETING_API_KEY: sandbox.apiKey,
      EMAIL_MARKETING_TEAM_ID: sandbox.teamId,
      LC_ALL: 'C.UTF-8',
    },
    path,
    read: (name: string): string => readFileSync(path(name), 'utf8'),
    write: (name: string, text: string | Uint8Array): void => writeFileSync(path(name), text),
    async [Symbol.asyncDispose]() {
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Returns a sandbox over HTTP, and a folder in which a program runs with the keys of the sandbox. */
export async function stageProgram(program: string, options?: SandboxOptions) {
  const staged = await stageFolder(options);
  const env = { ...process.env, ...staged.env };
  const start = (extra: NodeJS.ProcessEnv, args: readonly string[]) =>
    startProgram(staged.folder, { ...env, ...extra }, [program, ...args]);
  return {
    ...staged,
    env,
    start: (...args: string[]) => start({}, args),
    run: (...args: string[]): Promise<Ended> => start({}, args).ended,
    runWith: (extra: NodeJS.ProcessEnv, ...args: string[]): Promise<Ended> => start(extra, args).ended,
  };
}

/** On Windows `kill` ends a process at once, so that its reaction to Ctrl-C cannot be tested. */
export const lacksSignals = process.platform === 'win32';

const pollIntervalMs = 5;

/** Waits until a condition is true. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(resolve => setTimeout(resolve, pollIntervalMs));
}
