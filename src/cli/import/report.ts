import { counted, quoted } from '../command-line.ts';
import { visible } from '../csv.ts';
import type { Checked } from './check-rows.ts';
import { listed } from './columns.ts';
import type { Open } from './open.ts';
import { type Job, optionsOf } from './options.ts';
import type { RowFiles } from './row-files.ts';
import { groupsOf, listOfValues, type Survey } from './survey.ts';

const maxPrinted = 300;
const maxColumns = 60;
const maxSamples = 3;
const maxReasons = 10;
const shown = (text: string): string => (text.length > maxPrinted ? `${text.slice(0, maxPrinted)}...` : text);

const people = (count: number): string => `${count} ${count === 1 ? 'person' : 'people'}`;

/** Returns the survey as data. The values of columns can be names: they stay out of logs, where `--yes` is. */
export function surveyData(survey: Survey, { yes = false }: Job['flags']) {
  const groups = yes ? [] : groupsOf(survey);
  const columns = survey.columns.map((column, index) => ({
    ...column,
    values: groups.find(group => group.index === index)?.values.map(([value, rows]) => ({ value, rows })),
  }));
  return { rows: survey.rows, people: survey.people, columns };
}

/** Returns lines about what was found in the file. */
export function formatSurvey({ file }: Job, survey: Survey): string[] {
  const { encoding, delimiter } = survey.reading;
  const named = { ',': 'comma', ';': 'semicolon', '\t': 'tab' }[delimiter] ?? `"${delimiter}"`;
  const { columns, values } = survey;
  const mapped = columns.flatMap(({ name, field }) => (field ? `${shown(name)} -> ${shown(field)}` : []));
  const more =
    mapped.length > maxColumns ? [`and ${counted(mapped.length - maxColumns, 'more column')}`] : [];
  const left = columns.filter(({ field }, index) => field === undefined && values[index]?.filled);
  return [
    `${file.name}: ${counted(survey.rows, 'row')}${survey.people > 0 ? `, ${people(survey.people)}` : ''}, ${encoding.toUpperCase()}, ${named}`,
    ...(mapped.length > 0 ? [`  ${[...mapped.slice(0, maxColumns), ...more].join('   ')}`] : []),
    ...(left.length > 0 ? [`  Not sent: ${listed(left.map(({ name }) => name))}`] : []),
  ];
}

/** Returns lines about the columns by which people can be told apart, and about what is open. */
export function formatOpen({ flags }: Job, survey: Survey, open: readonly Open[]): string[] {
  const groups = flags.yes ? [] : groupsOf(survey);
  return [
    ...(groups.length > 0 ? ['Columns with few different values, and their rows:'] : []),
    ...groups.map(({ name, values }) => `  ${visible(name)}: ${listOfValues(values)}`),
    'Open, and nothing was sent. Add to the command:',
    ...open.flatMap(({ what, add }) => [`  ${what}`, ...add.map(option => `      ${option}`)]),
  ];
}

/** Returns lines about who goes and who stays out. With `--yes`, they are for a log: no names, no addresses. */
export function formatChecked(checked: Checked, { flags }: Job): string[] {
  const { statuses, badBirthdays, tally, audience, lists } = checked;
  const rejected = statuses.count('rejected');
  const before = statuses.count('sent-before');
  return [
    ...audience.unused,
    ...lists,
    ...(badBirthdays.rows > 0
      ? [
          `${counted(badBirthdays.rows, 'birthday')} cannot be read, such as "${shown(badBirthdays.example)}", and will be left out`,
        ]
      : []),
    ...(rejected > 0
      ? [`${counted(rejected, 'row')} will be rejected:`, ...reasonLines(statuses.reasonCounts('rejected'))]
      : []),
    ...leftSinceLines(statuses.count('left-since')),
    ...(before > 0
      ? [`${counted(before, 'row')} ${before === 1 ? 'was' : 'were'} sent before, and not changed since`]
      : []),
    ...(flags.yes ? [] : detailLines(checked, tally.lines(statuses))),
  ];
}

function detailLines({ kept, statuses }: Checked, tally: readonly string[]): string[] {
  const samples = kept.filter(({ index }) => statuses.get(index) === 'pending').slice(0, maxSamples);
  const out = statuses.reasonCounts('left-out');
  return [
    ...(samples.length > 0 ? ['First rows as they will be sent:'] : []),
    ...samples.map(({ params }) => `  ${shown(JSON.stringify(params))}`),
    ...(out.length > 0 ? ['Rows that stay out:', ...reasonLines(out)] : []),
    ...(tally.length > 0 ? ['Rows that go / stay out, by column and value:', ...tally] : []),
  ];
}

/** Returns how many people will be mailed, and how many will not. */
export function peopleOf({ people: all, statuses }: Checked): {
  readonly going: number;
  readonly out: number;
} {
  return {
    going: all.count(index => statuses.get(index) === 'pending'),
    out: all.count(index => ['left-out', 'left-since'].includes(statuses.get(index))),
  };
}

export const formatPeople = ({ going, out }: ReturnType<typeof peopleOf>): string =>
  `${people(going)} (${out} ${out === 1 ? 'stays' : 'stay'} out)`;

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
export function createReport({ file, flags }: Job, checked: Checked, files: RowFiles, stopped?: string) {
  const { statuses, survey, badBirthdays } = checked;
  return {
    dryRun: flags.dryRun === true,
    file: file.name,
    rows: statuses.rows,
    sent: statuses.count('sent'),
    sentBefore: statuses.count('sent-before'),
    rejected: statuses.count('rejected'),
    leftOut: statuses.count('left-out'),
    leftSince: statuses.count('left-since'),
    pending: statuses.count('pending'),
    reasons: statuses.reasonCounts('rejected').slice(0, maxReported),
    pendingReasons: statuses.reasonCounts('pending').slice(0, maxReported),
    birthdaysLeftOut: badBirthdays.rows,
    ignoredColumns: survey.columns.flatMap(({ name, field }) => (field === undefined ? name : [])),
    ...files,
    stopped,
  };
}

export function formatReport(report: Report, { survey: { choices } }: Checked): string[] {
  const { dryRun, rows, pending, rejectedFile, leftOutFile, stopped } = report;
  const named = (path?: string) => (path ? ` (${path})` : '');
  const line = (count: number, text: string): string[] => (count > 0 ? [`  ${count} ${text}`] : []);
  const except = [...(choices.except ?? []), ...(leftOutFile ? [leftOutFile] : [])];
  const corrected = optionsOf({ ...choices, ...(except.length > 0 && { except }) });
  return [
    dryRun ? `Dry run, nothing was sent: ${counted(rows, 'row')}` : counted(rows, 'row'),
    ...(dryRun ? line(pending, 'can be imported') : [`  ${report.sent} sent`]),
    ...line(report.sentBefore, 'sent before, and not changed since'),
    ...line(report.leftOut, `left out${named(leftOutFile)}`),
    ...leftSinceLines(report.leftSince, leftOutFile),
    ...line(report.rejected, `rejected${named(rejectedFile)}`),
    ...reasonLines(report.reasons),
    ...(dryRun ? [] : [...line(pending, 'left to send'), ...reasonLines(report.pendingReasons)]),
    ...(rejectedFile
      ? [
          `Correct the rejected rows in ${rejectedFile}, and import them with:`,
          `  npx email-marketing-client import ${quoted(rejectedFile)} ${corrected}`,
        ]
      : []),
    ...(stopped
      ? [`Stopped: ${shown(stopped)}`, 'To go on, run the same command again: it sends what is left.']
      : []),
  ];
}
