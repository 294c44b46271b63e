import { EmailMarketingClient } from '../../index.ts';
import { stylesFor } from '../color.ts';
import { confirm } from '../confirm.ts';
import { couldNotRunExitCode, doneExitCode, someFailedExitCode } from '../exit-codes.ts';
import type { ImportFlags } from '../import.ts';
import { printable } from '../printable.ts';
import { startProgress } from '../progress.ts';
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
  process.stderr.write(formatMapping(file, survey, mapping));
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
      process.stderr.write('Nothing was sent.\n');
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
  if (before > 0 && before < rows) process.stderr.write(`Resuming after ${before} rows.\n`);
  if (before === rows && rows > 0)
    process.stderr.write('Every row of this file was imported before; --restart sends them again.\n');
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
  process.stderr.write(dryRun ? formatDryRun(report) : formatReport(report));
  if (flags.json) process.stdout.write(`${JSON.stringify({ ...report, dryRun })}\n`);
  return exitCodeOf(report);
}

function exitCodeOf({ stopped, rejected, unknown }: ImportReport): number {
  if (stopped !== undefined) return couldNotRunExitCode;
  return rejected + unknown > 0 ? someFailedExitCode : doneExitCode;
}

/** Returns what becomes of each column, as lines for people. */
function formatMapping(file: string, { rows, unreadable }: Survey, { columns }: Mapping): string {
  const style = stylesFor(process.stderr);
  const width = columns.reduce((widest, { column }) => Math.max(widest, column.length), 0);
  const lines = columns.flatMap(({ column, field, ignored = '', unknown }) => {
    const name = printable(column.padEnd(width));
    if (field !== undefined) return `  ${name} → ${style('green', printable(field))}`;
    return unknown ? `  ${name}   ${style('yellow', printable(`ignored: ${ignored}`))}` : [];
  });
  const note = unreadable > 0 ? `, ${unreadable} of them unreadable` : '';
  return [`${file}: ${rows} rows${note}`, ...lines, ...ignoredLines(columns), ''].join('\n');
}

/** Returns the columns that are ignored for known reasons, one line for each reason. */
function ignoredLines(columns: Mapping['columns']): string[] {
  const style = stylesFor(process.stderr);
  const known = columns.filter(({ field, unknown }) => field === undefined && !unknown);
  const reasons = [...new Set(known.map(({ ignored = '' }) => ignored))];
  return reasons.map(reason => {
    const names = known.filter(({ ignored }) => ignored === reason).map(({ column }) => column);
    return style('dim', printable(`  ${names.join(', ')}: ignored, ${reason}`));
  });
}
