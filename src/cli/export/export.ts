import { createHash } from 'node:crypto';
import { Command, Option } from 'commander';
import { type Contact, EmailMarketingClient } from '../../index.ts';
import { accountOfEnvironment, requireVariables } from '../account.ts';
import {
  addNotes,
  character,
  counted,
  doneExitCode,
  environmentHelp,
  type Run,
  repeated,
  UsageError,
} from '../command-line.ts';
import { print, printJson, startProgress } from '../terminal.ts';
import { csvFormat, type ExportFormat, jsonLinesFormat, type Names, nameParts, readNames } from './format.ts';
import { type ExportOutput, withOutput } from './output.ts';

interface ExportFlags {
  readonly format?: 'csv' | 'jsonl';
  readonly search?: string;
  readonly out?: string;
  readonly tag?: readonly string[];
  readonly field?: readonly string[];
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

Contacts contain the ids of their tags and custom fields, and the service has no operation that lists the names. Pass
the names that you know: --tag tag_...=vip, --field custom_field_...=plan, or a file for --names:
  { "tags": { "tag_...": "vip" }, "customFields": { "custom_field_...": "plan" } }
Tags and fields without a name go into the columns unnamedTags and unnamedCustomFields, which import ignores. Their ids
are printed at the end.

Cells of CSV get a quote before what a spreadsheet would run as a formula (=, +, -, @), also in each part of a cell that
is between ; or tabs. import removes it; --no-safe-cells leaves it out.

With --out, run the same command again to resume after Ctrl-C, an error or a crash. FILE appears when it is complete.
There is no birthday column: the service does not return birthdays with contacts.

Exit codes: 0 done, 2 could not run or stopped before the end, 130 stopped by Ctrl-C.`;

/** Returns the command that writes every contact to a file or to standard output. */
export function exportCommand(execute: Run): Command {
  const command = new Command('export')
    .description('Write every contact to a CSV file or to JSON lines.')
    .action((flags: ExportFlags) => execute(signal => run(flags, signal)));
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
    .option('--search <text>', 'only contacts with this text in a name or in the email')
    .option('--out <file>', 'file to write (default: standard output)')
    .option('--tag <id=name>', 'name of a tag; can be repeated', repeated)
    .option('--field <id=name>', 'name of a custom field; can be repeated', repeated)
    .option('--names <file>', 'JSON file with names of tags and custom fields')
    .option('--no-safe-cells', 'do not put a quote before what a spreadsheet would run as a formula')
    .option('--excel', 'start the file with a byte order mark, so that Excel reads it as UTF-8')
    .option(
      '--delimiter <character>',
      'character between cells, or tab (default: ",")',
      character('--delimiter'),
    )
    .option('--columns <names>', 'columns to write, in order, with commas between them (default: all)', list)
    .option('--overwrite', 'replace FILE if it exists')
    .option('--json', 'print the result as JSON on standard output (needs --out)');

const list = (text: string): readonly string[] => text.split(',').map(name => name.trim());

/** Returns the format of the file; options that cannot be followed together are errors. */
function formatOf(flags: ExportFlags): 'csv' | 'jsonl' {
  const { out = '' } = flags;
  if (flags.json && out === '')
    throw new UsageError('--json needs --out: standard output holds the contacts');
  if (/\.xls[xmb]?$/i.test(out))
    throw new UsageError(
      `--out ${out}: export writes no workbook; name a file that ends in .csv, and add --excel`,
    );
  const format = flags.format ?? (out.endsWith('.jsonl') ? 'jsonl' : 'csv');
  for (const option of ['excel', 'delimiter', 'columns'] as const)
    if (flags[option] !== undefined && format === 'jsonl')
      throw new UsageError(`--${option} needs --format csv`);
  return format;
}

async function run(flags: ExportFlags, signal: AbortSignal): Promise<number> {
  const format = formatOf(flags);
  requireVariables();
  const client = new EmailMarketingClient({ onDrift: () => {} });
  const { search, safeCells, excel = false, delimiter = ',', columns } = flags;
  const csv = { safeCells, excel, delimiter, columns };
  const names = readNames(flags.tag ?? [], flags.field ?? [], flags.names);
  const unnamed = new UnnamedIds(names);
  const text = format === 'csv' ? csvFormat(names, csv) : jsonLinesFormat(names);
  const known = [[...names.tags], [...names.customFields]];
  const options = createHash('sha256').update(JSON.stringify({ format, search, known, ...csv }));
  const settings = { account: accountOfEnvironment(), options: options.digest('hex') };
  const done = await withOutput(flags, settings, output =>
    write({ client, flags, text, unnamed, output }, signal),
  );
  report(done, unnamed, flags);
  return doneExitCode;
}

/** An export while it runs. */
interface Export {
  readonly client: EmailMarketingClient;
  readonly flags: ExportFlags;
  readonly text: ExportFormat;
  readonly unnamed: UnnamedIds;
  readonly output: ExportOutput;
}

/** Writes every contact, after the last page that an earlier run wrote; resolves to the number of contacts. */
async function write({ client, flags, text, unnamed, output }: Export, signal: AbortSignal): Promise<number> {
  const { done: before, checkpoint } = output.saved;
  const { search, out } = flags;
  const filter = search === undefined ? {} : { search };
  const contacts = client.contacts.all(filter, { checkpoint, concurrency, signal });
  if (before > 0) print(process.stderr, [`Resuming after ${counted(before, 'contact')}.`]);
  const progress = startProgress('Exported', before, undefined);
  let done = before;
  try {
    // The header comes with the first page, so that a wrong search or key is an error without any output.
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
    if (out !== undefined && done > 0) print(process.stderr, ['Run the same command again to resume.']);
    throw error;
  } finally {
    progress.stop();
  }
}

/** Maximum number of ids without a name that are kept, of each kind. */
const maxUnnamedIds = 1000;
/** Maximum number of ids without a name that are printed, of each kind. */
const maxPrintedIds = 20;

/** Collects the ids of tags and custom fields that no name was given for. */
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

function report(contacts: number, { tags, customFields }: UnnamedIds, { out, json }: ExportFlags): void {
  const lines = [
    `Exported ${counted(contacts, 'contact')}${out === undefined ? '' : ` to ${out}`}.`,
    ...unnamedLines('tags', '--tag', [...tags]),
    ...unnamedLines('custom fields', '--field', [...customFields]),
  ];
  print(process.stderr, lines);
  const result = { contacts, file: out, unnamedTags: [...tags], unnamedCustomFields: [...customFields] };
  if (json) printJson(result);
}

function unnamedLines(kind: string, flag: string, ids: readonly string[]): string[] {
  if (ids.length === 0) return [];
  const shown = ids.slice(0, maxPrintedIds).map(id => `  ${flag} ${id}=NAME`);
  const more = ids.length > maxPrintedIds ? [`  and ${ids.length - maxPrintedIds} more`] : [];
  return [`${ids.length} ${kind} have no name; an import ignores them. To name them:`, ...shown, ...more];
}
