import { Command } from 'commander';
import { importFile } from './import/import-file.ts';
import { wholeNumber } from './option-values.ts';
import { runCommand } from './run-command.ts';
import { refuseSecrets } from './secret-options.ts';
import { UsageError } from './usage-error.ts';

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
Columns are matched to fields by name, without regard to case, spaces, underscores and hyphens: email, newEmail,
firstName, lastName, company, birthday (YYYY-MM-DD), tags (several with ; between them), and customFields.NAME. How
each column is mapped, and which are ignored, is printed before anything is sent.

Empty cells change nothing. A custom field that holds ++5 or --5 adds to or subtracts from a number. A quote before
=, +, - or @, as export --safe-cells writes it, is removed.

Rejected rows go to FILE.rejected.csv with the reason; correct and import that file. Rows that the service may have
acted on, and that would act twice if sent twice (++, --, newEmail), go to FILE.unknown.csv and are never sent again.
FILE.journal records what came of each row: after Ctrl-C, an error or a crash the same command resumes, and a file that
was imported is not sent again unless --restart. Delete the journal when you are done with the file.

Whether a contact was created or updated is read from the service's message, whose words are not specified;
--look-up makes certain, with one more request per row.

Exit codes: 0 done, 1 some rows failed, 2 could not run or stopped before the end, 130 stopped by Ctrl-C.`;

const collect = (value: string, earlier: readonly string[] = []): readonly string[] => [...earlier, value];

function delimiter(text: string): string {
  if (text === 'tab') return '\t';
  if (text.length !== 1)
    throw new UsageError(`--delimiter takes one character, or tab (got ${JSON.stringify(text)})`);
  return text;
}

/** Returns the command that creates and updates contacts from a CSV file. */
export function importCommand(): Command {
  const command = new Command('import')
    .description('Create and update contacts from a CSV file.')
    .argument('<file>', 'CSV file; its first line names the columns')
    .option('--map <column=field>', 'field that a column holds; COLUMN= ignores it; can be repeated', collect)
    .option('--dry-run', 'check every row, and send nothing')
    .option('--yes', 'do not ask before sending')
    .option(
      '--concurrency <number>',
      'rows in flight',
      wholeNumber('--concurrency', 1, maxConcurrency),
      defaultConcurrency,
    )
    .option(
      '--per-second <number>',
      'requests per second at most',
      wholeNumber('--per-second', 1, maxPerSecond),
    )
    .option('--delimiter <character>', 'character between cells, or tab', delimiter, ',')
    .option('--look-up', 'look each address up first, to tell created from updated contacts')
    .option('--restart', 'forget an earlier import of the file, and send every row again')
    .option('--json', 'print the report as JSON on standard output')
    .addHelpText('after', notes)
    .action((file: string, flags: ImportFlags) => runCommand(signal => importFile(file, flags, signal)));
  return refuseSecrets(command);
}
