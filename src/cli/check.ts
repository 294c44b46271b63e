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
Without --identify, only operations that read are called. They cannot check the team id, nor the address and the key
of the legacy interface, where every operation writes: --identify EMAIL does so by identifying that contact without
any field, which creates the contact if there is none, and otherwise changes nothing but perhaps the time of its last
update.

The table of differences holds names and types of fields, and nobody's data: it can be pasted into an issue.

Exit codes: 0 all is well, 1 responses differ from the specification, 2 something that was checked is wrong.`;

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
