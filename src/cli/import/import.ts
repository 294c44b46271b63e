import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { EmailMarketingClient } from '../../index.ts';
import { clientOptions, legacyAccount, requireVariables } from '../account.ts';
import {
  character,
  couldNotRunExitCode,
  doneExitCode,
  environmentHelp,
  type Run,
  repeated,
  signalsHelp,
  someFailedExitCode,
  UsageError,
} from '../command-line.ts';
import { formatRows, protect } from '../csv.ts';
import { columnFields, reasonColumn } from '../fields.ts';
import { replaceFile } from '../files.ts';
import type { Context } from '../surroundings.ts';
import { ask, isInteractive, print, printJson, waitLogger } from '../terminal.ts';
import { type Checked, checkRows, type ImportOptions } from './check.ts';
import { readExcept } from './except.ts';
import { readTable, type Table } from './read-rows.ts';
import { createReport, formatEnd, formatPlan } from './report.ts';
import { sendRows } from './send.ts';
import { readSent } from './sent.ts';

const description = `Create and update contacts from a CSV file.

A row is imported if it has yes in the column mailable. Add that column in a
spreadsheet, and write yes for each person who agreed to get email from you:
  npx email-marketing-client import people.csv
The command shows what it will do, and asks before it sends anything. Run the
same command again to resume, or to send what has changed in the file.`;

const notes = `
Columns are matched to fields by name:
  ${columnFields.join(' ')} customFields.NAME
Empty cells change nothing.

A row with yes is rejected if it also says no: in a column such as Unsubscribed,
or with a word such as Bounced or "Do not mail". If such a column is not about
email, name it with --ignore-column. If one row of a person is skipped or
rejected, so are the others.

Files beside yours:
  FILE.rejected.csv    rejected rows, with the reason
  FILE.sent            what was sent, as hashes; delete it to send all again

Exit codes: 0 done, 1 some rows were rejected, 2 could not run or stopped before
the end,
${signalsHelp}`;

/** Returns the command that creates and updates contacts from a CSV file. */
export function importCommand(execute: Run): Command {
  const birthdays = new Option('--birthdays <order>', 'how birthdays such as 03/04/1990 are written');
  return new Command('import')
    .description(description)
    .argument('<file>', 'CSV file')
    .option('--dry-run', 'check every row, but send nothing')
    .option('--yes', 'send without asking')
    .option(
      '--map <column=field>',
      'import a column as a field; COLUMN= leaves it out; can be repeated',
      repeated,
    )
    .option('--except <file>', 'leave out whoever is in this file; can be repeated', repeated)
    .option('--ignore-column <name>', 'the column says nothing about email; can be repeated', repeated)
    .addOption(birthdays.choices(['day-first', 'month-first']))
    .option('--encoding <name>', 'if the file is not UTF-8')
    .option('--delimiter <character>', 'what is between cells, or tab', character('--delimiter'))
    .option('--json', 'print the report as JSON on standard output')
    .addHelpText('after', notes + environmentHelp)
    .action((path: string, options: ImportOptions) => execute(context => importFile(path, options, context)));
}

/** What is smaller is read before anybody wonders. */
const largeBytes = 5_000_000;

/** Imports the file at `path`; resolves to the exit code. */
async function importFile(path: string, options: ImportOptions, context: Context): Promise<number> {
  const { env, signal } = context;
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > largeBytes)
    print(context, [`Reading ${path}.`]);
  const table = await readTable(path, options, signal);
  const except = new Set<string>();
  for (const list of options.except ?? []) for (const person of await readExcept(list)) except.add(person);
  // A dry run needs no key.
  const client = options.dryRun && !env.EMAIL_MARKETING_TEAM_ID ? undefined : createClient(context);
  const account = client ? legacyAccount(env) : '';
  const sent = await readSent(`${path}.sent`, account);
  const checked = await checkRows(path, table, options, except, sent, signal);
  await writeRejected(path, table, checked);
  const first = createReport(path, options, checked);
  print(context, formatPlan(first, table, checked, options, account));
  let stopped: string | undefined;
  if (client && !options.dryRun && first.pending > 0) {
    await requireConfirmed(context, options);
    const isStale = () => (table.hasChanged() ? `${path} changed after it was read` : undefined);
    await sent.open();
    try {
      stopped = await sendRows({ checked, sent, client, context, isStale });
    } finally {
      await sent.close();
    }
    await writeRejected(path, table, checked);
  }
  const report = createReport(path, options, checked);
  print(context, formatEnd(report, first.rejected, stopped));
  if (options.json) printJson(context, { ...report, stopped });
  if (stopped !== undefined) return couldNotRunExitCode;
  return report.rejected > 0 ? someFailedExitCode : doneExitCode;
}

/** @throws UsageError that names the variables that are missing. */
function createClient(context: Context): EmailMarketingClient {
  requireVariables(context.env, ['EMAIL_MARKETING_TEAM_ID']);
  return new EmailMarketingClient({
    ...clientOptions(context.env),
    onDrift: () => {},
    logger: waitLogger(context),
  });
}

/** Asks. @throws UsageError if nobody says yes. */
async function requireConfirmed(context: Context, { yes }: ImportOptions): Promise<void> {
  if (yes) return;
  if (!isInteractive(context))
    throw new UsageError(
      'nothing was sent, because there is no terminal to ask in: add --yes',
      'confirmation',
    );
  const typed = await ask(context, 'Continue? [y/N]');
  if (!/^y(?:es)?$/i.test(typed ?? '')) throw new UsageError('Nothing was sent.', 'confirmation');
}

/**
 * Writes the rejected rows, each after the reason, or removes the file of an earlier run: in UTF-8, with a mark by which
 * Excel knows it, and otherwise in the form of the input.
 */
async function writeRejected(path: string, { header, delimiter, lineEnd }: Table, { rows }: Checked) {
  const file = `${path}.rejected.csv`;
  const rejected = rows.filter(({ status }) => status === 'rejected');
  if (rejected.length === 0) return rm(file, { force: true });
  const earlier = header[0] === reasonColumn ? 1 : 0;
  const table = [
    [reasonColumn, ...header.slice(earlier)],
    ...rejected.map(({ reason = '', cells }) => [protect(reason), ...cells.slice(earlier)]),
  ];
  return replaceFile(file, output => output.appendFile(`\ufeff${formatRows(table, { delimiter, lineEnd })}`));
}
