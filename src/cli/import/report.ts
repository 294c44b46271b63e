import { counted } from '../command-line.ts';
import { plainName } from '../fields.ts';
import type { Checked, ImportOptions } from './check.ts';
import { listed } from './columns.ts';
import type { Table } from './read-rows.ts';
import type { Row, Status } from './rows.ts';

const maxReasons = 5;

/** Returns a number of rows, with the verb. */
const rowsAre = (rows: number): string => `${counted(rows, 'row')} ${rows === 1 ? 'is' : 'are'}`;

/** Returns a line about rows, if there are any. */
const line = (rows: number, text: string): string[] => (rows > 0 ? [`${rowsAre(rows)} ${text}`] : []);

/** Returns the reasons of rows with a status, with their number of rows, the most frequent first. */
function reasonsOf(rows: readonly Row[], wanted: Status) {
  const counts = new Map<string, number>();
  for (const { status, brief } of rows)
    if (status === wanted && brief !== undefined) counts.set(brief, (counts.get(brief) ?? 0) + 1);
  const reasons = [...counts].map(([reason, count]) => ({ reason, rows: count }));
  return reasons.sort((one, other) => other.rows - one.rows);
}

/** Returns the report. `rows` is the sum of the numbers from `sent` to `pending`. */
export function createReport(file: string, { dryRun = false }: ImportOptions, checked: Checked) {
  const { rows, columns, badBirthdays } = checked;
  const count = (wanted: Status) => rows.filter(({ status }) => status === wanted).length;
  return {
    ...{ dryRun, file, rows: rows.length, sent: count('sent'), sentBefore: count('sentBefore') },
    ...{ skipped: count('skipped'), outvoted: count('outvoted'), excepted: count('excepted') },
    ...{ rejected: count('rejected'), pending: count('pending') },
    reasons: reasonsOf(rows, 'rejected'),
    pendingReasons: reasonsOf(rows, 'pending'),
    birthdaysLeftOut: badBirthdays,
    ignoredColumns: columns.flatMap(({ name, field }) => (field === undefined ? name : [])),
    rejectedFile: count('rejected') > 0 ? `${file}.rejected.csv` : undefined,
  };
}

export type Report = ReturnType<typeof createReport>;

/** Returns lines about what was read, and what will be done with it. */
export function formatPlan(
  report: Report,
  { encoding, delimiter, above }: Table,
  { columns, people, odd }: Checked,
  { except = [] }: ImportOptions,
  account: string,
): string[] {
  const { file, rows, dryRun, birthdaysLeftOut, ignoredColumns } = report;
  const separated = { ',': 'comma', ';': 'semicolon', '\t': 'tab' }[delimiter] ?? `"${delimiter}"`;
  const imported = columns.flatMap(({ name, field }) => {
    if (field === undefined) return [];
    return plainName(name) === plainName(field) ? name : `${name} as ${field}`;
  });
  const left = listed(ignoredColumns.filter(name => plainName(name) !== 'mailable'));
  const contacts = `${counted(people.length, 'contact')} ${dryRun ? 'would' : 'will'} be created or updated`;
  return [
    `${file}: ${counted(rows, 'row')}, ${encoding.toUpperCase()}, ${separated}-separated.` +
      ` Columns imported: ${listed(imported)}.${left && ` Not imported: ${left}.`}`,
    ...(above > 0 ? [`The columns are named in line ${above + 1}. The lines above it are ignored.`] : []),
    people.length > 0
      ? `${contacts}${account && ` in ${account}`}. No email is sent.`
      : 'There is nothing to import.',
    ...line(report.sentBefore, 'unchanged since an earlier import.'),
    ...line(report.skipped, 'skipped: mailable is not yes.'),
    ...(odd > 0 ? [`  In ${odd} of them, mailable is neither yes nor no. Only yes counts.`] : []),
    ...line(report.outvoted, 'skipped: another row with the same address is skipped or rejected.'),
    ...line(report.excepted, `skipped: the address is in ${except.join(' or ')}.`),
    ...line(birthdaysLeftOut, 'imported without a birthday, which cannot be read.'),
    ...rejectedLines(report),
  ];
}

/** Returns lines about the rejected rows, without what they hold. */
function rejectedLines({ rejected, reasons, rejectedFile }: Report): string[] {
  const others = reasons.length - maxReasons;
  return [
    ...line(rejected, `rejected: see ${rejectedFile}.`),
    ...reasons.slice(0, maxReasons).map(({ reason, rows }) => `  ${counted(rows, 'row')}: ${reason}`),
    ...(others > 0 ? [`  and ${counted(others, 'other reason')}`] : []),
  ];
}

/** Returns lines about what was done. `before` is the number of rows that were rejected before anything was sent. */
export function formatEnd(report: Report, before: number, stopped?: string): string[] {
  const { dryRun, sent, rejected, pending, file } = report;
  const left = pending > 0 ? `, ${pending} left` : '';
  const done = sent + pending + rejected > before ? [`${counted(sent, 'row')} imported${left}.`] : [];
  return [
    ...(dryRun ? ['Dry run: nothing was sent.'] : done),
    ...(rejected > before ? rejectedLines(report) : []),
    ...(stopped ? [`Stopped: ${stopped}`, 'Run the same command again to import the rest.'] : []),
    ...(rejected > 0
      ? [`If a row was rejected by mistake, correct it in ${file}, and run the same command again.`]
      : []),
  ];
}
