import { Command, Option } from 'commander';
import { EmailMarketingClient } from '../index.ts';
import { type Run, refuseSecrets, repeated, UsageError, wholeNumber } from './command-line.ts';
import { type ExportOptions, exportContacts, exportSettings } from './export/export-contacts.ts';
import { csvFormat, jsonLinesFormat } from './export/formats.ts';
import { readNames } from './export/names.ts';

interface ExportFlags {
  readonly format?: 'csv' | 'jsonl';
  readonly search?: string;
  readonly out?: string;
  readonly tag?: readonly string[];
  readonly field?: readonly string[];
  readonly names?: string;
  readonly safeCells?: boolean;
  readonly concurrency: number;
  readonly overwrite?: boolean;
  readonly json?: boolean;
}

const maxConcurrency = 64;
const defaultConcurrency = 4;

const notes = `
Contacts contain the ids of their tags and custom fields, and the service has no operation that lists the names. Pass
the names that you know: --tag tag_...=vip, --field custom_field_...=plan, or a file for --names:
  { "tags": { "tag_...": "vip" }, "customFields": { "custom_field_...": "plan" } }
Tags and fields without a name go into the columns unnamedTags and unnamedCustomFields, which import ignores. Their ids
are printed at the end.

With --out, run the same command again to resume after Ctrl-C, an error or a crash. FILE appears when it is complete.
There is no birthday column: the service does not return birthdays with contacts.

Exit codes: 0 done, 2 could not run or stopped before the end, 130 stopped by Ctrl-C.`;

/** Returns the command that writes every contact to a file or to standard output. */
export function exportCommand(execute: Run): Command {
  const command = new Command('export')
    .description('Write every contact to a CSV file or to JSON lines.')
    .addOption(
      new Option('--format <format>', 'csv or jsonl (default: by the extension of FILE, or csv)').choices([
        'csv',
        'jsonl',
      ]),
    )
    .option('--search <text>', 'only contacts with this text in a name or in the email')
    .option('--out <file>', 'file to write (default: standard output)')
    .option('--tag <id=name>', 'name of a tag; can be repeated', repeated)
    .option('--field <id=name>', 'name of a custom field; can be repeated', repeated)
    .option('--names <file>', 'JSON file with names of tags and custom fields')
    .option(
      '--safe-cells',
      'put a quote before cells that a spreadsheet would run as a formula; import removes it',
    )
    .option(
      '--concurrency <number>',
      'pages to request ahead',
      wholeNumber('--concurrency', 1, maxConcurrency),
      defaultConcurrency,
    )
    .option('--overwrite', 'replace FILE if it exists')
    .option('--json', 'print the result as JSON on standard output (needs --out)')
    .addHelpText('after', notes)
    .action((flags: ExportFlags) => execute(signal => run(flags, signal)));
  return refuseSecrets(command);
}

async function run(flags: ExportFlags, signal: AbortSignal): Promise<number> {
  if (flags.json && flags.out === undefined)
    throw new UsageError('--json needs --out: standard output holds the contacts');
  const format = flags.format ?? (flags.out?.endsWith('.jsonl') ? 'jsonl' : 'csv');
  const names = readNames(flags.tag ?? [], flags.field ?? [], flags.names);
  const options: ExportOptions = {
    client: new EmailMarketingClient({ onDrift: () => {} }),
    filter: flags.search === undefined ? {} : { search: flags.search },
    format: format === 'csv' ? csvFormat(names, flags.safeCells === true) : jsonLinesFormat(names),
    names,
    concurrency: flags.concurrency,
    settings: exportSettings({ format, search: flags.search, names, safeCells: flags.safeCells }),
  };
  return exportContacts(options, flags, signal);
}
