import { Command, CommanderError } from 'commander';
import { version } from '../version.ts';
import { checkCommand } from './check.ts';
import {
  couldNotRunExitCode,
  doneExitCode,
  errorCodeOf,
  messageOf,
  type Run,
  sentence,
  UsageError,
} from './command-line.ts';
import { exportCommand } from './export/export.ts';
import { importCommand } from './import/import.ts';
import { sandboxCommand } from './sandbox.ts';
import type { Context, Surroundings } from './surroundings.ts';
import { ClosedPipeError, print, printJson, printResult } from './terminal.ts';

/** The commands by their names, in the order of the help. */
const commands: Readonly<Record<string, (run: Run, context: Context) => Command>> = {
  sandbox: sandboxCommand,
  export: exportCommand,
  import: importCommand,
  check: checkCommand,
};

/** Exit codes after a signal, as in shells: 128 plus the number of the signal. */
const signalExitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

const programName = 'email-marketing-client';
const stoppedError = new UsageError('Stopped.', 'stopped');

/**
 * Runs a command line; resolves to the exit code. Errors are printed in one line. Ctrl-C, SIGTERM or the end of the
 * terminal aborts the signal of the command. A second Ctrl-C or SIGTERM ends the process; a closing terminal can send
 * several signals.
 */
export async function main(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { signals } = surroundings;
  const stopped = new AbortController();
  let exitCode: number = doneExitCode;
  let signalCode: number | undefined;
  const stop = (signal: keyof typeof signalExitCodes) => {
    signalCode = signalExitCodes[signal];
    stopped.abort(new Error('stopped'));
  };
  const [command = ''] = args;
  const name = Object.hasOwn(commands, command) ? `${programName} ${command}` : programName;
  const context: Context = { ...surroundings, name, signal: stopped.signal };
  const program = createProgram(context, async work => {
    signals.on('SIGHUP', stop).once('SIGINT', stop).once('SIGTERM', stop);
    exitCode = await work(context);
  });
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    const reported = stopped.signal.aborted ? stoppedError : error;
    if (!(error instanceof ClosedPipeError))
      exitCode = printError(context, reported, args.includes('--json'));
  }
  for (const signal of Object.keys(signalExitCodes)) signals.off(signal, stop);
  return signalCode ?? exitCode;
}

function createProgram(context: Context, run: Run): Command {
  const program = new Command(programName)
    .description('Tools for an email marketing service.')
    .version(version);
  for (const create of Object.values(commands)) {
    const command = create(run, context);
    program.addCommand(command.summary(command.description().replace(/\n.*/s, '')));
  }
  for (const command of [program, ...program.commands])
    command
      .allowExcessArguments(false)
      .exitOverride()
      .configureOutput({
        writeOut: text => printResult(context, text.trimEnd().split('\n')),
        writeErr: () => {},
        getOutHelpWidth: () => context.stdout.columns || 80,
      });
  return program;
}

/** Prints why a command cannot run, with commander's suggestion if there is one; returns the exit code. */
function printError(context: Context, error: unknown, json: boolean): number {
  if (error instanceof CommanderError && error.exitCode === 0) return doneExitCode;
  const message = error instanceof CommanderError ? messageOfCommandLine(error) : messageOf(error);
  print(context, [message]);
  if (json) printJson(context, { error: { code: errorCodeOf(error), message } });
  return couldNotRunExitCode;
}

/** The start of an error about an unknown option, with its name. */
const unknownOptionLine = /^Unknown option '-(?:-[\w-]+|.)?/u;

/**
 * Returns the message of an invalid command line, with commander's suggestion if there is one. What follows the name of
 * an unknown option is cut: it may be a key.
 */
function messageOfCommandLine({ code, message }: CommanderError): string {
  // `help` with a command that does not exist.
  if (code === 'commander.help') return 'Unknown command. See --help.';
  const [line = '', suggestion] = message
    .replace(/^error: ./, start => start.slice(-1).toUpperCase())
    .split(/\n\((?=Did you mean )/);
  const [known = line] = unknownOptionLine.exec(line) ?? [];
  const end = line.length > known.length + 1 ? "...'" : line.slice(known.length);
  const hint = suggestion?.replace(')', '') ?? (code.startsWith('commander.unknown') ? 'See --help.' : '');
  return `${sentence(known + end)} ${hint}`.trimEnd();
}
