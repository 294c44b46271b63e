import { scryptSync } from 'node:crypto';
import { Command } from 'commander';
import { EmailMarketingClient } from '../../index.ts';
import { clientOptions, requireVariables, restAddress } from '../account.ts';
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
import { eraseLine, print, printJson, waitLogger } from '../terminal.ts';
import { csvFormat, type ExportFormat, jsonLinesFormat, type Names, readNames } from './format.ts';
import { type ExportOutput, withOutput } from './output.ts';

interface ExportFlags {
  readonly search?: string;
  readonly out: string;
  readonly names?: string;
  readonly excel?: boolean;
  readonly delimiter?: string;
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
within a cell. import removes the quotes.

With --out, run the same command again to resume after Ctrl-C, an error or a crash. FILE appears when it is complete.
There is no column for birthdays, because the service does not return them.

Exit codes: 0 done, 2 could not run or stopped before the end, ${signalsHelp}`;

export function exportCommand(execute: Run): Command {
  const command = new Command('export')
    .description('Write every contact to a CSV file or to JSON lines.')
    .option('--search <text>', 'export only contacts with this text in a name or the email')
    .option('--out <file>', 'file to write, as JSON lines if it ends in .jsonl; - for standard output', '-')
    .option('--names <file>', 'JSON file with names of tags and custom fields')
    .option('--excel', 'start the file with a byte order mark, so that Excel reads it as UTF-8')
    .option('--delimiter <character>', 'between cells, or tab (default: ",")', character('--delimiter'))
    .option('--overwrite', 'replace FILE if it exists')
    .option('--json', 'print the result as JSON on standard output (needs --out)')
    .action((flags: ExportFlags) => execute(context => run(flags, context)));
  return addNotes(command, notes + environmentHelp);
}

/** Returns whether JSON lines are written. Options that contradict each other are an error. */
function isJsonLines({ out, json, excel, delimiter }: ExportFlags): boolean {
  const isJson = /\.(?:jsonl|ndjson)$/i.test(out);
  if (json && out === '-')
    throw new UsageError('--json needs --out, because the contacts go to standard output');
  if (/\.(?:xls[xmb]?|json)$/i.test(out))
    throw new UsageError(
      `--out ${out}: export writes CSV (.csv, for Excel with --excel) or JSON lines (.jsonl)`,
    );
  if (isJson && (excel || delimiter !== undefined))
    throw new UsageError(`--out ${out}: --excel and --delimiter are for CSV`);
  return isJson;
}

async function run(flags: ExportFlags, context: Context): Promise<number> {
  const isJson = isJsonLines(flags);
  const { search, out, excel = false, delimiter = ',' } = flags;
  const { env } = context;
  requireVariables(env);
  let isSilent = true;
  const onRequest = () => {
    if (isSilent) print(context, [`Reading contacts from ${restAddress(env)}.`]);
    isSilent = false;
  };
  const client = new EmailMarketingClient({
    ...clientOptions(env),
    hooks: { onRequest },
    onDrift({ path }) {
      if (search === undefined || path !== '[]') return;
      eraseLine(context);
      print(context, [searchIgnored]);
    },
    logger: waitLogger(context),
  });
  const names = readNames(flags.names);
  const format = isJson ? jsonLinesFormat(names) : csvFormat(names, excel, delimiter);
  const { EMAIL_MARKETING_API_KEY: key } = env;
  const options = [key, search, [...names.tags], [...names.customFields], format.head];
  let hash: string | undefined;
  // Slow to guess, as it contains the key, which alone says which team it is: most exports are done before they need it.
  const settings = () => {
    hash ??= scryptSync(JSON.stringify(options), restAddress(env), 16).toString('hex');
    return hash;
  };
  const contacts = await withOutput(flags, settings, context, output =>
    write(client, search, format, output, context),
  );
  const [unnamedTags, unnamedCustomFields] = [[...names.unnamed.tags], [...names.unnamed.customFields]];
  print(context, [
    `Exported ${counted(contacts, 'contact')}${out === '-' ? '' : ` to ${out}`}.`,
    ...unnamedLines(names),
  ]);
  if (flags.json) printJson(context, { contacts, file: out, unnamedTags, unnamedCustomFields });
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
  using progress = startProgress(context, 'Exported', done, undefined);
  // The header is written with the first page, so that an invalid search or key leaves no output.
  for await (const page of contacts.pages()) {
    if (done === 0) await append(text.head);
    done += page.length;
    await append(text.page(page), { done, checkpoint: contacts.checkpoint });
    progress.add(page.length);
  }
  if (done === 0) await append(text.head);
  return done;
}

/** Returns what to write into the file of `--names`. */
function unnamedLines({ unnamed }: Names): string[] {
  if (unnamed.tags.size + unnamed.customFields.size === 0) return [];
  const named = ([kind, ids]: [string, ReadonlySet<string>]) => [
    kind,
    Object.fromEntries([...ids].slice(0, maxPrintedIds).map(id => [id, 'NAME'])),
  ];
  return [
    'The names of some tags or custom fields are not known, and import leaves them out. For --names:',
    `  ${JSON.stringify(Object.fromEntries(Object.entries(unnamed).map(named)))}`,
  ];
}
