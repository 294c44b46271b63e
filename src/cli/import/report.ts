import { counted, quoted } from '../command-line.ts';
import { nameFieldOf } from '../field-names.ts';
import type { Checked } from './check-rows.ts';
import { type Column, listed } from './columns.ts';
import type { Open } from './open.ts';
import { type Job, optionsOf } from './options.ts';
import type { RowFiles } from './row-files.ts';
import { type Survey, unreadOf } from './survey.ts';
import type { Split } from './tally.ts';

const maxPrinted = 300;
const maxWidth = 80;
const maxReasons = 3;
const shown = (text: string, most = maxPrinted): string =>
  text.length > most ? `${text.slice(0, most - 3)}...` : text;

/** Returns lines that are printed only if something is so. */
const when = (isSo: boolean, ...lines: string[]): string[] => (isSo ? lines : []);

const people = (count: number): string => `${count} ${count === 1 ? 'person' : 'people'}`;

/** Returns the survey as data. The values of columns can be names: they stay out of logs, where `--yes` is. */
export function surveyData({ survey, people }: Checked, { yes = false }: Job['flags']) {
  const groups = yes ? [] : survey.groups;
  const columns = survey.columns.map((column, index) => ({
    ...column,
    values: groups.find(group => group.index === index)?.list.map(({ value, rows }) => ({ value, rows })),
  }));
  return { rows: survey.rows, people: people.count(), columns };
}

/** Returns texts in indented lines that are no longer than a terminal where that is possible. */
function wrapped(start: string, texts: readonly string[], between: string): string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const last = lines.at(-1);
    const longer = last === undefined ? `  ${start}${text}` : `${last}${between}${text}`;
    if (last === undefined || longer.length <= maxWidth) lines.splice(-1, 1, longer);
    else lines.splice(-1, 1, last + between.trimEnd(), `    ${text}`);
  }
  return lines;
}

/** Returns lines about what was found in the file. */
export function formatSurvey({ file, flags }: Job, { survey, people: all }: Checked): string[] {
  const { encoding, delimiter, above } = survey.reading;
  const named = { ',': 'comma', ';': 'semicolon', '\t': 'tab' }[delimiter] ?? `"${delimiter}"`;
  const { columns, values, ownColumns } = survey;
  const mapped = columns.flatMap(({ name, field }) =>
    field ? `${shown(name, maxWidth / 2)} -> ${shown(field, maxWidth / 2)}` : [],
  );
  const left = columns.filter(
    ({ field }, index) => field === undefined && values[index]?.filled && !ownColumns.includes(index),
  );
  return [
    `${file.name}: ${counted(survey.rows, 'row')}, ${people(all.count())}, ${encoding.toUpperCase()}, ${named}`,
    ...when(above > 0, `  The names of the columns are in line ${above + 1}: what is above is skipped`),
    ...wrapped('', mapped, '   '),
    ...wrapped('Not sent: ', listed(left.map(({ name }) => shown(name, maxWidth / 2))), ', '),
    ...wrapped('Names? Add ', namesOffered(columns), ' '),
    ...otherThanYes(survey, flags),
  ];
}

/** Returns options for columns that look like names of people, by what they are called. */
const namesOffered = (columns: readonly Column[]): string[] =>
  columns.flatMap(({ name, field }) => {
    const offered = field === undefined ? nameFieldOf(name) : undefined;
    const isTaken = columns.some(other => other.field === offered);
    return offered === undefined || isTaken ? [] : `--map ${quoted(`${name}=${offered}`)}`;
  });

/** Returns lines about values of the column `mailable` that do not count. */
function otherThanYes({ values, ownColumns, choices }: Survey, { yes: isLogged }: Job['flags']): string[] {
  const [own] = ownColumns.flatMap(index => values[index] ?? []);
  if (own === undefined || choices.mailable !== undefined) return [];
  const others = [...own.texts].flatMap(([key, value]) => (key === 'yes' || key === 'no' ? [] : value));
  const rows = others.reduce((sum, value) => sum + value.rows, 0);
  if (rows === 0) return [];
  const start = `${counted(rows, 'row')} with other values in mailable, where only yes counts`;
  const examples = others.slice(0, maxReasons).map(({ text, rows }) => `${shown(text, maxValue)} (${rows})`);
  return isLogged ? [`  ${start}`] : wrapped(`${start}: `, examples, ', ');
}

/** Returns lines about the columns by which people can be told apart, and about what is open. */
export function formatOpen({ flags }: Job, checked: Checked, open: readonly Open[]): string[] {
  const groups = flags.yes ? [] : checked.survey.groups;
  const out = checked.statuses.count('left-out', 'left-since');
  return [
    ...when(groups.length > 0, 'Columns with few different values, and their rows:'),
    ...groups.flatMap(({ name, list }) => {
      const texts = list.map(({ value, rows, detail = '' }) => `${value} ${rows}${detail}`);
      return wrapped(`${name}: `, texts, ' | ');
    }),
    ...saidLines(checked, flags),
    ...when(out > 0, `${counted(out, 'row')} will stay out, by what is said so far.`),
    'Nothing was sent. Add to the command what only you know:',
    ...open.flatMap(({ what, add }) => [
      ...wrapped('', what.split(' '), ' '),
      ...add.map(option => `      ${option}`),
    ]),
  ];
}

/** Returns lines about values that no row has, and the files of people. */
const saidLines = ({ audience, lists }: Checked, { yes }: Job['flags']): string[] => [
  ...audience.unused(yes === true),
  ...lists,
];

/** Lines about columns that split people, and the length of a value, of which nothing has to be typed here. */
const maxLines = 10;
const maxValue = 20;

/** Returns lines for the columns that fit, and their indexes. */
function formatSplits(splits: readonly Split[]): { readonly lines: string[]; readonly indexes: number[] } {
  const lines: string[] = [];
  const fitting = splits.filter(({ name, values }) => {
    const texts = values.map(
      ({ value, going, staying }) => `${shown(value, maxValue)} ${going} / ${staying}`,
    );
    const added = wrapped(`${shown(name, maxValue)}: `, texts, ' | ');
    const fits = lines.length + added.length <= maxLines;
    if (fits) lines.push(...added);
    return fits;
  });
  return { lines, indexes: fitting.map(({ index }) => index) };
}

const maxUnread = 8;

/** Returns lines about columns that nobody has read: a sentence in them can say no. What is whole in the lines above is read. */
function unreadLines({ survey, audience }: Checked, above: readonly number[], isLogged = false): string[] {
  const unread = unreadOf(
    survey,
    (index, length) => audience.isStrict(index) || (above.includes(index) && length <= maxValue),
  );
  const names = unread.slice(0, maxUnread).map(({ name, rows, example }) => {
    const such = example && !isLogged ? `, such as "${shown(example, 2 * maxValue)}"` : '';
    return `${shown(name, maxValue)} (${counted(rows, 'row')}${such})`;
  });
  if (unread.length > maxUnread) names.push(`and ${counted(unread.length - maxUnread, 'more column')}`);
  const lines = wrapped('', names, ', ');
  return when(
    lines.length > 0,
    'Columns that were not read, and can say no:',
    ...lines,
    '  Look there first. --except FILE keeps out whose addresses are in a file.',
  );
}

/** Returns lines about who goes and who stays out. With `--yes`, they are for a log: no names, no addresses. */
export function formatChecked(checked: Checked, { flags }: Job): string[] {
  const { statuses, badBirthdays, dotless, tally, kept, cameBack } = checked;
  const { lines, indexes } = formatSplits(flags.yes ? [] : tally.splits(statuses));
  const sample = kept.find(({ index }) => statuses.get(index) === 'pending');
  const first = shown(`First row: ${JSON.stringify(sample?.params)}`, maxWidth);
  const example = (cell: string) => (flags.yes ? '' : `, such as "${shown(cell, maxValue)}",`);
  const birthdays = `${counted(badBirthdays.rows, 'birthday')} cannot be read${example(badBirthdays.example)}`;
  const addresses = `${counted(dotless.rows, 'row')} with no dot after the @ in the address`;
  return [
    ...when(lines.length > 0, 'Rows that go / stay out, by column and value:', ...lines),
    ...unreadLines(checked, indexes, flags.yes),
    ...when(sample !== undefined && flags.yes !== true, first),
    ...saidLines(checked, flags),
    ...when(badBirthdays.rows > 0, `${birthdays} and will be left out`),
    ...when(dotless.rows > 0, `${addresses}${example(dotless.example)} will go`),
    ...when(cameBack.size > 0, `${people(cameBack.size)} stayed out of an earlier import, and will go now`),
  ];
}

/** Returns how many people will be mailed, also as a text that says how many will not. */
export function peopleOf({ people: all, statuses }: Checked): {
  readonly going: number;
  readonly text: string;
} {
  const going = all.count(index => statuses.get(index) === 'pending');
  const out = all.count(index => ['left-out', 'left-since'].includes(statuses.get(index)));
  return { going, text: `${people(going)} (${out} ${out === 1 ? 'stays' : 'stay'} out)` };
}

function reasonLines(reasons: readonly { readonly reason: string; readonly rows: number }[]): string[] {
  const first = reasons.slice(0, maxReasons);
  const others = reasons.length - first.length;
  return [
    ...first.map(({ reason, rows }) => `  ${String(rows).padStart(6)}  ${shown(reason)}`),
    ...when(others > 0, `          ${counted(others, 'other reason')}`),
  ];
}

export type Report = ReturnType<typeof createReport>;
const maxReported = 100;

/** Returns the report. `rows` is the sum of the numbers from `sent` to `pending`. */
export function createReport({ file, flags }: Job, checked: Checked, files: RowFiles, stopped?: string) {
  const { statuses, survey, badBirthdays } = checked;
  const isLogged = flags.yes === true;
  return {
    dryRun: flags.dryRun === true,
    file: file.name,
    rows: statuses.rows,
    sent: statuses.count('sent'),
    sentBefore: statuses.count('sent-before'),
    rejected: statuses.count('rejected'),
    leftOut: statuses.count('left-out'),
    stillOut: checked.stillOut,
    cameBack: checked.cameBack.size,
    leftSince: statuses.count('left-since'),
    pending: statuses.count('pending'),
    reasons: statuses.reasonCounts('rejected', isLogged).slice(0, maxReported),
    pendingReasons: statuses.reasonCounts('pending', isLogged).slice(0, maxReported),
    birthdaysLeftOut: badBirthdays.rows,
    ignoredColumns: survey.columns.flatMap(({ name, field }) => (field === undefined ? name : [])),
    ...files,
    stopped,
  };
}

const line = (count: number, text: string): string[] => when(count > 0, `  ${count} ${text}`);

/** Returns lines about the rows that are not sent, before and after the others are. */
export function formatNotSent({ rejectedFile, leftOutFile, ...report }: Report): string[] {
  const { sentBefore, leftOut, stillOut, leftSince, rejected, reasons } = report;
  const named = (path?: string) => (path ? ` (${path})` : '');
  return [
    ...line(sentBefore, 'sent before, and not changed since'),
    ...line(leftOut, `left out${named(leftOutFile)}`),
    ...when(
      stillOut > 0,
      `  ${stillOut} of them because an earlier import of this file left these people out.`,
      '    If some agreed since, write their addresses in a file, and add --readmit FILE',
    ),
    ...when(
      leftSince > 0,
      `  ${leftSince} left out of people whom an earlier import sent:`,
      `    only the service itself can unsubscribe them${named(leftOutFile)}`,
    ),
    ...line(rejected, `rejected${named(rejectedFile)}`),
    ...reasonLines(reasons),
  ];
}

export function formatReport(report: Report, { survey: { choices } }: Checked): string[] {
  const { dryRun, rows, pending, rejectedFile = '', leftOutFile, stopped = '' } = report;
  const except = [...(choices.except ?? []), ...(leftOutFile ? [leftOutFile] : [])];
  const corrected = optionsOf({ ...choices, ...(except.length > 0 && { except }) });
  return [
    dryRun ? `Dry run, nothing was sent: ${counted(rows, 'row')}` : counted(rows, 'row'),
    ...(dryRun ? line(pending, 'can be imported') : [`  ${report.sent} sent`]),
    ...formatNotSent(report),
    ...(dryRun ? [] : [...line(pending, 'left to send'), ...reasonLines(report.pendingReasons)]),
    ...when(
      rejectedFile !== '',
      `Correct ${rejectedFile}, unless you did, and import it with:`,
      `  npx email-marketing-client import ${quoted(rejectedFile)} ${corrected}`,
    ),
    ...when(
      stopped !== '',
      `Stopped: ${shown(stopped)}`,
      'To go on, run the same command again: it sends what is left.',
    ),
  ];
}
