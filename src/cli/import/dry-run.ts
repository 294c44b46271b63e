import { doneExitCode, someFailedExitCode } from '../command-line.ts';
import { type InputFile, readRows } from '../input-file.ts';
import { print, printJson, startProgress } from '../terminal.ts';
import { RowStatuses } from './journal.ts';
import { createReport, formatDryRun, writeFailedRows } from './report.ts';
import type { Survey } from './survey.ts';

/** File to check. */
interface DryRun {
  /** What the names of the files beside it begin with. */
  readonly path: string;
  readonly file: InputFile;
  readonly survey: Survey;
  readonly includeOptedOut: boolean;
  /** Print the report as JSON, too. */
  readonly json: boolean;
}

/** Checks every row as an import would, and sends nothing; resolves to the exit code. */
export async function dryRun(run: DryRun, signal: AbortSignal): Promise<number> {
  const { file, survey } = run;
  const statuses = await checkRows(run, signal);
  const failed = { file, format: survey.format, keep: false };
  const files = await writeFailedRows(`${run.path}.dry-run`, failed, statuses);
  const report = createReport(file.name, survey, statuses, files, undefined);
  print(process.stderr, formatDryRun(report));
  const { rows, pending: valid, rejected, reasons, optedOut, optOutReasons, ignoredColumns } = report;
  const counts = { rows, valid, rejected, reasons, optedOut, optOutReasons, ignoredColumns };
  if (run.json) printJson({ dryRun: true, file: file.name, ...counts, ...files });
  return rejected > 0 ? someFailedExitCode : doneExitCode;
}

/** Returns the statuses of the rows: those that can be sent are pending. */
async function checkRows(
  { file, survey, includeOptedOut }: DryRun,
  signal: AbortSignal,
): Promise<RowStatuses> {
  const statuses = new RowStatuses(survey.rows);
  const progress = startProgress('Checked', 0, survey.rows);
  try {
    // The header comes first.
    let index = -1;
    for await (const row of readRows(file, survey.format, signal)) {
      const optOut = includeOptedOut ? undefined : survey.optedOut.get(index);
      const problem = index < 0 ? undefined : survey.problemOf(row);
      if (optOut !== undefined) statuses.set(index, 'opted-out', optOut);
      else if (problem !== undefined) statuses.set(index, 'rejected', problem);
      index += 1;
      progress.update(index);
    }
  } finally {
    progress.stop();
  }
  return statuses;
}
