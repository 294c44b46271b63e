import { counted } from '../command-line.ts';
import { type Line, styled } from '../terminal.ts';
import { anyName } from './audience.ts';
import type { Checked } from './checked-rows.ts';
import { type Column, hintsFor, isForeign, listed } from './columns.ts';
import { type Choices, type Job, optionsOf } from './job.ts';
import type { Reading } from './read-rows.ts';
import type { RowFiles } from './row-files.ts';
import type { RowStatus } from './row-statuses.ts';
import type { Survey } from './survey.ts';

const maxPrinted = 300;
const maxColumns = 60;
const maxSamples = 3;
const shown = (text: string): string => (text.length > maxPrinted ? `${text.slice(0, maxPrinted)}…` : text);

/** Returns lines about what was found in the file. */
export function formatSurvey(
  { file }: Job,
  survey: Survey,
  columns: readonly Column[],
  { encoding, delimiter }: Reading,
): Line[] {
  const named = { ',': 'comma', ';': 'semicolon', '\t': 'tab' }[delimiter] ?? `"${delimiter}"`;
  const sent = columns.filter(({ field }) => field !== undefined);
  const more = sent.length - maxColumns;
  return [
    `${file.name}: ${counted(survey.rows, 'row')}, ${encoding.toUpperCase()}, ${named}`,
    ...(sent.length === 0
      ? []
      : [
          [
            ...sent
              .slice(0, maxColumns)
              .flatMap(({ name, field = '' }, index) => [
                `${index === 0 ? '  ' : '   '}${shown(name)} → `,
                styled('green', shown(field)),
              ]),
            ...(more > 0 ? [`   and ${counted(more, 'more column')}`] : []),
          ],
        ]),
  ];
}

/** Returns lines about what will be sent. `given` are the options of this run. */
export function formatChecked(survey: Survey, checked: Checked, given: Choices): Line[] {
  const { choices, reading, statuses, kept, firstRejected, overlooked, badBirthdays } = checked;
  const samples = kept.filter(({ index }) => statuses.get(index) === 'pending').slice(0, maxSamples);
  const isAnswered = Object.entries(choices).some(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(given[name as keyof Choices]),
  );
  return [
    ...leftOutLines(survey, checked),
    ...audienceLines(checked),
    ...(badBirthdays.rows > 0
      ? [
          `${counted(badBirthdays.rows, 'birthday')} cannot be read, such as "${shown(badBirthdays.example)}", and will be left out`,
        ]
      : []),
    ...(samples.length > 0 ? ['First rows as they will be sent:'] : []),
    ...samples.map(({ params }) => `  ${shown(JSON.stringify(params))}`),
    ...(firstRejected
      ? [
          `${counted(statuses.count('rejected'), 'row')} will be rejected, first:`,
          `  ${shown(firstRejected.cells.join(reading.delimiter))}`,
          `  ${firstRejected.reason}`,
        ]
      : []),
    ...(isAnswered ? [`The same without questions: ${optionsOf(choices).join(' ')} --yes`] : []),
    ...(overlooked.length > 0
      ? [styled('yellow', 'Mind what the rows that will be sent say in other columns:'), ...overlooked]
      : []),
  ];
}

/** Returns lines about the columns that are not sent. */
function leftOutLines(survey: Survey, { columns, choices, decided }: Checked): Line[] {
  const left = columns.filter(
    (column, index) =>
      column.field === undefined &&
      isForeign(column) &&
      !decided.includes(index) &&
      survey.values[index]?.filled,
  );
  if (left.length === 0) return [];
  const names = left.map(({ name }) => name);
  const how = choices.fields === undefined ? '; --fields "COLUMN,COLUMN" makes custom fields of columns' : '';
  return [
    styled('yellow', `  Not sent: ${listed(names)}${how}`),
    ...hintsFor(names, columns).map(hint => `  ${hint}`),
  ];
}

function audienceLines({ choices: { mailable = [], except = [] }, statuses }: Checked): Line[] {
  const isRule = (text: string) => text !== 'everyone' && !text.endsWith(`=${anyName}`);
  const rules = [...mailable.filter(isRule), ...except.map(path => `not in ${path}`)].map(shown);
  const [pending, left] = [statuses.count('pending'), statuses.count('not-mailed', 'left-since')];
  const by = rules.length === 0 ? 'everyone' : rules.join(' and ');
  return [
    `${counted(pending, 'row')} will be mailed (${by})${left === 0 ? '' : `; ${left} will not`}`,
    ...reasonLines(statuses.reasonCounts('not-mailed')),
    ...leftSinceLines(statuses.count('left-since')),
  ];
}

const leftSinceLines = (rows: number, file = 'FILE.not-mailed.csv'): Line[] =>
  rows === 0
    ? []
    : [
        styled(
          'red',
          `${counted(rows, 'row')} of people whom an earlier import sent: only the service itself can unsubscribe them (${file})`,
        ),
      ];

type Reasons = readonly { readonly reason: string; readonly rows: number }[];
const maxReasons = 10;
const reasonLines = (reasons: Reasons): string[] => [
  ...reasons
    .slice(0, maxReasons)
    .map(({ reason, rows }) => `    ${String(rows).padStart(6)}  ${shown(reason)}`),
  ...(reasons.length > maxReasons ? ['            other reasons'] : []),
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

export function formatReport(report: Report): Line[] {
  const { dryRun, rows, pending, rejectedFile, unknownFile, notMailedFile, stopped } = report;
  const line = (count: number, text: string, style: 'green' | 'red' | 'yellow'): Line[] =>
    count > 0 ? [['  ', styled(style, String(count)), ` ${text}`]] : [];
  return [
    dryRun ? `Dry run, nothing was sent: ${counted(rows, 'row')}` : counted(rows, 'row'),
    ...(dryRun
      ? line(pending, 'can be imported', 'green')
      : [['  ', styled('green', String(report.sent)), ' sent'] as Line]),
    ...line(
      report.rejected,
      `rejected${rejectedFile ? `: correct them in ${rejectedFile}, and import that file` : ''}`,
      'red',
    ),
    ...reasonLines(report.reasons),
    ...line(
      report.unknown,
      `unknown: they may have taken effect, and must not be sent twice; look them up (${unknownFile})`,
      'yellow',
    ),
    ...line(report.notMailed, `not mailed${notMailedFile ? ` (${notMailedFile})` : ''}`, 'yellow'),
    ...leftSinceLines(report.leftSince, notMailedFile),
    ...line(report.sentBefore, 'of people who were sent before', 'yellow'),
    ...(dryRun ? [] : [...line(pending, 'left to send', 'yellow'), ...reasonLines(report.pendingReasons)]),
    ...(stopped
      ? [styled('red', `Stopped: ${shown(stopped)}`), 'To resume, run the same command again.']
      : []),
  ];
}
