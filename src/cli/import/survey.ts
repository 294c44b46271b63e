import { UsageError } from '../command-line.ts';
import { keyOf, unprotect, visible } from '../csv.ts';
import { leftOutColumn, reasonColumn } from '../fields.ts';
import { isAddress } from './addresses.ts';
import { type BirthdayCounts, countBirthday, isDate, orderOf } from './birthdays.ts';
import { type Column, isAboutGroups, mapColumns, namesOf } from './columns.ts';
import { type Choices, type Job, listOf } from './options.ts';
import { peopleIn } from './people.ts';
import { type Reading, readRows } from './read-rows.ts';

/** What a user calls an empty cell, and one that reads as a date. */
export const emptyName = '(empty)';
export const dateName = '(date)';

/** The values of a column. */
interface Values {
  /** Distinct ones that are no dates, by what is compared. */
  readonly texts: Map<string, { readonly text: string; rows: number }>;
  empty: number;
  filled: number;
  dates: number;
  addresses: number;
}

/** What the rows of a file contain, before anything is decided. */
export interface Survey {
  readonly reading: Reading;
  readonly columns: readonly Column[];
  readonly header: readonly string[];
  readonly rows: number;
  /** Different addresses. */
  readonly people: number;
  /** Number of cells of the shortest row. */
  readonly shortest: number;
  readonly values: readonly Values[];
  readonly birthdays: BirthdayCounts;
  /** The choices, with the order of birthdays if only one fits all of them. */
  readonly choices: Choices;
  /** When it was made, in milliseconds since 1970. */
  readonly now: number;
}

/** Distinct values of a column that are shown: of one with more, none. */
const maxShown = 12;
/** Those that are counted, and their length. */
const maxCounted = 500;
const maxLength = 1000;

/** Reads all rows: what values do the columns have? */
export async function surveyRows({ file, context, choices }: Job, reading: Reading): Promise<Survey> {
  let [rows, shortest] = [0, Number.POSITIVE_INFINITY];
  let columns: readonly Column[] = [];
  let values: Values[] = [];
  const people = new Set<number>();
  const birthdays = { 'day-first': 0, 'month-first': 0, either: 0, example: '' };
  const now = context.now();
  for await (const [row, cells] of readRows(file, reading, context.signal)) {
    rows = row + 1;
    if (row < 0) {
      const names = namesOf(cells);
      requireNotLeftOut(file.name, names);
      columns = mapColumns(names, choices);
      values = columns.map(() => ({ texts: new Map(), empty: 0, filled: 0, dates: 0, addresses: 0 }));
      continue;
    }
    shortest = Math.min(shortest, cells.length);
    for (const [index, column] of values.entries()) {
      const cell = cells[index] ?? '';
      const field = columns[index]?.field;
      addValue(column, cell, isAboutGroups(field), now);
      if (field === 'birthday') countBirthday(birthdays, unprotect(cell).trim());
      if (field === 'email') for (const person of peopleIn(cell).slice(0, 1)) people.add(person);
    }
  }
  if (columns.length === 0)
    throw new UsageError(`${file.name} is empty; its first line must name the columns`, 'file');
  const order = choices.birthdays ?? orderOf(birthdays);
  return {
    ...{ reading, columns, rows, shortest, values, birthdays, now },
    header: columns.map(({ name }) => name),
    people: people.size,
    choices: order === undefined ? choices : { ...choices, birthdays: order },
  };
}

function requireNotLeftOut(name: string, [first]: readonly string[]): void {
  if (first === leftOutColumn)
    throw new UsageError(
      `${name} lists people who may not be mailed, with the reason: it cannot be imported, only passed to --except`,
      'file',
    );
}

function addValue(column: Values, cell: string, isAboutGroups: boolean, now: number): void {
  const key = keyOf(cell);
  if (key === '') {
    column.empty += 1;
    return;
  }
  column.filled += 1;
  if (isAddress(cell)) column.addresses += 1;
  if (!isAboutGroups) return;
  if (isDate(key, now)) {
    column.dates += 1;
    return;
  }
  const { texts } = column;
  const known = texts.get(key);
  if (known !== undefined) known.rows += 1;
  else if (texts.size < maxCounted && cell.length <= maxLength)
    texts.set(key, { text: visible(unprotect(cell)), rows: 1 });
}

/** Values with their rows. */
export type Counted = readonly (readonly [value: string, rows: number])[];

/** A column that tells groups of people apart. */
export interface Group {
  readonly index: number;
  readonly name: string;
  readonly values: Counted;
}

/** Returns the columns with few different values, whatever they are called: of most rows, the value is that of others, too. */
export const groupsOf = ({ columns, values }: Survey): Group[] =>
  columns.flatMap(({ name, field }, index): Group[] => {
    const column = values[index];
    if (!isAboutGroups(field) || name === reasonColumn || column === undefined || column.filled === 0)
      return [];
    const list = valuesOf(column);
    const texts = column.filled - column.dates;
    const isFew = list.length <= maxShown && (texts <= maxShown || 2 * column.texts.size <= texts);
    return isFew && column.addresses === 0 ? [{ index, name, values: list }] : [];
  });

/** Returns the values of a column, the most frequent first. */
const valuesOf = ({ texts, empty, dates }: Values): Counted =>
  [
    ...[...texts.values()].map(({ text, rows }) => [text, rows] as const),
    ...[[emptyName, empty] as const, [dateName, dates] as const].filter(([, rows]) => rows > 0),
  ].sort(([, one], [, other]) => other - one);

/** Returns values with their rows as text, as they are typed. */
export const listOfValues = (values: Counted): string =>
  values.map(([value, rows]) => `${listOf([value])} ${rows}`).join(' | ');
