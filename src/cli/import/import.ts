import { Command, Option } from 'commander';
import { createClient, legacyAccount } from '../account.ts';
import {
  character,
  couldNotRunExitCode,
  doneExitCode,
  environmentHelp,
  type Run,
  repeated,
  signalsHelp,
  someFailedExitCode,
} from '../command-line.ts';
import { columnFields } from '../fields.ts';
import type { Context } from '../surroundings.ts';
import { print, printJson, requireConfirmed } from '../terminal.ts';
import { checkRows, type ImportOptions } from './check.ts';
import { readExcept } from './except.ts';
import { readTable } from './read-rows.ts';
import { createReport, emailNotice, formatEnd, formatPlan } from './report.ts';
import { sendRows } from './send.ts';
import { openRejected, readSent } from './side-files.ts';

const description = `Create and update contacts from a CSV file.

A row is imported if it has yes in the column mailable. Add that column in a
spreadsheet, and write yes for each person who agreed to get email from you:
  npx email-marketing-client import people.csv
The command shows what it will do, and asks before it imports anything.
${emailNotice}
Run the same command again to resume, or after you have changed the file.`;

const notes = `
Columns are matched to fields by name:
  ${columnFields.join(' ')} customFields.NAME
Empty cells change nothing. Separate tags with commas or semicolons, or write a
JSON array.

A row that also contains a no is rejected: a value in a column such as
Unsubscribed, or words such as Bounced or "Do not mail". If one row of a person
lacks the yes or contains a no, none of that person's rows is imported.

Files next to yours:
  FILE.rejected.csv    rejected rows, with line and reason
  FILE.sent            hashes of what was imported. Without it, the next run
                       imports all rows again, which does no harm.

Exit codes: 0 done, 1 some rows were rejected,
2 could not run or stopped before the end,
${signalsHelp}`;

/** Returns the command that creates and updates contacts from a CSV file. */
export function importCommand(execute: Run): Command {
  const birthdays = new Option('--birthdays <order>', 'order of day and month, as in 03/04/1990');
  return new Command('import')
    .description(description)
    .argument('<file>', 'CSV file')
    .option('--dry-run', 'check every row, but import nothing')
    .option('--yes', 'import without asking')
    .option('--map <column=field>', 'import a column as a field; COLUMN= leaves it out; repeatable', repeated)
    .option('--except <file>', 'leave out the people whose addresses are in this file; repeatable', repeated)
    .option('--ignore-column <name>', 'do not search this column for a no; repeatable', repeated)
    .addOption(birthdays.choices(['day-first', 'month-first']))
    .option('--encoding <name>', 'encoding of the file, if it is not UTF-8')
    .option('--delimiter <character>', 'character between cells, or tab', character('--delimiter'))
    .option('--json', 'print the report as JSON on standard output')
    .addHelpText('after', notes + environmentHelp)
    .action((path: string, options: ImportOptions) => execute(context => importFile(path, options, context)));
}

/** Imports the file at `path`; resolves to the exit code. */
async function importFile(path: string, options: ImportOptions, context: Context): Promise<number> {
  const table = await readTable(path, options, context);
  const except = new Set<string>();
  for (const list of options.except ?? [])
    for (const person of await readExcept(list, context)) except.add(person);
  // A dry run needs no key.
  const client = options.dryRun ? undefined : createClient(context, ['EMAIL_MARKETING_TEAM_ID']);
  const account = legacyAccount(context.env);
  const sent = await readSent(`${path}.sent`, account);
  const checked = await checkRows(path, table, options, except, sent, context);
  const first = createReport(path, options, checked);
  print(context, formatPlan(first, table, checked, options, account));
  let stopped: string | undefined;
  if (client) {
    const rejected = await openRejected(path, table, checked.rows, sent);
    if (first.pending > 0) await requireConfirmed(context, 'Nothing was imported', options.yes);
    const isStale = () => (table.hasChanged() ? `${path} changed after it was read` : undefined);
    await sent.begin();
    if (first.pending > 0) stopped = await sendRows(checked, sent, client, context, isStale);
    await rejected.write();
  }
  const report = createReport(path, options, checked);
  print(context, formatEnd(report, first.rejected, stopped));
  if (options.json) printJson(context, { ...report, stopped });
  if (stopped !== undefined) return couldNotRunExitCode;
  return report.rejected > 0 ? someFailedExitCode : doneExitCode;
}
