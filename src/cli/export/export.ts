import { existsSync } from 'node:fs';
import { Command } from 'commander';
import type { Contact, Paginator } from '../../index.ts';
import { createClient, restAddress } from '../account.ts';
import {
  character,
  counted,
  doneExitCode,
  environmentHelp,
  type Run,
  signalsHelp,
  UsageError,
} from '../command-line.ts';
import { replaceFile, requireReplaceable } from '../files.ts';
import { startProgress } from '../progress.ts';
import type { Context } from '../surroundings.ts';
import { print, printJson, writeData } from '../terminal.ts';
import { allContacts } from './contacts.ts';
import { csvFormat, type ExportFormat, jsonLinesFormat } from './format.ts';

interface ExportFlags {
  readonly out: string;
  readonly excel?: boolean;
  readonly delimiter?: string;
  readonly allColumns?: boolean;
  readonly overwrite?: boolean;
  readonly json?: boolean;
}

/** Pages to request ahead. */
const pagesAtOnce = 4;
/** Retries of a page: if an export gives up, it must start again. */
const maxRetries = 10;

const exportNotes = `
Examples:
  npx email-marketing-client export --out contacts.csv --excel
  npx email-marketing-client export --out contacts.jsonl

Exit codes: 0 done, 2 could not run or stopped before the end,
${signalsHelp}`;

export function exportCommand(execute: Run): Command {
  return new Command('export')
    .description('Write every contact to a CSV file or to JSON lines.')
    .option('--out <file>', 'file to write, as JSON lines if it ends in .jsonl; - for standard output', '-')
    .option('--excel', 'start the file with a byte order mark, so that Excel reads it as UTF-8')
    .option('--delimiter <character>', 'between cells, or tab (default: ",")', character('--delimiter'))
    .option('--all-columns', 'include trackData, pageSource and lastTrackedIp')
    .option('--overwrite', 'replace FILE if it exists')
    .option('--json', 'print the result as JSON on standard output (needs --out)')
    .addHelpText('after', exportNotes + environmentHelp)
    .action((flags: ExportFlags) => execute(context => runExport(flags, context)));
}

/** Returns whether JSON lines are written. Options that contradict each other are an error. */
function isJsonLines({ out, json, excel, delimiter, allColumns }: ExportFlags): boolean {
  const isJson = /\.(?:jsonl|ndjson)$/i.test(out);
  if (json && out === '-')
    throw new UsageError('--json needs --out, because the contacts are written to standard output.');
  if (/\.(?:xls[xmb]?|json)$/i.test(out))
    throw new UsageError(
      `--out ${out}: export writes CSV (.csv, for Excel with --excel) or JSON lines (.jsonl).`,
    );
  if (isJson && (excel || allColumns || delimiter !== undefined))
    throw new UsageError(`--out ${out}: --excel, --delimiter and --all-columns are for CSV.`);
  return isJson;
}

async function runExport(flags: ExportFlags, context: Context): Promise<number> {
  const isJson = isJsonLines(flags);
  const { out, excel = false, delimiter = ',', allColumns = false, overwrite = false } = flags;
  const client = createClient(context, [], { maxRetries });
  const isFile = out !== '-';
  if (isFile) await requireReplaceable(out);
  if (isFile && existsSync(out) && !overwrite)
    throw new UsageError(`${out} exists. Add --overwrite to replace it.`, 'file');
  const mailable = new WeakSet<Contact>();
  const paginator = allContacts(client, mailable, { concurrency: pagesAtOnce, signal: context.signal });
  const format = isJson ? jsonLinesFormat : csvFormat(excel, delimiter, allColumns, mailable);
  const write = (append: Append) => writeContacts(paginator, format, append, context);
  const contacts = isFile
    ? await replaceFile(out, file => write(text => file.appendFile(text)))
    : await write(text => writeData(context, text));
  print(context, [`Exported ${counted(contacts, 'contact')}${isFile ? ` to ${out}` : ''}.`]);
  if (flags.json) printJson(context, { contacts, file: out });
  return doneExitCode;
}

type Append = (text: string) => Promise<void>;

/** Writes all contacts; resolves to their number. */
async function writeContacts(
  paginator: Paginator<Contact>,
  format: ExportFormat,
  append: Append,
  context: Context,
): Promise<number> {
  let [done, head] = [0, format.head];
  print(context, [`Reading contacts from ${restAddress(context.env)}.`]);
  using progress = startProgress(context, 'Exported');
  // The header is written with the first page, so that an invalid key leaves no output.
  for await (const page of paginator.pages()) {
    await append(head + format.page(page));
    head = '';
    done += page.length;
    progress.add(page.length);
  }
  if (done === 0) await append(head);
  return done;
}
