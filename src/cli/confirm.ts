import { createInterface } from 'node:readline/promises';
import { UsageError } from './usage-error.ts';

/** Asks a yes-or-no question on the terminal. Without one, `--yes` is needed, and a `UsageError` says so. */
export async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UsageError(
      'nothing was sent: standard input is no terminal to confirm on; add --yes to go ahead',
    );
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  // On a terminal the prompt takes Ctrl-C for itself.
  prompt.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    const typed = await prompt.question(`${question} [y/N] `, { signal });
    return /^y(es)?$/i.test(typed.trim());
  } finally {
    prompt.close();
  }
}
