import { doneExitCode, someFailedExitCode } from '../command-line.ts';
import { type InputFile, readRows } from '../input-file.ts';
import { print, printJson, startProgress } from '../terminal.ts';
import { createReport, formatDryRun, writeFailedRows } from './report.ts';
import { RowStatuses } from './row-statuses.ts';
import type { Survey } from './survey.ts';

interface DryRun {
  /** Start of the names of the files that are written. */
  readonly path: string;
  readonly file: InputFile;
  readonly survey: Survey;
  readonly includeOptedOut: boolean;
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

async function checkRows(
  { file, survey, includeOptedOut }: DryRun,
  signal: AbortSignal,
): Promise<RowStatuses> {
  const statuses = new RowStatuses(survey.rows);
  const progress = startProgress('Checked', 0, survey.rows);
  try {
    for await (const row of readRows(file, survey.format, signal)) {
      if (row.index < 0) continue;
      const optOut = includeOptedOut ? undefined : survey.optedOut.get(row.index);
      const problem = optOut ?? survey.problemOf(row);
      if (problem !== undefined)
        statuses.set(row.index, optOut === undefined ? 'rejected' : 'opted-out', problem);
      progress.update(row.index + 1);
    }
  } finally {
    progress.stop();
  }
  return statuses;
}
