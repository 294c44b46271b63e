import { createHash } from 'node:crypto';
import { Command, Option } from 'commander';
import { type Contact, EmailMarketingClient } from '../../index.ts';
import { accountOfEnvironment, clientOptions, requireVariables } from '../account.ts';
import {
  addNotes,
  character,
  counted,
  doneExitCode,
  environmentHelp,
  type Run,
  repeated,
  signalsHelp,
  UsageError,
} from '../command-line.ts';
import { startProgress } from '../progress.ts';
import type { Context } from '../surroundings.ts';
import { print, printJson, styled, waitLogger } from '../terminal.ts';
import { csvFormat, type ExportFormat, jsonLinesFormat, type Names, nameParts, readNames } from './format.ts';
import { type ExportOutput, withOutput } from './output.ts';

interface ExportFlags {
  readonly format?: 'csv' | 'jsonl';
  readonly search?: string;
  readonly out?: string;
  readonly tag?: readonly string[];
  readonly customField?: readonly string[];
  readonly names?: string;
  readonly safeCells: boolean;
  readonly excel?: boolean;
  readonly delimiter?: string;
  readonly columns?: readonly string[];
  readonly overwrite?: boolean;
  readonly json?: boolean;
}

/** Pages to request ahead. */
const concurrency = 4;

const notes = `
Examples:
  npx email-marketing-client export --out contacts.csv --excel
  npx email-marketing-client export --out new.jsonl --search @example.com

Contacts contain only the ids of their tags and custom fields, and the service has no operation that lists the names. Pass
the names that you know: --tag tag_...=vip, --custom-field custom_field_...=plan, or a file for --names:
  { "tags": { "tag_...": "vip" }, "customFields": { "custom_field_...": "plan" } }
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
    .action(({ out = '-', ...flags }: ExportFlags) =>
      execute(context => run(out === '-' ? flags : { ...flags, out }, context)),
    );
  return addNotes(addOptions(command), notes + environmentHelp);
}

const addOptions = (command: Command): Command =>
  command
    .addOption(
      new Option('--format <format>', 'csv or jsonl (default: by the extension of FILE, or csv)').choices([
        'csv',
        'jsonl',
      ]),
    )
    .option('--search <text>', 'export only contacts with this text in a name or the email')
    .option('--out <file>', 'file to write, or - for standard output (default)')
    .option('--tag <id=name>', 'name of a tag; can be repeated', repeated)
    .option('--custom-field <id=name>', 'name of a custom field; can be repeated', repeated)
    .option('--names <file>', 'JSON file with names of tags and custom fields')
    .option('--no-safe-cells', 'do not put a quote before text that a spreadsheet would run as a formula')
    .option('--excel', 'start the file with a byte order mark, so that Excel reads it as UTF-8')
    .option(
      '--delimiter <character>',
      'character between cells, or tab (default: ",")',
      character('--delimiter'),
    )
    .option('--columns <names>', 'columns to write, in order, separated by commas (default: all)', list)
    .option('--overwrite', 'replace FILE if it exists')
    .option('--json', 'print the result as JSON on standard output (needs --out)');

const list = (text: string): readonly string[] => text.split(',').map(name => name.trim());

/** Returns the format of the file. Options that contradict each other are an error. */
function formatOf(flags: ExportFlags): 'csv' | 'jsonl' {
  const { out = '' } = flags;
  if (flags.json && out === '')
    throw new UsageError('--json needs --out, because the contacts go to standard output');
  if (/\.xls[xmb]?$/i.test(out))
    throw new UsageError(
      `--out ${out}: export does not write workbooks; use a name that ends in .csv, and add --excel`,
    );
  if (/\.json$/i.test(out) && flags.format !== 'jsonl')
    throw new UsageError(
      `--out ${out}: export writes CSV or JSON lines; use a name that ends in .csv or .jsonl, or add --format jsonl`,
    );
  const format = flags.format ?? (out.endsWith('.jsonl') ? 'jsonl' : 'csv');
  for (const option of ['excel', 'delimiter', 'columns'] as const)
    if (flags[option] !== undefined && format === 'jsonl')
      throw new UsageError(`--${option} needs --format csv`);
  return format;
}

async function run(flags: ExportFlags, context: Context): Promise<number> {
  const format = formatOf(flags);
  requireVariables(context.env);
  const client = new EmailMarketingClient({
    ...clientOptions(context.env),
    onDrift: ({ path }) => warnOfSearch(flags, path, context),
    logger: waitLogger(context),
  });
  const { search, safeCells, excel = false, delimiter = ',', columns } = flags;
  const csv = { safeCells, excel, delimiter, columns };
  const names = readNames(flags.tag ?? [], flags.customField ?? [], flags.names);
  const unnamed = new UnnamedIds(names);
  const text = format === 'csv' ? csvFormat(names, csv) : jsonLinesFormat(names);
  const known = [[...names.tags], [...names.customFields]];
  const options = createHash('sha256').update(JSON.stringify({ format, search, known, ...csv }));
  const settings = { account: accountOfEnvironment(context.env), options: options.digest('hex') };
  const done = await withOutput(flags, settings, context, output =>
    write({ client, flags, text, unnamed, output }, context),
  );
  report(done, unnamed, flags, context);
  return doneExitCode;
}

/** Warns if a page has contacts that the search cannot have found. */
function warnOfSearch({ search }: ExportFlags, path: string, context: Context): void {
  if (search === undefined || path !== '[]') return;
  const message =
    'Warning: the service ignored --search and sent other contacts; set EMAIL_MARKETING_CONTACT_SEARCH_PARAMETER to the name of its parameter.';
  print(context, [styled('yellow', message)]);
}

interface Export {
  readonly client: EmailMarketingClient;
  readonly flags: ExportFlags;
  readonly text: ExportFormat;
  readonly unnamed: UnnamedIds;
  readonly output: ExportOutput;
}

/** Writes the contacts that an earlier run has not written; resolves to the number of all contacts. */
async function write({ client, flags, text, unnamed, output }: Export, context: Context): Promise<number> {
  const { done: before, checkpoint } = output.saved;
  const { search, out } = flags;
  const filter = search === undefined ? {} : { search };
  const contacts = client.contacts.all(filter, { checkpoint, concurrency, signal: context.signal });
  if (before > 0) print(context, [`Resuming after ${counted(before, 'contact')}.`]);
  const progress = startProgress(context, 'Exported', before, undefined);
  let done = before;
  try {
    // The header is written with the first page, so that an invalid search or key leaves no output.
    for await (const page of contacts.pages()) {
      if (done === 0) await output.append(text.head);
      done += page.length;
      unnamed.add(page);
      await output.append(text.page(page), { done, checkpoint: contacts.checkpoint });
      progress.update(done);
    }
    if (done === 0) await output.append(text.head);
    await output.finish();
    return done;
  } catch (error) {
    progress.stop();
    if (out !== undefined && done > 0) print(context, ['Run the same command again to resume.']);
    throw error;
  } finally {
    progress.stop();
  }
}

const maxUnnamedIds = 1000;
const maxPrintedIds = 20;

/** Ids of tags and custom fields without a known name. */
class UnnamedIds {
  readonly tags = new Set<string>();
  readonly customFields = new Set<string>();
  readonly #names: Names;

  constructor(names: Names) {
    this.#names = names;
  }

  add(contacts: readonly Contact[]): void {
    for (const contact of contacts) {
      const { unnamedTags, unnamedCustomFields } = nameParts(contact, this.#names);
      for (const id of unnamedTags) if (this.tags.size < maxUnnamedIds) this.tags.add(id);
      for (const id of Object.keys(unnamedCustomFields))
        if (this.customFields.size < maxUnnamedIds) this.customFields.add(id);
    }
  }
}

function report(
  contacts: number,
  { tags, customFields }: UnnamedIds,
  { out, json }: ExportFlags,
  context: Context,
): void {
  const lines = [
    `Exported ${counted(contacts, 'contact')}${out === undefined ? '' : ` to ${out}`}.`,
    ...unnamedLines('tags', '--tag', [...tags]),
    ...unnamedLines('custom fields', '--custom-field', [...customFields]),
  ];
  print(context, lines);
  const result = { contacts, file: out, unnamedTags: [...tags], unnamedCustomFields: [...customFields] };
  if (json) printJson(context, result);
}

function unnamedLines(kind: string, flag: string, ids: readonly string[]): string[] {
  if (ids.length === 0) return [];
  const shown = ids.slice(0, maxPrintedIds).map(id => `  ${flag} ${id}=NAME`);
  const more = ids.length > maxPrintedIds ? [`  and ${ids.length - maxPrintedIds} more`] : [];
  return [
    `The names of ${ids.length} ${kind} are not known, and import ignores them. To name them, add:`,
    ...shown,
    ...more,
  ];
}
