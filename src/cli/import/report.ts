import { type Line, styled } from '../terminal.ts';
import type { FailedFiles } from './failed-rows.ts';
import type { Mapping } from './mapping.ts';
import type { RowStatuses } from './row-status.ts';

/** Result of an import. `rows` is the sum of `sent`, `rejected`, `unknown` and `pending`. */
export interface ImportReport {
  readonly file: string;
  readonly rows: number;
  /** Rows that the service acted on: `created`, `updated`, and `createdOrUpdated` where it did not say which. */
  readonly sent: number;
  readonly created: number;
  readonly updated: number;
  readonly createdOrUpdated: number;
  /** Rows that were unreadable or invalid, or that the service refused. */
  readonly rejected: number;
  /** Rows that the service may have acted on. */
  readonly unknown: number;
  /** Those of them that must not be sent again unchecked, because they could act twice. */
  readonly unknownNotIdempotent: number;
  /** Rows that were not sent because the import stopped. */
  readonly pending: number;
  readonly ignoredColumns: readonly string[];
  /** File with the rejected rows, and with the unknown ones that can be sent again. */
  readonly rejectedFile?: string | undefined;
  /** File with the unknown rows that are not idempotent. */
  readonly unknownFile?: string | undefined;
  /** Why the import stopped before the end. */
  readonly stopped?: string | undefined;
}

/** Creates the report from the statuses of the rows. */
export function createReport(
  file: string,
  mapping: Mapping,
  statuses: RowStatuses,
  files: FailedFiles,
  stopped: string | undefined,
): ImportReport {
  const count = statuses.count.bind(statuses);
  const [created, updated, createdOrUpdated] = [count('created'), count('updated'), count('sent')];
  const unknownNotIdempotent = count('unknown', 'sending');
  const parts = {
    sent: created + updated + createdOrUpdated,
    rejected: count('rejected'),
    unknown: unknownNotIdempotent + count('unknown-idempotent'),
    pending: count('pending'),
  };
  return {
    file,
    rows: parts.sent + parts.rejected + parts.unknown + parts.pending,
    ...{ ...parts, created, updated, createdOrUpdated, unknownNotIdempotent },
    ignoredColumns: mapping.columns.flatMap(({ column, ignored }) => (ignored === undefined ? [] : column)),
    rejectedFile: files.rejected,
    unknownFile: files.unknown,
    stopped,
  };
}

/** Returns the report as lines for people. */
export function formatReport(report: ImportReport): Line[] {
  const { createdOrUpdated, rejectedFile, unknownFile, stopped } = report;
  const split =
    createdOrUpdated === 0 ? '' : `, ${createdOrUpdated} created or updated: the service did not say`;
  return [
    [styled('bold', String(report.rows)), ' rows'],
    [
      '  ',
      styled('green', String(report.sent)),
      ` sent (${report.created} created, ${report.updated} updated${split})`,
    ],
    ['  ', styled('red', String(report.rejected)), ' rejected'],
    ['  ', styled('yellow', String(report.unknown)), ' unknown: the service may have acted on them'],
    ...(report.pending > 0 ? [`  ${report.pending} not sent`] : []),
    ...(rejectedFile ? [`Correct the rows in ${rejectedFile} and import that file.`] : []),
    ...(unknownFile
      ? [
          `${report.unknownNotIdempotent} rows must not be sent twice; check each contact first: ${unknownFile}`,
        ]
      : []),
    ...(stopped ? [styled('red', `Stopped: ${stopped}`), 'Run the same command again to resume.'] : []),
  ];
}

/** Returns the report of a dry run as lines for people. */
export function formatDryRun({ rows, sent, rejected, rejectedFile }: ImportReport): Line[] {
  const where = rejectedFile === undefined ? '' : `; they are in ${rejectedFile}`;
  return [`Dry run, nothing was sent: ${rows} rows, ${sent} can be imported, ${rejected} cannot${where}`];
}
