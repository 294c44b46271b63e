import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox, type SandboxOptions } from '../../src/testing/index.ts';

/** What a script printed, and how it ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** A sandbox over HTTP and a folder, both for one test. */
export async function stage(options: SandboxOptions) {
  const sandbox = createSandbox(options);
  const server = await sandbox.listen();
  const folder = mkdtempSync(join(tmpdir(), 'example-'));
  const env = {
    ...process.env,
    EMAIL_MARKETING_BASE_URL: server.url,
    EMAIL_MARKETING_API_KEY: sandbox.apiKey,
    EMAIL_MARKETING_TEAM_ID: sandbox.teamId,
  };
  /** Starts an example in the folder, by the built package. */
  const start = (script: string, ...args: string[]): Running => {
    const path = join(import.meta.dirname, '../../examples', script);
    const child = spawn(process.execPath, [path, ...args], { cwd: folder, env });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', text => (stdout += text));
    child.stderr.on('data', text => (stderr += text));
    const ended = new Promise<Ended>(resolve => child.on('close', code => resolve({ code, stdout, stderr })));
    return { child, ended };
  };
  return {
    sandbox,
    start,
    run: (script: string, ...args: string[]) => start(script, ...args).ended,
    path: (name: string) => join(folder, name),
    async [Symbol.asyncDispose]() {
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Waits until something holds. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 5));
}
