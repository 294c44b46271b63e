import { UsageError } from '../command-line.ts';
import { keyOf, unprotect } from '../csv.ts';
import { addressIn, isAddress, peopleIn } from './addresses.ts';
import { type Column, indexOf, mapColumns } from './columns.ts';
import { noReader } from './noes.ts';
import { pause, type Table } from './read-rows.ts';
import { type BirthdayOrder, needsOrder, type Person, problemOf, type Row, rowReader } from './rows.ts';
import type { Sent } from './sent.ts';

/** Options of the command. None of them permits anything: only the file does. */
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

/** Decides about each row by what the file says, and about each person by all rows of the person. */
export async function checkRows(
  path: string,
  table: Table,
  options: ImportOptions,
  except: ReadonlySet<string>,
  sent: Sent,
  signal: AbortSignal,
) {
  const { mailable } = table;
  const columns = mapColumns(path, table, options.map);
  const emailAt = columns.findIndex(({ field }) => field === 'email');
  const birthdayAt = columns.findIndex(({ field }) => field === 'birthday');
  if (options.birthdays === undefined) requireOneOrder(path, table, birthdayAt);
  const noOf = contradictions(columns, mailable, options.ignoreColumn);
  const toParams = rowReader(columns, options.birthdays);
  const people = new Map<string, Person>();
  const out = new Set<string>();

  const check = (cells: readonly string[]): Row => {
    const form = formProblem(cells, columns, table);
    const isYes = keyOf(cells[mailable] ?? '') === 'yes';
    const no = form === undefined && isYes ? noOf(cells) : undefined;
    // In a row that cannot be read, an address can be anywhere.
    const found = (form === undefined ? [cells[emailAt] ?? ''] : cells).flatMap(peopleIn);
    if (form !== undefined || !isYes || no !== undefined) for (const person of found) out.add(person);
    if (form !== undefined) return { cells, status: 'rejected', reason: form, brief: form };
    if (!isYes) return { cells, status: 'skipped' };
    if (no !== undefined) return { cells, status: 'rejected', ...no };
    const params = toParams(cells);
    const problem = problemOf(params, cells, table.isBroken);
    if (problem !== undefined) return { cells, status: 'rejected', reason: problem, brief: problem };
    const row: Row = { cells, status: 'pending', params };
    const [key = ''] = found;
    const person = people.get(key) ?? { key, rows: [] };
    people.set(key, person);
    person.rows.push(row);
    return row;
  };

  const rows: Row[] = [];
  for (const [at, cells] of table.rows.entries()) {
    if (at % rowsAtOnce === 0) await pause(signal);
    // Somebody may have written yes below the last person, too.
    if (cells.some((cell, index) => cell !== '' && index !== mailable)) rows.push(check(cells));
  }
  for (const person of people.values()) {
    const isExcepted = except.has(person.key);
    const status = out.has(person.key)
      ? 'outvoted'
      : isExcepted
        ? 'excepted'
        : sent.has(person)
          ? 'sentBefore'
          : 'pending';
    for (const row of person.rows) row.status = status;
  }
  return {
    columns,
    rows,
    /** People whose rows are to be sent. */
    people: [...people.values()].filter(({ rows: [first] }) => first?.status === 'pending'),
    /** Rows in which `mailable` is neither `yes` nor `no` nor empty. */
    odd: rows.filter(({ cells }) => !['yes', 'no', ''].includes(keyOf(cells[mailable] ?? ''))).length,
    badBirthdays: rows.filter(({ cells, params }) => params && !params.birthday && cells[birthdayAt]).length,
  };
}

export type Checked = Awaited<ReturnType<typeof checkRows>>;

/** @throws UsageError if a birthday can be read in two ways. */
function requireOneOrder(path: string, { rows }: Table, birthdayAt: number): void {
  if (rows.some(cells => needsOrder(unprotect(cells[birthdayAt] ?? ''))))
    throw new UsageError(
      `${path}: does 03/04/1990 in the column of birthdays mean April 3 or March 4? Add --birthdays day-first or --birthdays month-first`,
    );
}

/** Returns why nobody knows what the cells of a row mean. */
function formProblem(
  cells: readonly string[],
  { length }: readonly Column[],
  { delimiter }: Table,
): string | undefined {
  if (cells.slice(length).some(Boolean)) return `the row has ${cells.length} cells, the header ${length}`;
  // A stray quote makes one cell of all that follows, up to the next one: other people's rows are in it.
  const isRow = (line: string) => {
    const parts = line.split(delimiter).map(part => part.trim().replace(/^"|"$/g, ''));
    return parts.length >= Math.min(length, 2) && parts.some(part => isAddress(addressIn(part)));
  };
  const hasRows = (cell: string) => /[\r\n]/.test(cell) && cell.split(/\r?\n|\r/).some(isRow);
  return cells.some(hasRows)
    ? 'a cell contains what look like rows: a quote is missing or too many'
    : undefined;
}

/** Fields that hold names, whatever they are. */
const names = ['email', 'firstName', 'lastName', 'company', 'birthday'];
const maxShown = 60;

/** Returns a function that finds what plainly says no in a row, in any column but those put aside. */
function contradictions(columns: readonly Column[], mailable: number, ignored: readonly string[] = []) {
  const aside = [mailable, ...ignored.map(name => indexOf('--ignore-column', name, columns))];
  const watched = columns.flatMap(({ name, field = '' }, index) => {
    const read = aside.includes(index) || names.includes(field) ? undefined : noReader(name);
    return read ? { index, name, read } : [];
  });
  return (cells: readonly string[]) => {
    for (const { index, name, read } of watched) {
      const text = read(cells[index] ?? '');
      if (text === undefined) continue;
      const shown = text.length > maxShown ? `${text.slice(0, maxShown)}...` : text;
      return {
        reason: `mailable is yes, but ${name} is ${shown}`,
        brief: `mailable is yes, but ${name} says no`,
      };
    }
    return undefined;
  };
}
