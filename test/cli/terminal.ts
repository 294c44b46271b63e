// Runs the built command on a terminal, which pipes cannot stand in for.
import { spawn } from 'node:child_process';
import { cli } from './run-cli.ts';

/** What a terminal was sent, and how the command on it ended. */
export interface OnTerminal {
  readonly text: string;
  readonly code: number | null;
}

/** Terminals are made by `script` as Linux has it; that of other systems takes other arguments. */
export const hasNoTerminal = process.platform !== 'linux';

/**
 * Runs the command on a terminal.
 * @param input What is typed there when the command asks.
 * @param beforeInput Called before that.
 */
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
