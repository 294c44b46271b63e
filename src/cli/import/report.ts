import { counted } from '../command-line.ts';
import { visible } from '../csv.ts';
import { type Checked, maySentTwice } from './checked-rows.ts';
import { type Column, listed } from './columns.ts';
import { type Choices, type Job, optionsOf } from './job.ts';
import type { RowFiles } from './row-files.ts';
import type { RowStatus } from './row-statuses.ts';
import type { Survey } from './survey.ts';

const maxPrinted = 300;
const maxColumns = 60;
const maxSamples = 3;
const maxReasons = 10;
const shown = (text: string): string => (text.length > maxPrinted ? `${text.slice(0, maxPrinted)}...` : text);

/** Returns lines about what was found in the file. */
export function formatSurvey({ file }: Job, { rows, reading }: Survey, columns: readonly Column[]): string[] {
  const { encoding, delimiter } = reading;
  const named = { ',': 'comma', ';': 'semicolon', '\t': 'tab' }[delimiter] ?? `"${delimiter}"`;
  const sent = columns.flatMap(({ name, field }) => (field ? `${shown(name)} -> ${shown(field)}` : []));
  const more = sent.length > maxColumns ? [`and ${counted(sent.length - maxColumns, 'more column')}`] : [];
  return [
    `${file.name}: ${counted(rows, 'row')}, ${encoding.toUpperCase()}, ${named}`,
    ...(sent.length > 0 ? [`  ${[...sent.slice(0, maxColumns), ...more].join('   ')}`] : []),
  ];
}

/** Returns lines about what will be sent. */
export function formatChecked(checked: Checked): string[] {
  const { statuses, kept, overlooked, badBirthdays, choices } = checked;
  const samples = kept.filter(({ index }) => statuses.get(index) === 'pending').slice(0, maxSamples);
  const lines = leftOutLines(checked);
  const birthdays = counted(badBirthdays.rows, 'birthday');
  const such = `such as "${shown(badBirthdays.example)}"`;
  if (badBirthdays.rows > 0)
    lines.push(
      choices.birthdays === 'skip'
        ? `${birthdays} will be left out, ${such}`
        : `${birthdays} cannot be read, ${such}, and will be left out`,
    );
  if (samples.length > 0) lines.push('First rows as they will be sent:');
  lines.push(...samples.map(({ params }) => `  ${shown(JSON.stringify(params))}`));
  const rejected = statuses.count('rejected');
  if (rejected > 0)
    lines.push(
      `${counted(rejected, 'row')} will be rejected:`,
      ...reasonLines(statuses.reasonCounts('rejected')),
    );
  const before = statuses.reasonCounts('sent-before').find(({ reason }) => reason === maySentTwice);
  if (before !== undefined)
    lines.push(
      `${counted(before.rows, 'row')} with ++, -- or newEmail may have been sent before, and will not be sent`,
    );
  if (samples.length > 0 && overlooked.lines.length > 0)
    lines.push('Mind what the rows that will be sent say in other columns:', ...overlooked.lines);
  return [...lines, ...peopleLines(checked)];
}

/** Returns lines about the columns that are not sent. */
function leftOutLines({ columns, survey, audience }: Checked): string[] {
  const isLeft = (column: Column, index: number) =>
    column.field === undefined && !audience.has(index) && survey.values[index]?.filled;
  const names = columns.filter(isLeft).map(({ name }) => name);
  return names.length === 0 ? [] : [`  Not sent: ${listed(names)}`];
}

/** Returns lines about who will be mailed, and who will not. */
function peopleLines(checked: Checked): string[] {
  const linesOf = (status: RowStatus, end: string) => {
    const counts = checked.peopleBy(status);
    const people = (count: number, more: string) => `  ${count} ${more}${count === 1 ? 'person' : 'people'}`;
    const rest = counts.slice(maxReasons).reduce((sum, [, count]) => sum + count, 0);
    return [
      ...counts
        .slice(0, maxReasons)
        .map(([said, count]) => `${people(count, '')}${said && ` whose ${visible(said)}`} ${end}`),
      ...(rest > 0 ? [`${people(rest, 'more ')} ${end}`] : []),
    ];
  };
  const mailed = linesOf('pending', 'will be mailed');
  return [
    ...checked.lists,
    ...leftSinceLines(checked.statuses.count('left-since')),
    mailed.length > 0 ? 'Who will be mailed, by your answers:' : 'Nobody will be mailed.',
    ...linesOf('not-mailed', 'will not be mailed'),
    // Last, right above the question: a person in a hurry reads this line.
    ...mailed,
  ];
}

const leftSinceLines = (rows: number, file?: string): string[] =>
  rows === 0
    ? []
    : [
        `${counted(rows, 'row')} of people whom an earlier import sent: only the service itself can unsubscribe them${file ? ` (${file})` : ''}`,
      ];

const reasonLines = (reasons: readonly { readonly reason: string; readonly rows: number }[]): string[] => [
  ...reasons
    .slice(0, maxReasons)
    .map(({ reason, rows }) => `    ${String(rows).padStart(6)}  ${shown(reason)}`),
  ...(reasons.length > maxReasons ? [`            ${reasons.length - maxReasons} other reasons`] : []),
];

export type Report = ReturnType<typeof createReport>;
const maxReported = 100;

/** Returns the report. `rows` is the sum of the numbers from `sent` to `pending`. */
export function createReport(
  { file, flags }: Job,
  { statuses, columns, badBirthdays }: Checked,
  files: RowFiles,
  stopped?: string,
) {
  const reasonsOf = (...wanted: RowStatus[]) => statuses.reasonCounts(...wanted).slice(0, maxReported);
  return {
    dryRun: flags.dryRun === true,
    file: file.name,
    rows: statuses.rows,
    sent: statuses.count('sent'),
    rejected: statuses.count('rejected'),
    unknown: statuses.count('unknown'),
    notMailed: statuses.count('not-mailed'),
    leftSince: statuses.count('left-since'),
    sentBefore: statuses.count('sent-before'),
    pending: statuses.count('pending'),
    reasons: reasonsOf('rejected'),
    pendingReasons: reasonsOf('pending'),
    notMailedReasons: reasonsOf('not-mailed', 'left-since'),
    birthdaysLeftOut: badBirthdays.rows,
    ignoredColumns: columns.flatMap(({ name, field }) => (field === undefined ? name : [])),
    ...files,
    stopped,
  };
}

export function formatReport(report: Report, { file }: Job, { except = [] }: Choices): string[] {
  const { dryRun, rows, pending, rejectedFile, unknownFile, notMailedFile, sentBeforeFile, stopped } = report;
  const named = (path?: string) => (path ? ` (${path})` : '');
  const line = (count: number, text: string): string[] => (count > 0 ? [`  ${count} ${text}`] : []);
  const left = optionsOf({ except: [...except, ...(notMailedFile ? [notMailedFile] : [])] }).join(' ');
  const correct = `: correct them in ${rejectedFile}, and import that file${left === '' ? '' : ` with ${left}`}`;
  const again = file.hasChanged
    ? 'To go on, run the same command with --only-new: it sends people who were not sent before.'
    : 'To resume, run the same command again.';
  const unknown = `unknown: they may have taken effect, and must not be sent twice; look them up${named(unknownFile)}`;
  return [
    dryRun ? `Dry run, nothing was sent: ${counted(rows, 'row')}` : counted(rows, 'row'),
    ...(dryRun ? line(pending, 'can be imported') : [`  ${report.sent} sent`]),
    ...line(report.rejected, `rejected${rejectedFile ? correct : ''}`),
    ...reasonLines(report.reasons),
    ...line(report.unknown, unknown),
    ...line(report.notMailed, `not mailed${named(notMailedFile)}`),
    ...leftSinceLines(report.leftSince, notMailedFile),
    ...line(report.sentBefore, `left out, as they may have been sent before${named(sentBeforeFile)}`),
    ...(dryRun ? [] : [...line(pending, 'left to send'), ...reasonLines(report.pendingReasons)]),
    ...(stopped ? [`Stopped: ${shown(stopped)}`, again] : []),
  ];
}
