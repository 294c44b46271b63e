import { Command } from 'commander';
import { type Run, refuseSecrets, repeated, UsageError, wholeNumber } from './command-line.ts';
import { importFile } from './import/import-file.ts';

/** Options of the command line. */
export interface ImportFlags {
  readonly map?: readonly string[];
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly concurrency: number;
  readonly perSecond?: number;
  readonly delimiter: string;
  readonly lookUp?: boolean;
  readonly restart?: boolean;
  readonly json?: boolean;
}

const maxConcurrency = 256;
const defaultConcurrency = 8;
const maxPerSecond = 100_000;

const notes = `
Columns are matched to fields by name, ignoring case, spaces, underscores and hyphens: email, newEmail, firstName,
lastName, company, birthday (YYYY-MM-DD), tags (several with ; between them), and customFields.NAME. The command prints
the field of each column, and the columns that it ignores, before it sends anything.

Empty cells change nothing. In a custom field, ++5 and --5 add to a number or subtract from it. A quote before =, +, -
or @, as export --safe-cells writes it, is removed.

Rejected rows go to FILE.rejected.csv, with the reason: correct and import that file. Rows that the service may have
acted on, and that must not be sent twice (++, --, newEmail), go to FILE.unknown.csv and are never sent again.
FILE.journal records the result of each row. Run the same command again to resume after Ctrl-C, an error or a crash. A
file that was imported is sent again only with --restart. Delete the journal when you are done with the file.

The report reads from the service's message if a contact was created or updated. The text of the message is not
specified: --look-up searches for each contact first, which is certain and takes one more request per row.

Exit codes: 0 done, 1 some rows failed, 2 could not run or stopped before the end, 130 stopped by Ctrl-C.`;

function delimiter(text: string): string {
  if (text === 'tab') return '\t';
  if (text.length !== 1)
    throw new UsageError(`--delimiter takes one character, or tab (got ${JSON.stringify(text)})`);
  return text;
}

/** Returns the command that creates and updates contacts from a CSV file. */
export function importCommand(execute: Run): Command {
  const command = new Command('import')
    .description('Create and update contacts from a CSV file.')
    .argument('<file>', 'CSV file; its first line names the columns')
    .option(
      '--map <column=field>',
      'field of a column; COLUMN= ignores the column; can be repeated',
      repeated,
    )
    .option('--dry-run', 'check every row, and send nothing')
    .option('--yes', 'do not ask before sending')
    .option(
      '--concurrency <number>',
      'maximum rows in flight',
      wholeNumber('--concurrency', 1, maxConcurrency),
      defaultConcurrency,
    )
    .option(
      '--per-second <number>',
      'maximum requests per second',
      wholeNumber('--per-second', 1, maxPerSecond),
    )
    .option('--delimiter <character>', 'character between cells, or tab', delimiter, ',')
    .option('--look-up', 'search for each contact first, to distinguish created from updated ones')
    .option('--restart', 'ignore the journal of an earlier import, and send every row again')
    .option('--json', 'print the report as JSON on standard output')
    .addHelpText('after', notes)
    .action((file: string, flags: ImportFlags) => execute(signal => importFile(file, flags, signal)));
  return refuseSecrets(command);
}
