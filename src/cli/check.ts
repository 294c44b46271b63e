import { Command } from 'commander';
import { type CheckReport, checkService } from './check/check-service.ts';
import { formatCheck } from './check/report.ts';
import { couldNotRunExitCode, doneExitCode, someFailedExitCode } from './exit-codes.ts';
import { runCommand } from './run-command.ts';
import { refuseSecrets } from './secret-options.ts';

interface CheckFlags {
  readonly identify?: string;
  readonly json?: boolean;
}

const notes = `
Without --identify, the command calls only operations that read. These cannot check the team id, or the address and key
of the legacy interface, where every operation writes. --identify EMAIL checks them: it identifies this contact without
any field. This creates the contact if it does not exist, and otherwise changes at most the time of its last update.

The table of differences contains names and types of fields, and no personal data: you can paste it into an issue.

Exit codes: 0 everything is right, 1 responses differ from the specification, 2 a check failed.`;

/** Returns the command that checks the configuration, and compares the service with its specification. */
export function checkCommand(): Command {
  const command = new Command('check')
    .description('Check URL, key and clock, and compare responses with the specification.')
    .option('--identify <email>', 'check the legacy interface and the team id by identifying this contact')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', notes)
    .action((flags: CheckFlags) => runCommand(signal => run(flags, signal)));
  return refuseSecrets(command);
}

async function run({ identify, json = false }: CheckFlags, signal: AbortSignal): Promise<number> {
  const report = await checkService(identify, signal);
  process.stdout.write(json ? `${JSON.stringify(report)}\n` : formatCheck(report));
  return exitCodeOf(report);
}

function exitCodeOf({ checks, differences, unchecked }: CheckReport): number {
  const wrong = checks.some(({ ok }) => ok === false);
  if (wrong) return couldNotRunExitCode;
  return differences.length > 0 || unchecked.some(({ failed }) => failed) ? someFailedExitCode : doneExitCode;
}
