import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('./cli.js', import.meta.resolve('email-marketing-client')));

/** How a command ended, and what it printed as JSON. */
export interface Ran {
  readonly code: number;
  readonly result: Readonly<Record<string, unknown>>;
}

/** Runs one of the package's commands; its messages and its progress bar go to this terminal. */
export async function runCommand(environment: NodeJS.ProcessEnv, args: readonly string[]): Promise<Ran> {
  console.log(`  $ npx email-marketing-client ${args.join(' ')}`);
  const child = spawn(process.execPath, [command, ...args, '--json'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { code, result: JSON.parse(printed || '{}') };
}
