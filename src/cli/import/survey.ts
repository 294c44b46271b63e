import { UsageError } from '../command-line.ts';
import { unprotect } from '../csv.ts';
import { plainName } from '../field-names.ts';
import { leftOutColumn, mailableColumn, reasonColumn } from '../fields.ts';
import { needsOrder } from './birthdays.ts';
import { type Column, isAboutGroups, mapColumns } from './columns.ts';
import type { Choices, Job } from './options.ts';
import { type Reading, readRows } from './read-rows.ts';
import { type FewValues, Values } from './values.ts';

/** What the rows of a file contain, before anything is decided. */
export interface Survey {
  readonly reading: Reading;
  readonly columns: readonly Column[];
  readonly header: readonly string[];
  /** Indexes of the columns that are called `mailable`. */
  readonly ownColumns: readonly number[];
  readonly rows: number;
  /** Number of cells of the shortest row. */
  readonly shortest: number;
  readonly values: readonly Values[];
  readonly groups: readonly Group[];
  /** A birthday whose order of day and month only the user knows; empty if there is none. */
  readonly birthday: string;
  readonly choices: Choices;
  /** When it was made, in milliseconds since 1970. */
  readonly now: number;
}

/** Reads all rows: what values do the columns have? */
export async function surveyRows({ file, context, choices }: Job, reading: Reading): Promise<Survey> {
  let [rows, shortest, birthdayIndex] = [0, Number.POSITIVE_INFINITY, -1];
  let columns: readonly Column[] = [];
  let ownColumns: number[] = [];
  let values: Values[] = [];
  let birthday = '';
  const now = context.now();
  for await (const [row, cells] of readRows(file, reading, context.signal)) {
    rows = row + 1;
    if (row < 0) {
      requireNotLeftOut(file.name, cells);
      columns = mapColumns(cells, choices);
      ownColumns = cells.flatMap((cell, index) => (plainName(cell) === mailableColumn ? index : []));
      values = columns.map(
        ({ name, field }, index) => new Values(index, isAboutGroups(field) && name !== reasonColumn),
      );
      birthdayIndex = columns.findIndex(({ field }) => field === 'birthday');
      continue;
    }
    shortest = Math.min(shortest, cells.length);
    for (const column of values) column.add(cells[column.index] ?? '', now);
    const cell = unprotect(cells[birthdayIndex] ?? '').trim();
    if (birthday === '' && needsOrder(cell)) birthday = cell;
  }
  if (columns.length === 0)
    throw new UsageError(`${file.name} is empty; its first line must name the columns`, 'file');
  return {
    ...{ reading, columns, ownColumns, rows, shortest, values, birthday, now, choices },
    header: columns.map(({ name }) => name),
    groups: groupsOf(columns, values),
  };
}

function requireNotLeftOut(name: string, [first = '']: readonly string[]): void {
  if (plainName(first) === plainName(leftOutColumn))
    throw new UsageError(
      `${name} lists people who may not be mailed, with the reason: it cannot be imported, only passed to --except`,
      'file',
    );
}

/** A column that tells groups of people apart. */
export interface Group extends FewValues {
  readonly index: number;
  readonly name: string;
}

/** Returns the columns with few different values, whatever they are called; those with a single value come last. */
const groupsOf = (columns: readonly Column[], values: readonly Values[]): Group[] =>
  columns
    .flatMap(({ name, field }, index): Group[] => {
      const few = values[index]?.few(field === 'tags');
      return few === undefined ? [] : [{ index, name, ...few }];
    })
    .sort((one, other) => Number(one.list.length === 1) - Number(other.list.length === 1));

/** A column that only people can read. */
interface Unread {
  readonly name: string;
  readonly rows: number;
  /** A cell about email. */
  readonly example: string | undefined;
}

/** Returns the columns in people's own words, first those about email, and those that split people. */
export function unreadOf(
  { columns, values, groups }: Survey,
  isRead: (index: number, length: number) => boolean,
): Unread[] {
  const splitting = groups.flatMap(({ index, list }) => (list.length > 1 ? index : []));
  const unread = columns.flatMap(({ name }, index) => {
    const { ownWords, filled } = values[index] ?? new Values(index, false);
    const { text = '', isAboutEmail = false } = ownWords ?? {};
    if ((!ownWords && !splitting.includes(index)) || isRead(index, text.length)) return [];
    const example = isAboutEmail ? text : undefined;
    return { name, rows: filled, example, length: text.length };
  });
  return unread.sort(
    (one, other) => Number(!one.example) - Number(!other.example) || other.length - one.length,
  );
}
