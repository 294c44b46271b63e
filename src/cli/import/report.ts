import { counted, sentence } from '../command-line.ts';
import { mailableColumn, plainName, reasonColumn } from '../fields.ts';
import type { Checked, ImportOptions } from './check.ts';
import { listed } from './columns.ts';
import type { Table } from './read-rows.ts';
import type { Row } from './rows.ts';

/** Returns a line about these rows, if there are any. */
const line = (rows: number, text: string): string[] =>
  rows > 0 ? [`${counted(rows, 'row')} ${rows === 1 ? 'is' : 'are'} ${text}`] : [];

/** Returns the reasons of rejected rows, each with the number of rows and the first line, the most frequent first. */
function rejectedReasons(rows: readonly Row[]) {
  const reasons = new Map<string, { reason: string; rows: number; firstLine: number }>();
  for (const { status, brief: reason, line: firstLine } of rows) {
    if (status !== 'rejected' || reason === undefined) continue;
    const found = reasons.get(reason) ?? { reason, rows: 0, firstLine };
    found.rows++;
    reasons.set(reason, found);
  }
  return [...reasons.values()].sort((one, other) => other.rows - one.rows);
}

/** Returns the report. `rows` is the sum of the numbers from `sent` to `pending`. */
export function createReport(file: string, { dryRun = false }: ImportOptions, checked: Checked) {
  const { rows, columns } = checked;
  const counts = { sent: 0, sentBefore: 0, skipped: 0, outvoted: 0, excepted: 0, rejected: 0, pending: 0 };
  for (const { status } of rows) counts[status] += 1;
  return {
    dryRun,
    file,
    rows: rows.length,
    ...counts,
    reasons: rejectedReasons(rows),
    ignoredColumns: columns.flatMap(({ name, field }) => (field === undefined ? name : [])),
    rejectedFile: counts.rejected > 0 && !dryRun ? `${file}.rejected.csv` : undefined,
  };
}

export type Report = ReturnType<typeof createReport>;

/** What an import causes. The guides and the help contain the same sentence. */
export const emailNotice = 'The import itself sends no email; automations in your account may.';
const manyRows = 20;

/** Returns lines about what was read and what will be imported. */
export function formatPlan(
  report: Report,
  { encoding, delimiter, above }: Table,
  { columns, people }: Checked,
  { except = [] }: ImportOptions,
  account: string,
): string[] {
  const { file, rows, skipped, pending, dryRun, ignoredColumns } = report;
  const separated = { ',': 'comma', ';': 'semicolon', '\t': 'tab' }[delimiter] ?? `"${delimiter}"`;
  const imported = columns.flatMap(({ name, field }) => {
    if (field === undefined) return [];
    return plainName(name) === plainName(field) ? name : `${name} as ${field}`;
  });
  const notImported = ignoredColumns.filter(name => ![mailableColumn, reasonColumn].includes(name));
  const from = pending === people.length ? '' : ` from ${counted(pending, 'row')}`;
  const contacts = `${counted(people.length, 'contact')} ${dryRun ? 'would' : 'will'} be created or updated${from}`;
  return [
    `${file}: ${counted(rows, 'row')}, ${encoding.toUpperCase()}, ${separated}-separated.`,
    `Columns imported: ${listed(imported)}.`,
    ...(notImported.length > 0 ? [`Columns not imported: ${listed(notImported)}.`] : []),
    ...(above > 0 ? [`The columns are named on line ${above + 1}. The lines above it are ignored.`] : []),
    ...(people.length > 0
      ? [`${contacts}${account && ` in ${account}`}.`, emailNotice]
      : ['There is nothing to import.']),
    ...(skipped === 0 && rows > manyRows ? ['Every row says yes. Did everyone agree?'] : []),
    ...line(report.sentBefore, 'unchanged since an earlier import.'),
    ...line(skipped, 'skipped: mailable is not yes.'),
    ...line(report.outvoted, 'skipped: another row of the same person lacks a yes or contains a no.'),
    ...line(report.excepted, `skipped: the address is in ${except.join(' or ')}.`),
    ...rejectedLines(report),
  ];
}

/** Returns lines about the rejected rows. */
function rejectedLines({ rejected, reasons }: Report): string[] {
  const place = (rows: number, firstLine: number) =>
    rows === 1 ? `line ${firstLine}` : `${rows} rows, such as line ${firstLine}`;
  return [
    ...line(rejected, 'rejected:'),
    ...reasons.map(({ reason, rows, firstLine }) => `  ${place(rows, firstLine)}: ${reason}`),
  ];
}

/** Returns lines about what was done. `before`: number of rows rejected before anything was sent. */
export function formatEnd(report: Report, before: number, stopped?: string): string[] {
  const { dryRun, sent, rejected, pending, file, rejectedFile } = report;
  if (dryRun) return ['Dry run: nothing was imported.'];
  const left = pending > 0 ? ` ${counted(pending, 'row')} ${pending === 1 ? 'remains' : 'remain'}.` : '';
  return [
    ...(sent + pending + rejected > before ? [`${counted(sent, 'row')} imported.${left}`] : []),
    ...(rejected > before ? rejectedLines(report) : []),
    ...(rejectedFile
      ? [`${rejectedFile} lists the rejected rows. Correct them in ${file}, and run the same command again.`]
      : []),
    ...(stopped ? [`Stopped: ${sentence(stopped)}`, 'Run the same command again to import the rest.'] : []),
  ];
}
