import { createHash } from 'node:crypto';
import { Command, Option } from 'commander';
import { EmailMarketingClient } from '../../index.ts';
import { clientOptions, requireVariables, restAccount } from '../account.ts';
import {
  addNotes,
  character,
  counted,
  doneExitCode,
  environmentHelp,
  type Run,
  signalsHelp,
  UsageError,
} from '../command-line.ts';
import { startProgress } from '../progress.ts';
import type { Context } from '../surroundings.ts';
import { eraseLine, print, printJson, styled, waitLogger } from '../terminal.ts';
import { type CsvOptions, type ExportFormat, makeFormat, type Names, readNames } from './format.ts';
import { type ExportOutput, withOutput } from './output.ts';

interface ExportFlags extends Partial<CsvOptions> {
  readonly format?: 'csv' | 'jsonl';
  readonly search?: string;
  readonly out?: string;
  readonly names?: string;
  readonly overwrite?: boolean;
  readonly json?: boolean;
}

/** Pages to request ahead. */
const concurrency = 4;
const maxPrintedIds = 20;

const searchIgnored =
  'Warning: the service ignored --search and sent other contacts; set EMAIL_MARKETING_CONTACT_SEARCH_PARAMETER to the name of its parameter.';

const notes = `
Examples:
  npx email-marketing-client export --out contacts.csv --excel
  npx email-marketing-client export --out new.jsonl --search @example.com

Contacts contain only the ids of their tags and custom fields, and the service has no operation that lists the names. Pass
the names that you know in a file for --names:
  {"tags": {"tag_...": "vip"}, "customFields": {"custom_field_...": "plan"}}
Other tags and fields go into the columns unnamedTags and unnamedCustomFields, which import ignores. Their ids are printed
at the end.

In CSV, text that a spreadsheet would run as a formula (=, +, -, @) gets a leading quote, also after a comma, ; or a tab
within a cell. import removes the quotes; --no-safe-cells leaves them out.

With --out, run the same command again to resume after Ctrl-C, an error or a crash. FILE appears when it is complete.
There is no column for birthdays, because the service does not return them.

Exit codes: 0 done, 2 could not run or stopped before the end, ${signalsHelp}`;

export function exportCommand(execute: Run): Command {
  const command = new Command('export')
    .description('Write every contact to a CSV file or to JSON lines.')
    .addOption(
      new Option('--format <format>', 'default: by the extension of FILE, or csv').choices(['csv', 'jsonl']),
    )
    .option('--search <text>', 'export only contacts with this text in a name or the email')
    .option('--out <file>', 'file to write, or - for standard output (default)')
    .option('--names <file>', 'JSON file with names of tags and custom fields')
    .option('--no-safe-cells', 'do not put a quote before text that a spreadsheet would run as a formula')
    .option('--excel', 'start the file with a byte order mark, so that Excel reads it as UTF-8')
    .option('--delimiter <character>', 'between cells, or tab (default: ",")', character('--delimiter'))
    .option('--columns <names>', 'columns to write, in order, separated by commas (default: all)', list)
    .option('--overwrite', 'replace FILE if it exists')
    .option('--json', 'print the result as JSON on standard output (needs --out)')
    .action(({ out = '-', ...flags }: ExportFlags) =>
      execute(context => run(out === '-' ? flags : { ...flags, out }, context)),
    );
  return addNotes(command, notes + environmentHelp);
}

const list = (text: string): readonly string[] => text.split(',').map(name => name.trim());

/** Returns the format of the file. Options that contradict each other are an error. */
function formatOf(flags: ExportFlags): 'csv' | 'jsonl' {
  const { out = '', format = /\.(?:jsonl|ndjson)$/i.test(out) ? 'jsonl' : 'csv' } = flags;
  const refuse = (reason: string) => {
    throw new UsageError(reason);
  };
  if (flags.json && out === '') refuse('--json needs --out, because the contacts go to standard output');
  const advice = 'use a name that ends in .csv';
  if (/\.xls[xmb]?$/i.test(out))
    refuse(`--out ${out}: export does not write workbooks; ${advice}, and add --excel`);
  if (/\.json$/i.test(out) && flags.format !== 'jsonl')
    refuse(`--out ${out}: export writes CSV or JSON lines; ${advice} or .jsonl, or add --format jsonl`);
  for (const option of ['excel', 'delimiter', 'columns'] as const)
    if (flags[option] !== undefined && format === 'jsonl') refuse(`--${option} needs --format csv`);
  return format;
}

async function run(flags: ExportFlags, context: Context): Promise<number> {
  const format = formatOf(flags);
  const { search, safeCells = true, excel = false, delimiter = ',', columns } = flags;
  requireVariables(context.env);
  let isSilent = true;
  const onRequest = () => {
    if (isSilent) print(context, [`Reading contacts from ${settings.account.rest}.`]);
    isSilent = false;
  };
  const client = new EmailMarketingClient({
    ...clientOptions(context.env),
    hooks: { onRequest },
    onDrift({ path }) {
      if (search === undefined || path !== '[]') return;
      eraseLine(context);
      print(context, [styled('yellow', searchIgnored)]);
    },
    logger: waitLogger(context),
  });
  const csv = { safeCells, excel, delimiter, columns };
  const names = readNames(flags.names);
  const text = makeFormat(format, names, csv);
  const known = [[...names.tags], [...names.customFields]];
  const options = createHash('sha256').update(JSON.stringify({ format, search, known, ...csv }));
  const settings = { account: await restAccount(context), options: options.digest('hex') };
  const contacts = await withOutput(flags, settings, context, output =>
    write(client, search, text, output, context),
  );
  report(contacts, names, flags, context);
  return doneExitCode;
}

/** Writes the contacts that an earlier run has not written; resolves to the number of all contacts. */
async function write(
  client: EmailMarketingClient,
  search: string | undefined,
  text: ExportFormat,
  { saved, append }: ExportOutput,
  context: Context,
): Promise<number> {
  let { done } = saved;
  const options = { checkpoint: saved.checkpoint, concurrency, signal: context.signal };
  const contacts = client.contacts.all(search === undefined ? {} : { search }, options);
  if (done > 0) print(context, [`Resuming after ${counted(done, 'contact')}.`]);
  const progress = startProgress(context, 'Exported', done, undefined);
  try {
    // The header is written with the first page, so that an invalid search or key leaves no output.
    for await (const page of contacts.pages()) {
      if (done === 0) await append(text.head);
      done += page.length;
      await append(text.page(page), { done, checkpoint: contacts.checkpoint });
      progress.update(done);
    }
    if (done === 0) await append(text.head);
    return done;
  } finally {
    progress.stop();
  }
}

function report(contacts: number, { unnamed }: Names, { out, json }: ExportFlags, context: Context): void {
  const [unnamedTags, unnamedCustomFields] = [[...unnamed.tags], [...unnamed.customFields]];
  print(context, [
    `Exported ${counted(contacts, 'contact')}${out === undefined ? '' : ` to ${out}`}.`,
    ...unnamedLines({ tags: unnamedTags, customFields: unnamedCustomFields }),
  ]);
  if (json) printJson(context, { contacts, file: out, unnamedTags, unnamedCustomFields });
}

/** Returns what to write into the file of `--names`. */
function unnamedLines(unnamed: Readonly<Record<'tags' | 'customFields', readonly string[]>>): string[] {
  const count = unnamed.tags.length + unnamed.customFields.length;
  if (count === 0) return [];
  const named = ([kind, ids]: [string, readonly string[]]) => [
    kind,
    Object.fromEntries(ids.slice(0, maxPrintedIds).map(id => [id, 'NAME'])),
  ];
  const more = count > 2 * maxPrintedIds ? ', and the others alike' : '';
  return [
    `The names of ${counted(count, 'tag or custom field').replace(/fields?$/, 'field')} are not known, and import leaves them out. For --names:`,
    `  ${JSON.stringify(Object.fromEntries(Object.entries(unnamed).map(named)))}${more}`,
  ];
}
