import { Command, CommanderError } from 'commander';
import { version } from '../version.ts';
import { checkCommand } from './check.ts';
import { couldNotRunExitCode, messageOf, type Run, UsageError, type Work } from './command-line.ts';
import { exportCommand } from './export/export.ts';
import { importCommand } from './import/import.ts';
import { sandboxCommand } from './sandbox.ts';
import { print } from './terminal.ts';

/** The commands, in the order of the help. Each action rejects with a `UsageError`, or with any error, when it fails. */
const commands: readonly ((run: Run) => Command)[] = [
  sandboxCommand,
  exportCommand,
  importCommand,
  checkCommand,
];

/** Exit code of a command that failed while it ran. */
const failureExitCode = 1;
/** Exit code of a command line that cannot be followed. */
const usageExitCode = 2;
/** Exit codes of a command that a signal stopped, as shells expect them: 128 and the signal's number. */
const signalExitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
/** Error codes of a reader that closed the pipe, as `head` does. */
const closedPipe = new Set(['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Runs a command line. Resolves to the exit code; errors are printed in one line each. */
export async function main(args: readonly string[]): Promise<number> {
  let exitCode = 0;
  const program = createProgram(async work => {
    exitCode = await runUntilSignal(work, args);
  });
  if (args.length === 0) {
    program.outputHelp();
    return exitCode;
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    return report(program, args, error);
  }
}

function createProgram(run: Run): Command {
  const program = new Command('email-marketing-client')
    .description('Tools for an email marketing service.')
    .version(version);
  for (const create of commands) program.addCommand(create(run));
  for (const command of [program, ...program.commands])
    command
      .allowExcessArguments(false)
      .exitOverride()
      .configureOutput({ writeErr: () => {} });
  return program;
}

/**
 * Runs a command; resolves to its exit code. The first Ctrl-C or SIGTERM aborts `signal`; a second one ends the process
 * at once. An error is printed in one line, and the exit code is then 2, or the signal's.
 */
async function runUntilSignal(work: Work, args: readonly string[]): Promise<number> {
  const controller = new AbortController();
  let signalCode: number | undefined;
  const stop = (signal: 'SIGINT' | 'SIGTERM') => {
    signalCode = signalExitCodes[signal];
    controller.abort(new Error('stopped'));
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const code = await work(controller.signal, args);
    return signalCode ?? code;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (closedPipe.has((error as NodeJS.ErrnoException)?.code ?? '')) return 0;
    print(process.stderr, [controller.signal.aborted ? 'Stopped.' : messageOf(error)]);
    return signalCode ?? couldNotRunExitCode;
  } finally {
    process.removeListener('SIGINT', stop).removeListener('SIGTERM', stop);
  }
}

/** Prints why a command line failed, with what is meant or the valid values; returns the exit code. */
function report(program: Command, args: readonly string[], error: unknown): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const [line = '', meant] = messageOf(error)
    .replace(/^error: /, '')
    .split('\n');
  const hint = meant === undefined ? validValues(program, args, error) : ` ${meant}`;
  print(process.stderr, [`${withoutValue(line)}${hint}`]);
  return error instanceof UsageError || error instanceof CommanderError ? usageExitCode : failureExitCode;
}

/** Cuts the value of an unknown option, which may be a key. */
function withoutValue(line: string): string {
  const start = "unknown option '";
  if (!line.startsWith(start)) return line;
  const name = line.slice(start.length).replace(/'$/, '');
  return `${start}${name.startsWith('--') ? name.split('=')[0] : name.slice(0, 2)}'`;
}

function validValues(program: Command, args: readonly string[], error: unknown): string {
  if (!(error instanceof CommanderError)) return '';
  const command = program.commands.find(candidate => candidate.name() === args[0]);
  if (error.code === 'commander.unknownOption')
    return `; options are ${(command ?? program)
      .createHelp()
      .visibleOptions(command ?? program)
      .map(option => option.long)
      .join(', ')}`;
  if (command !== undefined) return '';
  return `; commands are ${program.commands.map(candidate => candidate.name()).join(', ')}`;
}
