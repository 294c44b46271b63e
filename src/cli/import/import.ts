import { Command, Option } from 'commander';
import {
  character,
  environmentHelp,
  invalidValue,
  type Run,
  repeated,
  signalsHelp,
  wholeNumber,
} from '../command-line.ts';
import { columnFields } from '../fields.ts';
import type { Choices, RunFlags } from './options.ts';
import { importFile } from './run-import.ts';

const description = `Create and update contacts from a CSV file.

Without options, the command shows what is in the file and what you have to say, and sends nothing:
  npx email-marketing-client import people.csv
With them, it shows who will be mailed, and asks once; --dry-run sends nothing:
  npx email-marketing-client import people.csv --mailable "Status=Active"
Run the same command again to resume, or to send what has changed in the file.`;

const notes = `
A row goes if its column mailable says yes, or if the columns that you name say
so. Columns are matched to fields by name:
  ${columnFields.join(' ')} customFields.NAME

Empty cells change nothing. A value is compared with whole cells, whatever the
case; (empty) and (date) are values, too. One with a comma is written in quotes:
'COLUMN="a, b"'.
Whom an import of the file left out stays out until the column that decided,
named again, says another value that permits, or until --readmit names a file
with the address. So keep the name of a file that you import again; for another
name, add --except OLD.left-out.csv.
Plain words such as Unsubscribed stop an import if a row to be sent has one in a
column without --ignore-words-in.

Files beside yours:
  FILE.rejected.csv    rows to correct and import, with the reason
  FILE.left-out.csv    rows of people who may not be mailed, with the reason
  FILE.sent            what was sent and who was left out, as hashes; keep it

Exit codes: 0 done, 1 some rows were rejected, 2 something is open, could not
run or stopped before the end,
${signalsHelp}`;

function requireEncoding(name: string): string {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    throw invalidValue('--encoding', 'the name of an encoding, such as windows-1252 or shift_jis', name);
  }
}

/** Returns the command that creates and updates contacts from a CSV file. */
export function importCommand(execute: Run): Command {
  const birthdays = new Option('--birthdays <order>', 'how they are written');
  return new Command('import')
    .description(description)
    .argument('<file>', 'CSV file')
    .optionsGroup('What only you know:')
    .option(
      '--mailable <who>',
      'who may be mailed: COLUMN=VALUE,VALUE; can be repeated: all columns must agree',
      repeated,
    )
    .option(
      '--unless <who>',
      'rows with COLUMN=VALUE,VALUE, also as one of several tags, stay out; can be repeated',
      repeated,
    )
    .option('--except <file>', 'whoever is in this file stays out; can be repeated', repeated)
    .option(
      '--map <column=field>',
      'map a column to a field; COLUMN= leaves it out; can be repeated',
      repeated,
    )
    .option('--readmit <file>', 'whoever is in this file came back after an import left them out', repeated)
    .option('--ignore-words-in <column>', 'the column says nothing about email; can be repeated', repeated)
    .addOption(birthdays.choices(['day-first', 'month-first']))
    .option(
      '--tag-separator <character>',
      'what is between tags, if not , or ;',
      character('--tag-separator'),
    )
    .option('--encoding <name>', 'if the file is not UTF-8', requireEncoding)
    .option('--delimiter <character>', 'what is between cells, or tab', character('--delimiter'))
    .optionsGroup('How it runs:')
    .option('--dry-run', 'check every row, but send nothing')
    .option('--yes', 'do not ask before sending, and print no values of the file')
    .option('--again', 'send also rows that were sent before')
    .option('--concurrency <number>', 'maximum rows in flight', wholeNumber('--concurrency', 1, 256), 8)
    .option('--json', 'print the report as JSON on standard output')
    .addHelpText('after', notes + environmentHelp)
    .action((path: string, options: Choices & RunFlags) => {
      const { dryRun, yes, again, concurrency, json, ...choices } = options;
      return execute(context => importFile({ choices, flags: options, context }, path));
    });
}
