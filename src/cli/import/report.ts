import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { replaceFile } from '../../testing/replace-file.ts';
import { counted } from '../command-line.ts';
import { formatRows } from '../csv.ts';
import { reasonColumn } from '../fields.ts';
import { encodeLike, type FileFormat, type InputFile, readRows } from '../input-file.ts';
import { type Line, styled } from '../terminal.ts';
import type { RowStatus, RowStatuses } from './journal.ts';
import type { Survey } from './survey.ts';

/** Files with the rows that failed; absent if there are none. */
interface FailedFiles {
  /** Rejected rows, and unknown ones that can be sent again. */
  readonly rejectedFile?: string | undefined;
  /** Unknown rows that are not idempotent. */
  readonly unknownFile?: string | undefined;
  /** Rows of people who opted out. */
  readonly optedOutFile?: string | undefined;
}

/** Result of an import. */
export type ImportReport = ReturnType<typeof createReport>;

/** Reasons that a report holds: beyond these each row has one of its own. */
const maxReasons = 100;

/** Creates the report from the statuses of the rows. `rows` is the sum of the counts from `sent` to `pending`. */
export function createReport(
  file: string,
  { columns, badBirthdays, skipsBadBirthdays }: Survey,
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
    file,
    rows: Object.values(parts).reduce((sum, part) => sum + part, 0),
    ...{ ...parts, ...sent, unknownNotIdempotent },
    ...{ reasons: reasonsOf('rejected'), optOutReasons: reasonsOf('opted-out') },
    ...{ badBirthdays, skipsBadBirthdays },
    ignoredColumns: columns.flatMap(({ column, ignored }) => (ignored === undefined ? [] : column)),
    ...files,
    stopped,
  };
}

/** Reasons that are printed. */
const maxPrintedReasons = 10;

function reasonLines(reasons: ImportReport['reasons']): string[] {
  const shown = reasons
    .slice(0, maxPrintedReasons)
    .map(({ reason, rows }) => `    ${String(rows).padStart(6)}  ${reason}`);
  return reasons.length > maxPrintedReasons ? [...shown, '            other reasons'] : shown;
}

/** Returns the report as lines for people. */
export function formatReport(report: ImportReport): Line[] {
  const { createdOrUpdated, rejectedFile, unknownFile, stopped } = report;
  const split =
    createdOrUpdated === 0 ? '' : `, ${createdOrUpdated} created or updated: the service did not say`;
  const made = ` sent (${report.created} created, ${report.updated} updated${split})`;
  return [
    [styled('bold', counted(report.rows, 'row'))],
    ['  ', styled('green', String(report.sent)), made],
    ['  ', styled('red', String(report.rejected)), ' rejected'],
    ...reasonLines(report.reasons),
    ...birthdayLines(report),
    ['  ', styled('yellow', String(report.unknown)), ' unknown: the service may have acted on them'],
    ...optedOutLines(report),
    ...(report.pending > 0 ? [`  ${report.pending} not sent`] : []),
    ...(rejectedFile ? [`Correct the rows in ${rejectedFile} and import that file.`] : []),
    ...(unknownFile
      ? [
          `${counted(report.unknownNotIdempotent, 'row')} must not be sent twice; check each contact first: ${unknownFile}`,
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
    `${birthdays}${skipsBadBirthdays ? ', and left out' : ': --bad-birthdays skip sends rows without them'}`,
  ];
}

function optedOutLines({ optedOut, optOutReasons, optedOutFile = '' }: ImportReport): Line[] {
  if (optedOut === 0) return [];
  const where = ` skipped, because these people opted out: ${optedOutFile}`;
  return [['  ', styled('yellow', String(optedOut)), where], ...reasonLines(optOutReasons)];
}

/** Returns the report of a dry run as lines for people. */
export function formatDryRun(report: ImportReport): Line[] {
  const { rows, pending, rejected, reasons, rejectedFile } = report;
  const where = rejectedFile === undefined ? '' : `; they are in ${rejectedFile}`;
  return [
    `Dry run, nothing was sent: ${counted(rows, 'row')}, ${pending} can be imported, ${rejected} cannot${where}`,
    ...reasonLines(reasons),
    ...birthdayLines(report),
    ...optedOutLines(report),
  ];
}

/** Rows that are written at once. */
const batchSize = 500;

/**
 * Writes the rows that failed, or were skipped, to files, in order, each behind the reason; the rest of a row, the
 * encoding and the line ends are as in the input, so that the file can be corrected and imported.
 * @param keep Leave files that exist as they are.
 */
export async function writeFailedRows(
  base: string,
  input: { readonly file: InputFile; readonly format: FileFormat; readonly keep: boolean },
  statuses: RowStatuses,
): Promise<FailedFiles> {
  const write = async (path: string, ...wanted: RowStatus[]): Promise<string | undefined> => {
    if (statuses.count(...wanted) === 0) {
      if (!input.keep) await rm(path, { force: true });
      return undefined;
    }
    if (!input.keep || !existsSync(path)) await writeRows(path, input, failedLines(input, statuses, wanted));
    return path;
  };
  return {
    rejectedFile: await write(`${base}.rejected.csv`, 'rejected', 'unknown-idempotent'),
    unknownFile: await write(`${base}.unknown.csv`, 'unknown', 'sending'),
    optedOutFile: await write(`${base}.opted-out.csv`, 'opted-out'),
  };
}

async function writeRows(
  path: string,
  { format }: { readonly format: FileFormat },
  rows: AsyncIterable<string[]>,
): Promise<void> {
  await replaceFile(path, async output => {
    let batch: string[][] = [];
    let isStart = true;
    const flush = async () => {
      await output.appendFile(
        encodeLike(format, (isStart ? format.separatorLine : '') + formatRows(batch, format), isStart),
      );
      batch = [];
      isStart = false;
    };
    for await (const row of rows) if (batch.push(row) >= batchSize) await flush();
    await flush();
  });
}

/** Yields the header and the rows with the reason in front, which replaces that of an earlier import. */
async function* failedLines(
  { file, format }: { readonly file: InputFile; readonly format: FileFormat },
  statuses: RowStatuses,
  wanted: readonly RowStatus[],
): AsyncGenerator<string[], void, undefined> {
  let earlierReason = 0;
  for await (const { index, cells, unreadable } of readRows(file, format)) {
    if (index < 0) earlierReason = cells[0] === reasonColumn ? 1 : 0;
    const kept = unreadable === undefined ? cells.slice(earlierReason) : cells;
    if (index < 0) yield [reasonColumn, ...kept];
    else if (wanted.includes(statuses.get(index))) yield [statuses.reason(index) ?? '', ...kept];
  }
}
