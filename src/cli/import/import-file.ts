import { EmailMarketingClient } from '../../index.ts';
import { couldNotRunExitCode, doneExitCode, someFailedExitCode } from '../command-line.ts';
import type { ImportFlags } from '../import.ts';
import { confirm, type Line, print, printJson, startProgress, styled } from '../terminal.ts';
import { dryRunClient, dryRunJournal } from './dry-run.ts';
import { writeFailedRows } from './failed-rows.ts';
import type { Journal } from './journal.ts';
import { withLock } from './lock.ts';
import { createMapping, type Mapping } from './mapping.ts';
import { openJournal } from './open-journal.ts';
import { createReport, formatDryRun, formatReport, type ImportReport } from './report.ts';
import { runImport } from './run-import.ts';
import { type Survey, surveyFile } from './survey.ts';

/** Imports a file; resolves to the exit code. */
export async function importFile(file: string, flags: ImportFlags, signal: AbortSignal): Promise<number> {
  const survey = await surveyFile(file, flags.delimiter);
  const mapping = createMapping(survey.header, flags.map ?? []);
  print(process.stderr, formatMapping(file, survey, mapping));
  if (flags.dryRun) {
    const journal = dryRunJournal(survey.rows);
    return importRows({ file, flags, survey, mapping, journal, client: dryRunClient() }, signal);
  }
  const client = createClient(flags);
  return withLock(file, async () => {
    const journal = await openJournal(file, survey, mapping, flags.restart === true);
    return importRows({ file, flags, survey, mapping, journal, client }, signal);
  });
}

interface Import {
  readonly file: string;
  readonly flags: ImportFlags;
  readonly survey: Survey;
  readonly mapping: Mapping;
  readonly journal: Journal;
  readonly client: EmailMarketingClient;
}

async function importRows(job: Import, signal: AbortSignal): Promise<number> {
  const { flags, journal } = job;
  try {
    const pending = journal.statuses.count('pending');
    const asks = pending > 0 && !flags.dryRun && !flags.yes;
    if (asks && !(await confirm(`Send ${pending} rows?`, signal))) {
      print(process.stderr, ['Nothing was sent.']);
      return couldNotRunExitCode;
    }
    return await conclude(job, await send(job, signal), pending > 0);
  } finally {
    await journal.close();
  }
}

const createClient = ({ perSecond }: ImportFlags): EmailMarketingClient =>
  new EmailMarketingClient({
    onDrift: () => {},
    ...(perSecond === undefined ? {} : { throttle: { requestsPerSecond: perSecond } }),
  });

async function send(job: Import, signal: AbortSignal): Promise<string | undefined> {
  const { flags, journal, survey } = job;
  const { rows } = survey;
  const before = rows - journal.statuses.count('pending');
  if (before > 0 && before < rows) print(process.stderr, [`Resuming after ${before} rows.`]);
  if (before === rows && rows > 0)
    print(process.stderr, ['Every row of this file was imported before; --restart sends them again.']);
  const progress = startProgress(flags.dryRun ? 'Checked' : 'Imported', before, rows);
  try {
    return await runImport({ ...flags, ...job, lookUp: flags.lookUp === true, rows, progress }, signal);
  } finally {
    progress.stop();
  }
}

/**
 * Writes the rows that failed, and the report.
 * @param sent There were rows to send: without any, files of an earlier run stay, since they may hold corrections.
 */
async function conclude(
  { file, flags, mapping, journal }: Import,
  stopped: string | undefined,
  sent: boolean,
): Promise<number> {
  const { statuses } = journal;
  const { dryRun = false, delimiter } = flags;
  const base = dryRun ? `${file}.dry-run` : file;
  const files = await writeFailedRows(base, { file, delimiter, keep: !sent }, statuses);
  const report = createReport(file, mapping, statuses, files, stopped);
  print(process.stderr, dryRun ? formatDryRun(report) : formatReport(report));
  if (flags.json) printJson({ ...report, dryRun });
  return exitCodeOf(report);
}

function exitCodeOf({ stopped, rejected, unknown }: ImportReport): number {
  if (stopped !== undefined) return couldNotRunExitCode;
  return rejected + unknown > 0 ? someFailedExitCode : doneExitCode;
}

/** Returns what becomes of each column, as lines for people. */
function formatMapping(file: string, { rows, unreadable }: Survey, { columns }: Mapping): Line[] {
  const width = columns.reduce((widest, { column }) => Math.max(widest, column.length), 0);
  const lines = columns.flatMap(({ column, field, ignored = '', unknown }): Line[] => {
    const name = column.padEnd(width);
    if (field !== undefined) return [[`  ${name} → `, styled('green', field)]];
    return unknown ? [[`  ${name}   `, styled('yellow', `ignored: ${ignored}`)]] : [];
  });
  const note = unreadable > 0 ? `, ${unreadable} of them unreadable` : '';
  return [`${file}: ${rows} rows${note}`, ...lines, ...ignoredLines(columns)];
}

/** Returns the columns that are ignored for known reasons, one line for each reason. */
function ignoredLines(columns: Mapping['columns']): Line[] {
  const known = columns.filter(({ field, unknown }) => field === undefined && !unknown);
  const reasons = [...new Set(known.map(({ ignored = '' }) => ignored))];
  return reasons.map(reason => {
    const names = known.filter(({ ignored }) => ignored === reason).map(({ column }) => column);
    return styled('dim', `  ${names.join(', ')}: ignored, ${reason}`);
  });
}
