import { UsageError } from '../command-line.ts';
import { hasOpenCommas, keyOf, unprotect, visible } from '../csv.ts';
import { type BirthdayCounts, countBirthday, isDate, orderOf } from './birthdays.ts';
import { type Column, isAboutGroups, mapColumns, namesOf } from './columns.ts';
import type { Choices, Job } from './job.ts';
import { saysLeft } from './plain-words.ts';
import { type Reading, readRows } from './read-rows.ts';

/** What a user calls an empty cell, one that reads as a date, and any. */
export const emptyName = '(empty)';
export const dateName = '(date)';
export const anyName = '(any)';

/** The values of a column. */
export interface Values {
  /** Distinct ones that are no dates, by what is compared. */
  readonly texts: Map<string, { readonly text: string; rows: number }>;
  empty: number;
  filled: number;
  dates: number;
}

/** What the rows of a file contain, before anything is decided. */
export interface Survey {
  readonly reading: Reading;
  readonly header: readonly string[];
  readonly rows: number;
  /** Number of cells of the shortest row. */
  readonly shortest: number;
  readonly values: readonly Values[];
  readonly birthdays: BirthdayCounts;
  /** A cell of tags with commas that may separate them; empty if there is none. */
  readonly commas: string;
  /** When it was made, in milliseconds since 1970. */
  readonly now: number;
}

/** Distinct values of a column that are listed. */
export const maxValues = 19;
/** Those that are counted: the first, and all that plainly say that a person left. */
const maxCounted = 500;
/** Length of values that are counted. */
const maxLength = 1000;

/** Reads all rows: what values do the columns have? */
export async function surveyRows(
  { file, context }: Job,
  reading: Reading,
  choices: Choices,
): Promise<Survey> {
  let [rows, shortest] = [0, Number.POSITIVE_INFINITY];
  let columns: readonly Column[] = [];
  let values: Values[] = [];
  const birthdays = { 'day-first': 0, 'month-first': 0, either: 0, example: '' };
  let commas = '';
  const now = context.now();
  for await (const [row, cells] of readRows(file, reading, context.signal)) {
    rows = row + 1;
    if (row < 0) {
      columns = mapColumns(namesOf(cells), choices);
      values = columns.map(() => ({ texts: new Map(), empty: 0, filled: 0, dates: 0 }));
      continue;
    }
    shortest = Math.min(shortest, cells.length);
    for (const [index, column] of values.entries()) {
      const cell = cells[index] ?? '';
      const field = columns[index]?.field;
      if (!addValue(column, cell, isAboutGroups(field), now)) continue;
      if (field === 'birthday') countBirthday(birthdays, unprotect(cell).trim());
      if (field === 'tags' && hasOpenCommas(unprotect(cell))) commas ||= cell;
    }
  }
  if (columns.length === 0)
    throw new UsageError(`${file.name} is empty; its first line must name the columns`, 'file');
  const header = columns.map(({ name }) => name);
  return { reading, header, rows, shortest, values, birthdays, commas, now };
}

/** Returns whether the cell has a value. Of a column about single people, the first ones are enough. */
function addValue(column: Values, cell: string, isAboutGroups: boolean, now: number): boolean {
  const key = keyOf(cell);
  if (key === '') {
    column.empty += 1;
    return false;
  }
  column.filled += 1;
  const { texts } = column;
  if (!isAboutGroups && texts.size >= maxValues) return true;
  if (isAboutGroups && isDate(key, now)) {
    column.dates += 1;
    return true;
  }
  const known = texts.get(key);
  if (known !== undefined) known.rows += 1;
  else if (saysLeft(cell) || (texts.size < maxCounted && cell.length <= maxLength))
    texts.set(key, { text: visible(unprotect(cell)), rows: 1 });
  return true;
}

/** Returns the choices with what the file itself says. */
export function withFindings(choices: Choices, { birthdays }: Survey): Choices {
  const order = choices.birthdays ?? orderOf(birthdays);
  return order === undefined ? choices : { ...choices, birthdays: order };
}
