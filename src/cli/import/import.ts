import { lstat, realpath } from 'node:fs/promises';
import { Command, Option } from 'commander';
import {
  addNotes,
  character,
  environmentHelp,
  invalidValue,
  type Run,
  repeated,
  signalsHelp,
  wholeNumber,
} from '../command-line.ts';
import { columnFields } from '../fields.ts';
import type { Choices, ImportFlags } from './job.ts';
import { importFile } from './run-import.ts';

const description = `Create and update contacts from a CSV file.

The command asks what only you know, above all who may be mailed, shows what it will send, and asks again:
  npx email-marketing-client import people.csv
The same, without sending anything, and without a key:
  npx email-marketing-client import people.csv --dry-run
Run the same command again to resume after Ctrl-C, an error or a crash.`;

const notes = `
Columns are matched to fields by name: ${columnFields.join(' ')} customFields.NAME.

Empty cells change nothing. In a custom field, ++5 and --5 add to a number or subtract from it.

Files beside yours:
  FILE.rejected.csv    rows to correct and import, with the reason
  FILE.not-mailed.csv  rows of people who may not be mailed, with the reason
  FILE.unknown.csv     rows that may have taken effect, and must not be sent
                       twice (++, --, newEmail)
  FILE.sent-before.csv rows that --only-new or --restart leaves out
  FILE.journal         result of each row; keep it for the next import

Exit codes: 0 done, 1 some rows failed, 2 could not run or stopped before the end, ${signalsHelp}`;

function requireEncoding(name: string): string {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    throw invalidValue('--encoding', 'the name of an encoding, such as windows-1252 or shift_jis', name);
  }
}

/** Group of the options that are {@link Choices}. */
const choicesTitle = 'What only you know:';

/** Returns the command that creates and updates contacts from a CSV file. */
export function importCommand(execute: Run): Command {
  const birthdays = new Option('--birthdays <order>', 'how they are written');
  const command = new Command('import')
    .description(description)
    .argument('<file>', 'CSV file')
    .optionsGroup(choicesTitle)
    .option(
      '--mailable <who>',
      'rows with these values may be mailed: COLUMN=VALUE,VALUE, or everyone; can be repeated: all columns must agree',
      repeated,
    )
    .option('--except <file>', 'leave out whoever is in this file; can be repeated', repeated)
    .option(
      '--map <column=field>',
      'map a column to a field; COLUMN= leaves it out; can be repeated',
      repeated,
    )
    .addOption(birthdays.choices(['day-first', 'month-first', 'skip']))
    .option('--tag-separator <character>', 'what is between tags', character('--tag-separator'))
    .option('--encoding <name>', 'if the file is not UTF-8', requireEncoding)
    .option('--delimiter <character>', 'what is between cells, or tab', character('--delimiter'))
    .optionsGroup('How it runs:')
    .option('--dry-run', 'check every row, but send nothing')
    .option('--yes', 'do not ask before sending; answers no question')
    .option('--only-new', 'of a file that has changed, send people who were not sent before')
    .option('--restart', 'send all rows again, except those with ++, -- or newEmail that may have been sent')
    .option('--concurrency <number>', 'maximum rows in flight', wholeNumber('--concurrency', 1, 256), 8)
    .option('--json', 'print the report as JSON on standard output')
    .optionsGroup('Other:')
    .action((name: string, flags: ImportFlags, { options }: Command) => {
      const choices = options.filter(each => each.helpGroupHeading === choicesTitle);
      const names = choices.map(each => each.attributeName());
      const given: Choices = Object.fromEntries(
        Object.entries(flags).filter(([name]) => names.includes(name)),
      );
      return execute(async context =>
        importFile({ path: await targetOf(name), given, flags, context }, name),
      );
    });
  return addNotes(command, notes + environmentHelp);
}

/** Returns the target of a symbolic link, so that all imports of a file share a lock and a journal. */
const targetOf = async (name: string): Promise<string> =>
  (await lstat(name)).isSymbolicLink() ? realpath(name) : name;
