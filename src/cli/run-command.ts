import { couldNotRunExitCode, signalExitCodes } from './exit-codes.ts';
import { printable } from './printable.ts';
import { UsageError } from './usage-error.ts';

/** Error codes of a reader that closed the pipe, as `head` does. */
const closedPipe = new Set(['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

/**
 * Runs a command and sets the exit code that it resolves to. The first Ctrl-C or SIGTERM aborts `signal`; a second one
 * ends the process at once. An error is printed in one line, and the exit code is then 2, or the signal's.
 */
export async function runCommand(run: (signal: AbortSignal) => Promise<number>): Promise<void> {
  const controller = new AbortController();
  let signalCode: number | undefined;
  const stop = (signal: 'SIGINT' | 'SIGTERM') => {
    signalCode = signalExitCodes[signal];
    controller.abort(new Error('stopped'));
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const code = await run(controller.signal);
    process.exitCode = signalCode ?? code;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (closedPipe.has((error as NodeJS.ErrnoException)?.code ?? '')) return;
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${controller.signal.aborted ? 'Stopped.' : printable(message)}\n`);
    process.exitCode = signalCode ?? couldNotRunExitCode;
  } finally {
    process.removeListener('SIGINT', stop).removeListener('SIGTERM', stop);
  }
}
