import { Command, CommanderError } from 'commander';
import { version } from '../version.ts';
import { checkCommand } from './check.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { printable } from './printable.ts';
import { sandboxCommand } from './sandbox.ts';
import { UsageError } from './usage-error.ts';

/** The commands, in the order of the help. Each action rejects with a `UsageError`, or with any error, when it fails. */
const commands: readonly (() => Command)[] = [sandboxCommand, exportCommand, importCommand, checkCommand];

/** Exit code of a command that failed while it ran. */
const failureExitCode = 1;
/** Exit code of a command line that cannot be followed. */
const usageExitCode = 2;

/** Runs a command line. Resolves to the exit code; errors are printed in one line each. */
export async function main(args: readonly string[]): Promise<number> {
  const program = createProgram();
  if (args.length === 0) {
    process.stdout.write(program.helpInformation());
    return 0;
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    // A command that ran sets the code by itself, where some of its work failed.
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return report(program, args, error);
  }
}

function createProgram(): Command {
  const program = new Command('email-marketing-client')
    .description('Tools for an email marketing service.')
    .version(version);
  for (const create of commands) program.addCommand(create());
  for (const command of [program, ...program.commands])
    command
      .allowExcessArguments(false)
      .exitOverride()
      .configureOutput({ writeErr: () => {} });
  return program;
}

/** Prints why a command line failed, with the valid values where there are any; returns the exit code. */
function report(program: Command, args: readonly string[], error: unknown): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const message = error instanceof Error ? error.message : String(error);
  const [line = ''] = message.replace(/^error: /, '').split('\n');
  process.stderr.write(`${printable(line)}${validValues(program, args, error)}\n`);
  return error instanceof UsageError || error instanceof CommanderError ? usageExitCode : failureExitCode;
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
