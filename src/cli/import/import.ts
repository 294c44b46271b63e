import { createWriteStream, fstatSync } from 'node:fs';
import { mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Command, Option } from 'commander';
import {
  addNotes,
  character,
  environmentHelp,
  type Run,
  repeated,
  signalsHelp,
  UsageError,
  wholeNumber,
} from '../command-line.ts';
import { columnFields } from '../fields.ts';
import { InputFile, requireEncoding } from '../input-file.ts';
import type { Context } from '../surroundings.ts';
import { requireDateFormat } from './birthdays.ts';
import type { ImportFlags } from './job.ts';
import { importFrom } from './run-import.ts';

const maxConcurrency = 256;
const defaultConcurrency = 8;
const maxPerSecond = 100_000;

const notes = `
Examples:
  npx email-marketing-client import people.csv --dry-run
  npx email-marketing-client import people.csv --map "Plan=customFields.plan"

Encoding (UTF-8, UTF-16 or Latin-1) and delimiter (comma, semicolon, tab or |) are detected. Columns are matched to fields
by name, ignoring case, accents, spaces and punctuation:
  ${columnFields.join(' ')} customFields.NAME
The names that Mailchimp, Brevo, HubSpot, Google Contacts and Outlook use work as well. If no column has the name of the
email, the only column in which most cells are email addresses is used. Separate the tags of a cell by ; or quote them and
separate them by commas. Before it sends anything, the command prints what it found, and the first rows as they will be
sent.

Empty cells change nothing. In a custom field, ++5 and --5 add to a number or subtract from it. A quote before =, +, -
or @, as export writes it, is removed.

Rejected rows go to FILE.rejected.csv, with the reason: correct and import that file. Rows of people who opted out
(unsubscribed, bounced, blocked and so on) are skipped, and go to FILE.opted-out.csv. If a column about consent has a
value that the command does not know, it sends nothing until --opted-out or --mailable says what it means. Rows that
the service may have processed, and that must not be sent twice (++, --, newEmail), go to FILE.unknown.csv and are never
sent again. A dry run writes FILE.dry-run.rejected.csv and FILE.dry-run.opted-out.csv, which hold data of people, too.

FILE.journal records the result of each row. Run the same command again to resume after Ctrl-C, an error or a crash. A
file that was imported completely is sent again only with --restart. If the file has changed, only rows that are new are
sent. Delete the journal when you no longer need it.

Exit codes: 0 done, 1 some rows failed, 2 could not run or stopped before the end, ${signalsHelp}`;

/** Returns the command that creates and updates contacts from a CSV file. */
export function importCommand(execute: Run): Command {
  const command = new Command('import')
    .description('Create and update contacts from a CSV file.')
    .argument('<file>', 'CSV file, or - for standard input')
    .action((file: string, flags: ImportFlags) => execute(context => importFile(file, flags, context)));
  const options = addSendingOptions(addBirthdayOptions(addReadingOptions(command)));
  return addNotes(options, notes + environmentHelp);
}

const addReadingOptions = (command: Command): Command =>
  command
    .option(
      '--map <column=field>',
      'map a column to a field; COLUMN= ignores the column; can be repeated',
      repeated,
    )
    .option('--encoding <name>', 'encoding of the file (default: detected)', requireEncoding)
    .option(
      '--delimiter <character>',
      'character between cells, or tab (default: detected)',
      character('--delimiter'),
    )
    .option(
      '--tag-separator <character>',
      'character between the tags of a cell (default: ;)',
      character('--tag-separator'),
    );

const addBirthdayOptions = (command: Command): Command =>
  command
    .option(
      '--date-format <format>',
      'format of birthdays, such as DD.MM.YYYY (default: detected)',
      requireDateFormat,
    )
    .addOption(
      new Option('--bad-birthdays <choice>', 'reject rows with an invalid birthday, or skip the birthday')
        .choices(['reject', 'skip'])
        .default('reject'),
    );

const addSendingOptions = (command: Command): Command =>
  command
    .option('--dry-run', 'check every row, but send nothing')
    .option(
      '--opted-out <column=value>',
      'do not send rows with this value (COLUMN= for any value); can be repeated',
      repeated,
    )
    .option(
      '--mailable <column=value>',
      'send rows with this value (COLUMN= for any value); can be repeated',
      repeated,
    )
    .option('--include-opted-out', 'also send rows of people who opted out: the service will mail them')
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
    .option('--restart', 'send a complete import again; after a change, send rows that may be edited ones')
    .option('--discard', 'forget the earlier import, even if it is incomplete, and send every row')
    .option('--new-key', 'resume with a new key of the same team')
    .option('--journal <file>', 'journal of an import from standard input')
    .option('--json', 'print the report as JSON on standard output');

/** Imports a file; resolves to the exit code. */
async function importFile(name: string, flags: ImportFlags, context: Context): Promise<number> {
  if (name === '-') return importStandardInput(flags, context);
  if (flags.journal !== undefined)
    throw new UsageError('--journal is only for standard input (-); the journal of a file is FILE.journal');
  const path = await requireFile(name);
  return importFrom({ path, open: () => InputFile.open(path) }, flags, context);
}

/** Imports a copy of standard input, which only this user can read, and removes it at the end. */
async function importStandardInput(flags: ImportFlags, context: Context): Promise<number> {
  const stdin = context.stdin();
  if (stdin.isTTY) throw new UsageError('standard input is a terminal; pipe a file into the command');
  if (flags.journal === undefined && !flags.dryRun)
    throw new UsageError('an import from standard input needs --journal FILE, so that it can be resumed');
  const path = (flags.journal ?? 'standard-input').replace(/\.journal$/, '');
  const folder = await mkdtemp(join(tmpdir(), 'import-'));
  try {
    const copy = join(folder, 'input.csv');
    const isPipe = !fstatSync(stdin.fd ?? 0).isFile();
    await pipeline(stdin, createWriteStream(copy), { signal: context.signal });
    const open = () => InputFile.open(copy, 'standard input', isPipe);
    return await importFrom({ path, journal: flags.journal, open }, flags, context);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the target of a symbolic link, so that all imports of a file share a lock and a journal. */
async function requireFile(name: string): Promise<string> {
  const target = await realpath(name);
  if (!(await stat(target)).isFile()) throw new UsageError(`${name} is not a file`);
  return target === join(await realpath(dirname(name)), basename(name)) ? name : target;
}
