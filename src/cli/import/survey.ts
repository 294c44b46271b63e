import { UsageError } from '../command-line.ts';
import { hasOpenCommas, unprotect } from '../csv.ts';
import { type BirthdayCounts, countBirthday, orderOf } from './birthdays.ts';
import { type Column, mapColumns, namesOf } from './columns.ts';
import type { Choices, Job } from './job.ts';
import { type Reading, readRows } from './read-rows.ts';

/** The values of a column. */
export interface Values {
  /** The first distinct ones, by what is compared. */
  readonly texts: Map<string, { readonly text: string; rows: number }>;
  /** There are more. */
  isFull: boolean;
  empty: number;
  filled: number;
}

/** What the rows of a file contain, before anything is decided. */
export interface Survey {
  readonly reading: Reading;
  readonly header: readonly string[];
  readonly rows: number;
  /** Rows with more cells than the header. */
  readonly longRows: number;
  readonly values: readonly Values[];
  readonly birthdays: BirthdayCounts;
  /** A cell of tags with commas that may separate them; empty if there is none. */
  readonly commas: string;
}

/** Distinct values of a column that are counted, and their length. */
const maxValues = 20;
const maxLength = 200;

/** Returns a cell for comparison. */
export const keyOf = (cell: string): string => unprotect(cell).trim().toLowerCase();

/** Reads all rows: what values do the columns have? */
export async function surveyRows(
  { file, context }: Job,
  reading: Reading,
  choices: Choices,
): Promise<Survey> {
  let [rows, longRows] = [0, 0];
  let columns: readonly Column[] = [];
  let values: Values[] = [];
  const birthdays = { 'day-first': 0, 'month-first': 0, either: 0, example: '' };
  let commas = '';
  for await (const [row, cells] of readRows(file, reading, context.signal)) {
    rows = row + 1;
    if (row < 0) {
      columns = mapColumns(namesOf(cells), choices);
      values = columns.map(() => ({ texts: new Map(), isFull: false, empty: 0, filled: 0 }));
      continue;
    }
    if (cells.length > columns.length) longRows += 1;
    for (const [index, column] of values.entries()) {
      const cell = cells[index] ?? '';
      if (!addValue(column, cell)) continue;
      const field = columns[index]?.field;
      if (field === 'birthday') countBirthday(birthdays, unprotect(cell).trim());
      if (field === 'tags' && hasOpenCommas(unprotect(cell))) commas ||= cell;
    }
  }
  if (columns.length === 0)
    throw new UsageError(`${file.name} is empty; its first line must name the columns`, 'file');
  const header = columns.map(({ name }) => name);
  return { reading, header, rows, longRows, values, birthdays, commas };
}

/** Returns whether the cell has a value. */
function addValue(column: Values, cell: string): boolean {
  const key = keyOf(cell);
  if (key === '') {
    column.empty += 1;
    return false;
  }
  column.filled += 1;
  if (column.isFull) return true;
  const known = column.texts.get(key);
  if (known !== undefined) known.rows += 1;
  else if (column.texts.size >= maxValues) column.isFull = true;
  // A long text is no value of a group, and says nothing of the others.
  else if (cell.length > maxLength) return true;
  else column.texts.set(key, { text: unprotect(cell).trim(), rows: 1 });
  return true;
}

/** Returns the choices with what the file itself says. */
export function withFindings(choices: Choices, { birthdays }: Survey): Choices {
  const order = choices.birthdays ?? orderOf(birthdays);
  return order === undefined ? choices : { ...choices, birthdays: order };
}
