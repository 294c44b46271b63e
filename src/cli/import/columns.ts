import { quoted, UsageError } from '../command-line.ts';
import { plainKey, unprotect, visible } from '../csv.ts';
import { columnFields, fieldOfName, mailableColumn, ownField, plainName } from '../fields.ts';
import { isAddress } from './addresses.ts';

export interface Column {
  readonly name: string;
  /** Field such as `firstName` or `customFields.plan`; absent if the column is not imported. */
  readonly field?: string | undefined;
}

export interface TableRow {
  readonly cells: readonly string[];
  /** Number of the line in which the row begins, from 1. */
  readonly line: number;
}

/** Cells of a file: the line that names the columns, and the rows below it, without blank ones. */
export interface Cells {
  readonly header: readonly string[];
  readonly rows: readonly TableRow[];
}

/** Returns a name for each column: `Email (2)` for the second of two with the same name, `column 3` for one without a name. */
function namesOf(cells: readonly string[]): string[] {
  const texts = cells.map((cell, index) => visible(unprotect(cell)) || `column ${index + 1}`);
  const count = (text: string, end?: number) => texts.slice(0, end).filter(other => other === text).length;
  return texts.map((text, index) => (count(text) === 1 ? text : `${text} (${count(text, index + 1)})`));
}

/** Returns the columns with their fields: by `--map`, by the fields' own names, or by other names. */
export function mapColumns(
  path: string,
  { header, rows }: Cells,
  map: readonly string[] = [],
): readonly Column[] {
  const columns = namesOf(header).map(name => ({ name }));
  const found = new Map<string, number>();
  const chosen = new Set<number>();
  for (const text of map) {
    const [, name = '', field = ''] = /^(.+)=(.*)$/s.exec(text) ?? [];
    if (name === '') throw new UsageError(`--map takes COLUMN=FIELD, not ${quoted(text)}.`);
    if (field !== '' && !(columnFields as string[]).includes(field) && !/^customFields\../s.test(field))
      throw new UsageError(
        `--map ${quoted(text)}: no field is named ${field}. The fields are ${columnFields.join(', ')}, customFields.NAME.`,
      );
    const index = indexOf('--map', name, columns);
    if (field !== '' && found.has(field))
      throw new UsageError(`--map: two columns cannot both be ${field}. Leave one out.`);
    chosen.add(index);
    found.set(field, index);
  }
  for (const fieldOf of [ownField, fieldOfName])
    for (const [index, { name }] of columns.entries()) {
      const field = fieldOf(name);
      if (field !== undefined && !chosen.has(index) && !found.has(field)) found.set(field, index);
    }
  if (!found.has('email')) {
    const counts = columns.map((_, at) => rows.filter(({ cells }) => isAddress(cells[at] ?? '')).length);
    const { name } = columns[counts.indexOf(Math.max(1, ...counts))] ?? { name: 'COLUMN' };
    throw new UsageError(`${path}: which column has the email? Add --map ${quoted(`${name}=email`)}.`);
  }
  const fieldAt = new Map([...found].map(([field, index]) => [index, field]));
  return columns.map(({ name }, index) => ({ name, field: fieldAt.get(index) || undefined }));
}

/** Returns the column that an option names, exactly or ignoring case. @throws UsageError if no column has this name, or several. */
export function indexOf(option: string, name: string, columns: readonly Column[]): number {
  const having = (key: (text: string) => string) =>
    columns.flatMap((other, index) => (key(other.name) === key(name) ? index : []));
  const exact = having(visible);
  const [index, second] = exact.length > 0 ? exact : having(plainKey);
  if (index !== undefined && second === undefined) return index;
  throw new UsageError(
    `${option}: ${index === undefined ? 'no' : 'more than one'} column is named ${quoted(name)}. The columns are ${listed(columns.map(other => other.name))}.`,
  );
}

/** Returns the index of the column `mailable`. */
export function mailableIndex(path: string, cells: readonly string[]): number {
  const [index, second] = cells.flatMap((cell, at) => (plainName(cell) === mailableColumn ? at : []));
  if (index !== undefined && second === undefined) return index;
  throw new UsageError(
    second !== undefined
      ? `${path} has more than one column named ${mailableColumn}. Delete all but one.`
      : `${path} has no column named ${mailableColumn}, so nothing was imported. Open the file in a spreadsheet, add a ` +
          `column named ${mailableColumn}, and write yes in it for each person who agreed to get email from you. Before ` +
          'you fill in the column, look at columns such as Status, Unsubscribed or Newsletter. Rows without yes are ' +
          'skipped. Save the file as "CSV UTF-8", and run the same command again.',
    'confirmation',
  );
}

const maxListed = 20;

/** Returns text with the first of the names, and the number of the others. */
export const listed = (names: readonly string[]): string =>
  names.slice(0, maxListed).join(', ') +
  (names.length > maxListed ? ` and ${names.length - maxListed} more` : '');
