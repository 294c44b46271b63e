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
import { startReading } from '../progress.ts';
import type { Context } from '../surroundings.ts';
import { requireDateFormat } from './birthdays.ts';
import type { ImportFlags } from './job.ts';
import { importFrom } from './run-import.ts';

const maxConcurrency = 256;
const defaultConcurrency = 8;
const maxPerSecond = 100_000;

const description = `Create and update contacts from a CSV file.

First check what would be sent. This sends nothing, and needs no key:
  npx email-marketing-client import people.csv --dry-run
Then set the environment (below), and send. The command shows what it found, and asks first:
  npx email-marketing-client import people.csv
Run the same command again to resume after Ctrl-C, an error or a crash.`;

const notes = `
Columns are matched to fields by name, also by the names that Mailchimp, Brevo, HubSpot, Google Contacts and Outlook use:
  ${columnFields.join(' ')} customFields.NAME
Empty cells change nothing. In a custom field, ++5 and --5 add to a number or subtract from it.

Files beside yours:
  FILE.rejected.csv   rows to correct and import, with the reason
  FILE.opted-out.csv  rows of people who opted out, which are not sent
  FILE.unknown.csv    rows that may have taken effect, and must not be sent
                      twice (++, --, newEmail)
  FILE.journal        result of each row; delete it when you are done
  FILE.dry-run.*.csv  what a dry run found

Exit codes: 0 done, 1 some rows failed, 2 could not run or stopped before the end, ${signalsHelp}`;

/** The options in their groups. */
const options = `
What is sent:
  --dry-run                    check every row, but send nothing
  --yes                        do not ask before sending
  --map <column=field>         map a column to a field; COLUMN= ignores it; can be repeated
  --opted-out <column=value>   do not everyone, or send rows with this value (COLUMN= for any); can be repeated
  --mailable <column=value>    everyone, or send rows with this value (COLUMN= for any); can be repeated
  --include-opted-out          also send people who opted out: the service will mail them
  --bad-birthdays <choice>     reject rows with an invalid birthday, or skip the birthday
How the file is read, if not as detected:
  --tag-separator <character>  character between the tags of a cell (default: ;)
  --date-format <format>       format of birthdays, such as DD.MM.YYYY
  --encoding <name>            encoding, such as shift_jis
  --delimiter <character>      character between cells, or tab
How it runs:
  --concurrency <number>       maximum rows in flight
  --per-second <number>        maximum requests per second
  --restart                    send a complete import again; after a change, send rows that may be edited ones
  --discard                    forget the earlier import, even if it is incomplete, and send every row
  --new-key                    resume with a new key of the same team
  --journal <file>             journal of an import from standard input
  --json                       print the report as JSON on standard output
Other:`;

/** How the values of options are read, and their defaults. */
const settings: Readonly<Record<string, (option: Option) => Option>> = {
  map: option => option.argParser(repeated),
  optedOut: option => option.argParser(repeated),
  mailable: option => option.argParser(repeated),
  badBirthdays: option => option.choices(['reject', 'skip']).default('reject'),
  tagSeparator: option => option.argParser(character('--tag-separator')),
  dateFormat: option => option.argParser(requireDateFormat),
  encoding: option => option.argParser(requireEncoding),
  delimiter: option => option.argParser(character('--delimiter')),
  concurrency: option =>
    option.argParser(wholeNumber('--concurrency', 1, maxConcurrency)).default(defaultConcurrency),
  perSecond: option => option.argParser(wholeNumber('--per-second', 1, maxPerSecond)),
};

/** Returns the command that creates and updates contacts from a CSV file. */
export function importCommand(execute: Run): Command {
  const command = new Command('import')
    .description(description)
    .argument('<file>', 'CSV file, or - for standard input')
    .action((file: string, flags: ImportFlags) => execute(context => importFile(file, flags, context)));
  for (const line of options.trim().split('\n')) {
    const [, names = '', text = ''] = /^ {2}(\S+(?: <.*?>)?) +(.*)/.exec(line) ?? [];
    if (names === '') command.optionsGroup(line);
    else {
      const option = new Option(names, text);
      command.addOption(settings[option.attributeName()]?.(option) ?? option);
    }
  }
  return addNotes(command, notes + environmentHelp);
}

/** Imports a file; resolves to the exit code. */
async function importFile(name: string, flags: ImportFlags, context: Context): Promise<number> {
  if (name === '-') return importStandardInput(flags, context);
  if (flags.journal !== undefined)
    throw new UsageError('--journal is only for standard input (-); the journal of a file is FILE.journal');
  const path = await requireFile(name);
  return importFrom({ path, open: () => InputFile.open(path, name) }, flags, context);
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
    await pipeline(stdin, counted(context), createWriteStream(copy), { signal: context.signal });
    const open = () => InputFile.open(copy, 'standard input', isPipe);
    return await importFrom({ path, journal: flags.journal, open }, flags, context);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns a step of a pipeline that shows how many bytes have come. */
const counted = (context: Context) =>
  async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
    const progress = startReading(context, 'Received', undefined);
    let bytes = 0;
    try {
      for await (const chunk of source) {
        bytes += chunk.length;
        progress.update(bytes);
        yield chunk;
      }
    } finally {
      progress.stop();
    }
  };

/** Returns the target of a symbolic link, so that all imports of a file share a lock and a journal. */
async function requireFile(name: string): Promise<string> {
  if (!(await stat(name)).isFile())
    throw new UsageError(`${name} is not a file: pass a file, or - to read standard input`, 'file');
  const target = await realpath(name);
  return target === join(await realpath(dirname(name)), basename(name)) ? name : target;
}
