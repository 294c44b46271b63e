import { createWriteStream, fstatSync } from 'node:fs';
import { mkdtemp, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Command, Option } from 'commander';
import { EmailMarketingClient } from '../../index.ts';
import { accountOfEnvironment, clientOptions, requireVariables } from '../account.ts';
import {
  addNotes,
  character,
  couldNotRunExitCode,
  counted,
  doneExitCode,
  environmentHelp,
  type Run,
  repeated,
  signalsHelp,
  someFailedExitCode,
  UsageError,
  wholeNumber,
} from '../command-line.ts';
import { columnFields } from '../fields.ts';
import { keepBeside } from '../files.ts';
import { ChangedFileError, InputFile, readRows, requireEncoding } from '../input-file.ts';
import { withLock } from '../lock.ts';
import type { Context } from '../surroundings.ts';
import { confirm, print, printJson, startProgress, waitLogger } from '../terminal.ts';
import { requireDateFormat } from './birthdays.ts';
import { type MarkedRow, markOf } from './changed-file.ts';
import { type Answer, type Journal, openJournal, readAnswers } from './journal.ts';
import { createReport, formatDryRun, formatReport, unknownFile, writeFailedRows } from './report.ts';
import { sendRows } from './send-rows.ts';
import { formatSurvey, type Survey, surveyFile } from './survey.ts';

interface ImportFlags {
  readonly map?: readonly string[];
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly tagSeparator?: string;
  readonly dateFormat?: string;
  readonly includeOptedOut?: boolean;
  readonly optedOut?: readonly string[];
  readonly mailable?: readonly string[];
  readonly badBirthdays: 'reject' | 'skip';
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly concurrency: number;
  readonly perSecond?: number;
  readonly restart?: boolean;
  readonly discard?: boolean;
  readonly newKey?: boolean;
  readonly journal?: string;
  readonly json?: boolean;
}

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

interface Source {
  /** Start of the names of the files that are written. */
  readonly path: string;
  readonly journal?: string | undefined;
  open(): Promise<InputFile>;
}

async function importFrom(
  { path, journal: journalPath = `${path}.journal`, open }: Source,
  flags: ImportFlags,
  context: Context,
): Promise<number> {
  if (flags.dryRun) {
    await using file = await open();
    return await dryRun(
      path,
      file,
      await inspect(file, flags, answersOf(flags), context),
      context,
      flags.json,
    );
  }
  const client = createClient(flags, context);
  const account = accountOfEnvironment(context.env);
  return withLock(`${path}.lock`, async () => {
    await using file = await open();
    const answers = [...(flags.discard ? [] : await readAnswers(journalPath)), ...answersOf(flags)];
    const survey = await inspect(file, flags, answers, context);
    const { sha256, rows, columns, format, cells } = survey;
    const mapping = columns.map(({ field }) => field ?? null);
    const reading = { encoding: format.encoding, delimiter: format.delimiter, ...cells };
    const head = { version: 2, account, sha256, mapping, reading, rows } as const;
    const journal = await openJournal(journalPath, head, flags, () =>
      markedRows(file, survey, context.signal),
    );
    journal.remember(answers);
    const target = `${account.legacy}, team ${account.team}`;
    const job = { path, file, flags, survey, client, target, journal, context };
    return await importRows(job).finally(() => journal.close());
  });
}

/** Prints and writes what is wrong with the rows, and sends nothing. */
async function dryRun(
  path: string,
  file: InputFile,
  survey: Survey,
  context: Context,
  json = false,
): Promise<number> {
  const failed = { file, format: survey.format, keep: false };
  const files = await writeFailedRows(`${path}.dry-run`, failed, survey.checked);
  const report = createReport(file.name, survey, survey.checked, files, undefined);
  print(context, formatDryRun(report));
  const { rows, pending: valid, rejected, reasons, optedOut, optOutReasons, ignoredColumns } = report;
  const counts = { rows, valid, rejected, reasons, optedOut, optOutReasons, ignoredColumns };
  if (json) printJson(context, { dryRun: true, file: file.name, ...counts, ...files });
  return rejected > 0 ? someFailedExitCode : doneExitCode;
}

/** Returns the target of a symbolic link, so that all imports of a file share a lock and a journal. */
async function requireFile(name: string): Promise<string> {
  const target = await realpath(name);
  if (!(await stat(target)).isFile()) throw new UsageError(`${name} is not a file`);
  return target === join(await realpath(dirname(name)), basename(name)) ? name : target;
}

/** Yields the rows that can be sent. */
async function* markedRows(
  file: InputFile,
  { format, checked, toParams }: Survey,
  signal: AbortSignal,
): AsyncGenerator<MarkedRow, void, undefined> {
  for await (const { index, cells } of readRows(file, format, signal))
    if (index >= 0 && checked.get(index) !== 'rejected') yield { index, mark: markOf(toParams(cells)) };
}

/** Returns the answers of the command line. If one value has both, the person is not mailed. */
const answersOf = ({ mailable = [], optedOut = [] }: ImportFlags): Answer[] => [
  ...mailable.map(text => ({ verdict: 'mailable' as const, text })),
  ...optedOut.map(text => ({ verdict: 'opted-out' as const, text })),
];

async function inspect(
  file: InputFile,
  flags: ImportFlags,
  answers: readonly Answer[],
  context: Context,
): Promise<Survey> {
  const { map: maps = [], encoding, delimiter, tagSeparator, dateFormat, includeOptedOut = false } = flags;
  const skipBadBirthdays = flags.badBirthdays === 'skip';
  const format = { ...(encoding && { encoding }), ...(delimiter && { delimiter }) };
  const cells = { tagSeparator, dateFormat, skipBadBirthdays };
  const survey = await surveyFile(file, { format, maps, includeOptedOut, answers, ...cells }, context.signal);
  if (file.isPipe && !survey.format.endsWithLine)
    throw new UsageError(
      'standard input ends within a row: the command before it may have failed, and nothing was sent; ' +
        'if the input is complete, end it with a line break, or import it as a file',
    );
  print(context, formatSurvey(file.name, survey));

  if (survey.questions.length > 0)
    throw new UsageError(
      `nothing was sent, because of ${counted(survey.questions.length, 'question')} that only you can answer (see above)`,
      'confirmation',
    );
  return survey;
}

function createClient({ perSecond }: ImportFlags, context: Context): EmailMarketingClient {
  const { env } = context;
  requireVariables(env, ['EMAIL_MARKETING_TEAM_ID']);
  const throttle = perSecond === undefined ? {} : { throttle: { requestsPerSecond: perSecond } };
  return new EmailMarketingClient({
    ...clientOptions(env),
    onDrift: () => {},
    logger: waitLogger(context),
    ...throttle,
  });
}

interface Import {
  readonly path: string;
  readonly file: InputFile;
  readonly flags: ImportFlags;
  readonly survey: Survey;
  readonly journal: Journal;
  readonly client: EmailMarketingClient;
  /** Host and team, as text. */
  readonly target: string;
  readonly context: Context;
}

async function importRows(job: Import): Promise<number> {
  const { path, file, flags, journal, survey, target, context } = job;
  markOptedOut(job);
  if (journal.note) print(context, [journal.note]);
  const pending = journal.statuses.indexes('pending');
  const valid = pending.filter(index => survey.checked.get(index) === 'pending').length;
  const rows = `${counted(valid, 'row')} to ${target}`;
  if (valid > 0 && !flags.yes && !(await confirm(context, `Send ${rows}?`))) {
    print(context, ['Nothing was sent.']);
    return couldNotRunExitCode;
  }
  file.requireUnchanged();
  // The files of the earlier import stay as they are until here: an import that is declined forgets nothing.
  const kept = journal.isNew && (await keepBeside(unknownFile(path), context.now()));
  if (kept) print(context, [`The unknown rows of the earlier import are in ${kept}.`]);
  await journal.start();
  if (valid > 0 && flags.yes) print(context, [`Sending ${rows}.`]);
  return conclude(job, await send(job), pending.length > 0);
}

/** Skips the pending rows of people who opted out or, with --include-opted-out, sends the skipped ones. */
function markOptedOut({ survey: { checked }, journal }: Import): void {
  const { statuses } = journal;
  for (const index of statuses.indexes('opted-out'))
    if (checked.get(index) !== 'opted-out') journal.record(index, 'pending');
  for (const index of checked.indexes('opted-out'))
    if (statuses.get(index) === 'pending') journal.record(index, 'opted-out', checked.reason(index));
}

async function send(job: Import): Promise<string | undefined> {
  const { file, flags, journal, survey, context } = job;
  const { rows } = survey;
  const pending = journal.statuses.count('pending');
  const before = rows - pending - journal.statuses.count('opted-out');
  const resumes = `Resuming after ${counted(before, 'row')}; --discard starts over.`;
  const again = file.isPipe ? '--discard' : '--restart';
  const complete = `Nothing is left to send: this input was imported before. ${again} sends it again.`;
  if (before > 0) print(context, [pending > 0 ? resumes : complete]);
  const progress = startProgress(context, 'Imported', before, rows);
  try {
    return await sendRows({ ...flags, ...job, progress }, context.signal);
  } finally {
    progress.stop();
  }
}

/**
 * Writes the files of failed rows, and the report.
 * @param sent Rows were sent. Otherwise, the files of an earlier run are kept, since you may have corrected them.
 */
async function conclude(job: Import, stopped: string | undefined, sent: boolean): Promise<number> {
  const { file, flags, survey, journal, context } = job;
  const { statuses } = journal;
  const failed = { file, format: survey.format, keep: !sent };
  const written = await writeFailedRows(job.path, failed, statuses).catch((error: unknown) => {
    if (error instanceof ChangedFileError) return error.message;
    throw error;
  });
  const [files, reason] = typeof written === 'string' ? [{}, written] : [written, stopped];
  if (reason === undefined && !file.isPipe) journal.finish();
  const report = createReport(file.name, survey, statuses, files, reason);
  print(context, formatReport(report));
  if (file.isPipe && sent && reason === undefined)
    print(context, [
      'If the command before the pipe failed, run both again: only rows that are missing are sent.',
    ]);
  if (flags.json) printJson(context, { ...report, dryRun: false });
  if (reason !== undefined) return couldNotRunExitCode;
  return report.rejected + report.unknown > 0 ? someFailedExitCode : doneExitCode;
}
