// Runs the built command on a terminal, for what it does only there.
import { spawn } from 'node:child_process';
import { cli } from './run-cli.ts';

/** The output on a terminal, and the exit code of the command. */
export interface OnTerminal {
  readonly text: string;
  readonly code: number | null;
}

/** `script` of Linux makes the terminal; that of other systems takes other arguments. */
export const hasNoTerminal = process.platform !== 'linux';

/** Runs the command on a terminal. At its prompt, calls `beforeInput` and then types `input`. */
export async function runOnTerminal(
  { path, env }: { path(name: string): string; readonly env: NodeJS.ProcessEnv },
  args: string,
  extra: NodeJS.ProcessEnv = {},
  input = '',
  beforeInput = () => {},
): Promise<OnTerminal> {
  const child = spawn('script', ['-qec', `"${process.execPath}" "${cli}" ${args}`, '/dev/null'], {
    cwd: path('.'),
    env: { ...env, TERM: 'xterm', ...extra },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let text = '';
  child.stdout.on('data', chunk => {
    text += chunk;
    if (input === '' || child.stdin.writableEnded || !text.includes('[y/N]')) return;
    beforeInput();
    child.stdin.end(input);
  });
  const code = await new Promise<number | null>(resolve => child.on('close', resolve));
  return { text, code };
}
