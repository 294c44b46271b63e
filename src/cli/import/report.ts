import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { replaceFile } from '../../core/replace-file.ts';
import { counted } from '../command-line.ts';
import { formatRows } from '../csv.ts';
import { reasonColumn } from '../fields.ts';
import { type FileFormat, type InputFile, readRows } from '../input-file.ts';
import { type Line, styled } from '../terminal.ts';
import type { Job } from './job.ts';
import type { RowStatus, RowStatuses } from './row-statuses.ts';
import type { Survey } from './survey.ts';

/** Files that were written; absent if there are no such rows. */
interface FailedFiles {
  /** Rejected rows, and unknown ones that are idempotent. */
  readonly rejectedFile?: string | undefined;
  /** Unknown rows that are not idempotent. */
  readonly unknownFile?: string | undefined;
  readonly optedOutFile?: string | undefined;
}

export type ImportReport = ReturnType<typeof createReport>;

/** Maximum number of reasons in a report. */
const maxReasons = 100;

/** Returns the report. `rows` is the sum of `sent`, `rejected`, `unknown`, `optedOut` and `pending`. */
export function createReport(
  { file, flags }: Job,
  { columns, findings: { badBirthdays } }: Survey,
  statuses: RowStatuses,
  files: FailedFiles,
  stopped: string | undefined,
) {
  const count = statuses.count.bind(statuses);
  const sent = { created: count('created'), updated: count('updated'), createdOrUpdated: count('sent') };
  const unknownNotIdempotent = count('unknown', 'sending');
  const parts = {
    sent: sent.created + sent.updated + sent.createdOrUpdated,
    rejected: count('rejected'),
    unknown: unknownNotIdempotent + count('unknown-idempotent'),
    optedOut: count('opted-out'),
    pending: count('pending'),
  };
  const reasonsOf = (status: RowStatus) =>
    statuses
      .reasonCounts(status)
      .slice(0, maxReasons)
      .map(([reason, rows]) => ({ reason, rows }));
  return {
    file: file.name,
    rows: Object.values(parts).reduce((sum, part) => sum + part, 0),
    ...parts,
    ...sent,
    unknownNotIdempotent,
    reasons: reasonsOf('rejected'),
    optOutReasons: reasonsOf('opted-out'),
    badBirthdays,
    skipsBadBirthdays: flags.badBirthdays === 'skip',
    ignoredColumns: columns.flatMap(({ column, ignored }) => (ignored === undefined ? [] : column)),
    ...files,
    stopped,
  };
}

const maxPrintedReasons = 10;

function reasonLines(reasons: ImportReport['reasons']): string[] {
  const shown = reasons
    .slice(0, maxPrintedReasons)
    .map(({ reason, rows }) => `    ${String(rows).padStart(6)}  ${reason}`);
  return reasons.length > maxPrintedReasons ? [...shown, '            other reasons'] : shown;
}

export function formatReport(report: ImportReport): Line[] {
  const { createdOrUpdated, rejectedFile, unknownFile, stopped } = report;
  const split = createdOrUpdated === 0 ? '' : `, ${createdOrUpdated} created or updated`;
  const made = ` sent (${report.created} created, ${report.updated} updated${split})`;
  return [
    [styled('bold', counted(report.rows, 'row'))],
    ['  ', styled('green', String(report.sent)), made],
    ['  ', styled('red', String(report.rejected)), ' rejected'],
    ...reasonLines(report.reasons),
    ...birthdayLines(report),
    ['  ', styled('yellow', String(report.unknown)), ' unknown: they may have taken effect'],
    ...optedOutLines(report),
    ...(report.pending > 0 ? [`  ${report.pending} left to send`] : []),
    ...(rejectedFile ? [`Correct the rows in ${rejectedFile} and import that file.`] : []),
    ...(unknownFile
      ? [
          `Look up the contacts of ${counted(report.unknownNotIdempotent, 'row')} in ${unknownFile}: these must not be sent twice.`,
        ]
      : []),
    ...(stopped
      ? [styled('red', `Stopped: ${stopped}`), 'To resume, run the same command again, without --discard.']
      : []),
  ];
}

function birthdayLines({ badBirthdays, skipsBadBirthdays }: ImportReport): Line[] {
  if (badBirthdays === 0) return [];
  const birthdays = `    ${counted(badBirthdays, 'birthday')} could not be read`;
  return [
    `${birthdays}${skipsBadBirthdays ? ', and left out' : '; --bad-birthdays skip sends the rows without them'}`,
  ];
}

function optedOutLines({ optedOut, optOutReasons, optedOutFile = '' }: ImportReport): Line[] {
  if (optedOut === 0) return [];
  const where = ` skipped because the person opted out; see ${optedOutFile}`;
  return [['  ', styled('yellow', String(optedOut)), where], ...reasonLines(optOutReasons)];
}

export function formatDryRun(report: ImportReport): Line[] {
  const { rows, pending, rejected, reasons, rejectedFile } = report;
  const where = rejectedFile === undefined ? '' : `; see ${rejectedFile}`;
  return [
    `Dry run, nothing was sent: ${counted(rows, 'row')}, ${pending} can be imported, ${rejected} cannot${where}`,
    ...reasonLines(reasons),
    ...birthdayLines(report),
    ...optedOutLines(report),
  ];
}

/** Returns the path of the file of unknown rows that must not be sent twice. */
export const unknownFile = (base: string): string => `${base}.unknown.csv`;

const batchSize = 500;

/** Statuses of the rows in each file of failed rows. */
const inFiles = {
  rejected: ['rejected', 'unknown-idempotent'],
  unknown: ['unknown', 'sending'],
  optedOut: ['opted-out'],
} as const satisfies Record<string, readonly RowStatus[]>;

/** Returns how many times {@link writeFailedRows} reads the input: once for each file. */
export const failedPasses = (statuses: RowStatuses): number =>
  Object.values(inFiles).filter(wanted => statuses.count(...wanted) > 0).length;

/**
 * Writes the rows that failed or were skipped to files, each after the reason.
 * A file of unknown rows is never deleted: those of an earlier import are still unknown.
 * @param keep Do not replace existing files.
 */
export async function writeFailedRows(
  base: string,
  input: { readonly file: InputFile; readonly format: FileFormat; readonly keep: boolean },
  statuses: RowStatuses,
): Promise<FailedFiles> {
  const write = async (path: string, wanted: readonly RowStatus[]): Promise<string | undefined> => {
    if (statuses.count(...wanted) === 0) {
      if (!input.keep && !wanted.includes('unknown')) await rm(path, { force: true });
      return undefined;
    }
    if (!input.keep || !existsSync(path)) await writeRows(path, input, statuses, wanted);
    return path;
  };
  return {
    rejectedFile: await write(`${base}.rejected.csv`, inFiles.rejected),
    unknownFile: await write(unknownFile(base), inFiles.unknown),
    optedOutFile: await write(`${base}.opted-out.csv`, inFiles.optedOut),
  };
}

/**
 * Writes the header and the rows of some statuses, each after the reason, which replaces that of an earlier import: in UTF-8,
 * with a mark by which Excel knows it, and otherwise in the format of the input.
 */
async function writeRows(
  path: string,
  { file, format }: { readonly file: InputFile; readonly format: FileFormat },
  statuses: RowStatuses,
  wanted: readonly RowStatus[],
): Promise<void> {
  await replaceFile(path, async output => {
    await output.appendFile(`\ufeff${format.separatorLine}`);
    let batch: string[][] = [];
    const flush = async () => {
      await output.appendFile(formatRows(batch, format));
      batch = [];
    };
    let earlierReason = 0;
    for await (const { index, cells, unreadable } of readRows(file, format)) {
      if (index < 0) earlierReason = cells[0] === reasonColumn ? 1 : 0;
      else if (!wanted.includes(statuses.get(index))) continue;
      const reason = index < 0 ? reasonColumn : (statuses.reason(index) ?? '');
      batch.push([reason, ...(unreadable === undefined ? cells.slice(earlierReason) : cells)]);
      if (batch.length >= batchSize) await flush();
    }
    await flush();
  });
}
