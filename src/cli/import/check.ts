import { UsageError } from '../command-line.ts';
import { hasOtherSeparator, keyOf, unprotect } from '../csv.ts';
import { reasonColumn } from '../fields.ts';
import { startReading } from '../progress.ts';
import type { Context } from '../surroundings.ts';
import { addressIn, isAddress, peopleIn } from './addresses.ts';
import { type Column, indexOf, mapColumns, type TableRow } from './columns.ts';
import { noReader } from './noes.ts';
import { pause, type Table } from './read-rows.ts';
import {
  type BirthdayOrder,
  needsOrder,
  type Person,
  problemOf,
  type Row,
  rowReader,
  type Status,
} from './rows.ts';
import type { Sent } from './side-files.ts';

/** Options of the command. None of them replaces the yes in the file. */
export interface ImportOptions {
  readonly map?: readonly string[];
  readonly ignoreColumn?: readonly string[];
  readonly except?: readonly string[];
  readonly birthdays?: BirthdayOrder;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

const rowsAtOnce = 1000;

/** Decides what happens to each row by its cells, and to each person by all of that person's rows. */
export async function checkRows(
  path: string,
  table: Table,
  options: ImportOptions,
  except: ReadonlySet<string>,
  sent: Sent,
  context: Context,
) {
  const { mailable } = table;
  const columns = mapColumns(path, table, options.map);
  const indexOfField = (name: string) => columns.findIndex(({ field }) => field === name);
  const [emailAt, tagsAt] = [indexOfField('email'), indexOfField('tags')];
  if (options.birthdays === undefined) requireOneOrder(path, table, indexOfField('birthday'));
  const noOf = contradictions(columns, mailable, options.ignoreColumn);
  const toParams = rowReader(columns, options.birthdays);
  const people = new Map<string, Person>();
  const out = new Set<string>();

  const decide = ({ cells, line }: TableRow): Row => {
    const reject = (reason: string, brief = reason): Row => {
      return { cells, line, status: 'rejected', reason, brief };
    };
    const form = formProblem(cells, columns, table);
    const isYes = keyOf(cells[mailable] ?? '') === 'yes';
    const no = form === undefined && isYes ? noOf(cells) : undefined;
    // If a row cannot be assigned to columns, an address can be in any cell.
    const found = (form === undefined ? [cells[emailAt] ?? ''] : cells).flatMap(peopleIn);
    if (form !== undefined || !isYes || no !== undefined) for (const person of found) out.add(person);
    if (form !== undefined) return reject(form);
    if (!isYes) return { cells, line, status: 'skipped' };
    if (no !== undefined) return reject(...no);
    if (hasOtherSeparator(unprotect(cells[tagsAt] ?? ''))) throw tagsError(path, line, columns[tagsAt]?.name);
    const params = toParams(cells);
    const problem = problemOf(params, cells, table.isBroken);
    if (problem !== undefined) return reject(problem);
    const row: Row = { cells, line, status: 'pending', params };
    const [key = ''] = found;
    const person = people.get(key) ?? { key, rows: [] };
    people.set(key, person);
    person.rows.push(row);
    return row;
  };

  const rows: Row[] = [];
  using progress = startReading(context, path, table.rows.length);
  for (const [at, row] of table.rows.entries()) {
    if (at % rowsAtOnce === 0) await pause(context.signal);
    progress.add(1);
    // A spreadsheet may contain yes below the last person, too.
    if (row.cells.some((cell, index) => cell !== '' && index !== mailable)) rows.push(decide(row));
  }
  for (const person of people.values()) {
    let status: Status = sent.has(person) ? 'sentBefore' : 'pending';
    if (except.has(person.key)) status = 'excepted';
    if (out.has(person.key)) status = 'outvoted';
    for (const row of person.rows) row.status = status;
  }
  return {
    columns,
    rows,
    /** People whose rows are to be sent. */
    people: [...people.values()].filter(({ rows: [first] }) => first?.status === 'pending'),
  };
}

/** Returns the error for tags with another separator: each cell would create a wrong tag. */
const tagsError = (path: string, line: number, column = '') =>
  new UsageError(
    `${path}: what separates the tags on line ${line}, column ${column}? Write commas or semicolons between tags, or a JSON ` +
      'array such as ["a/b", "c"].',
    'file',
  );

export type Checked = Awaited<ReturnType<typeof checkRows>>;

/** @throws UsageError if a birthday can be read in two ways. */
function requireOneOrder(path: string, { rows }: Table, birthdayAt: number): void {
  if (rows.some(({ cells }) => needsOrder(unprotect(cells[birthdayAt] ?? ''))))
    throw new UsageError(
      `${path}: does 03/04/1990 in the birthday column mean April 3 or March 4? Add --birthdays day-first or --birthdays month-first.`,
    );
}

/** Returns why the cells of a row cannot be assigned to columns. */
function formProblem(
  cells: readonly string[],
  { length }: readonly Column[],
  { delimiter }: Table,
): string | undefined {
  if (cells.slice(length).some(Boolean))
    return `the row has ${cells.length} cells, but the header has ${length}`;
  // After a stray quote, everything up to the next one is one cell, which contains other people's rows.
  const isRow = (line: string) => {
    const parts = line.split(delimiter).map(part => part.trim().replace(/^"|"$/g, ''));
    return parts.length >= Math.min(length, 2) && parts.some(part => isAddress(addressIn(part)));
  };
  const hasRows = (cell: string) => /[\r\n]/.test(cell) && cell.split(/\r?\n|\r/).some(isRow);
  return cells.some(hasRows) ? 'a cell contains other rows, because of a missing or extra quote' : undefined;
}

/** Fields with names of people and companies, which can be any word. */
const names = ['email', 'firstName', 'lastName', 'company', 'birthday'];

/** Returns a function that finds a clear no in a row. It returns the reason, and the first one for the column. */
function contradictions(columns: readonly Column[], mailable: number, ignored: readonly string[] = []) {
  const aside = [mailable, ...ignored.map(name => indexOf('--ignore-column', name, columns))];
  const watched = columns.flatMap(({ name, field = '' }, index) => {
    const isAside = aside.includes(index) || names.includes(field) || name === reasonColumn;
    const read = isAside ? undefined : noReader(name);
    return read ? { index, name, read } : [];
  });
  const first: string[] = [];
  return (cells: readonly string[]) => {
    for (const { index, name, read } of watched) {
      const text = read(cells[index] ?? '');
      if (text === undefined) continue;
      const reason = `mailable is yes, but ${name} is ${text}`;
      first[index] ??= reason;
      return [reason, first[index]] as const;
    }
    return undefined;
  };
}
