import { Command, CommanderError } from 'commander';
import { version } from '../version.ts';
import { checkCommand } from './check.ts';
import {
  couldNotRunExitCode,
  defaultColumns,
  messageOf,
  type Run,
  UsageError,
  type Work,
} from './command-line.ts';
import { exportCommand } from './export/export.ts';
import { importCommand } from './import/import.ts';
import { sandboxCommand } from './sandbox.ts';
import type { Surroundings } from './surroundings.ts';
import { print, printHelp } from './terminal.ts';

/** The commands, in the order of the help. */
const commands: readonly ((run: Run, surroundings: Surroundings) => Command)[] = [
  sandboxCommand,
  exportCommand,
  importCommand,
  checkCommand,
];

/** Exit codes after a signal, as in shells: 128 plus the number of the signal. */
const signalExitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
/** Error codes if the reader of a pipe has closed it, as `head` does. */
const closedPipe = new Set(['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Runs a command line; resolves to the exit code. Errors are printed in one line. */
export async function main(args: readonly string[], surroundings: Surroundings): Promise<number> {
  let exitCode = 0;
  const program = createProgram(surroundings, async work => {
    exitCode = await runUntilSignal(surroundings, work);
  });
  if (args.length === 0) {
    program.outputHelp();
    return exitCode;
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    return report(surroundings, error);
  }
}

function createProgram(surroundings: Surroundings, run: Run): Command {
  const { isTTY = false, columns } = surroundings.stdout;
  const program = new Command('email-marketing-client')
    .description('Tools for an email marketing service.')
    .version(version);
  for (const create of commands) program.addCommand(create(run, surroundings));
  for (const command of [program, ...program.commands])
    command
      .allowExcessArguments(false)
      .exitOverride()
      .configureOutput({
        writeOut: text => printHelp(surroundings, text),
        writeErr: () => {},
        getOutHelpWidth: () => (isTTY && columns) || defaultColumns,
      });
  return program;
}

/**
 * Runs a command; resolves to its exit code. Ctrl-C, SIGTERM or the end of the terminal aborts its signal. A second Ctrl-C
 * or SIGTERM ends the process; a terminal that is closed can send several signals.
 */
async function runUntilSignal(surroundings: Surroundings, work: Work): Promise<number> {
  const { signals } = surroundings;
  const controller = new AbortController();
  let signalCode: number | undefined;
  const stop = (signal: keyof typeof signalExitCodes) => {
    signalCode = signalExitCodes[signal];
    controller.abort(new Error('stopped'));
  };
  signals.on('SIGHUP', stop);
  for (const signal of ['SIGINT', 'SIGTERM']) signals.once(signal, stop);
  try {
    const code = await work({ ...surroundings, signal: controller.signal });
    return signalCode ?? code;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (closedPipe.has((error as NodeJS.ErrnoException)?.code ?? '')) return 0;
    print(surroundings, [controller.signal.aborted ? 'Stopped.' : messageOf(error)]);
    return signalCode ?? couldNotRunExitCode;
  } finally {
    for (const signal of Object.keys(signalExitCodes)) signals.off(signal, stop);
  }
}

/** Prints why a command line is invalid, with commander's suggestion if there is one; returns the exit code. */
function report(surroundings: Surroundings, error: unknown): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const [line = '', suggestion] = messageOf(error)
    .replace(/^error: /, '')
    .split('\n');
  const isUnknown = error instanceof CommanderError && error.code.startsWith('commander.unknown');
  const hint = suggestion ?? (isUnknown ? '(see --help)' : '');
  print(surroundings, [`${withoutValue(line)} ${hint}`.trimEnd()]);
  return couldNotRunExitCode;
}

/** Removes the value of an unknown option, which may be a key. */
function withoutValue(line: string): string {
  const start = "unknown option '";
  if (!line.startsWith(start)) return line;
  const name = line.slice(start.length).replace(/'$/, '');
  return `${start}${name.startsWith('--') ? name.split('=')[0] : name.slice(0, 2)}'`;
}
