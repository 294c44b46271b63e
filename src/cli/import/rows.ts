import { endpoints, identifyIsIdempotent } from '../../client/endpoints.ts';
import type { IdentifyParams } from '../../index.ts';
import { parseList, unprotect } from '../csv.ts';
import { type Field, inputFields } from '../fields.ts';
import { addressesBetween, addressIn } from './addresses.ts';
import type { Column, TableRow } from './columns.ts';

export type BirthdayOrder = 'day-first' | 'month-first';

/**
 * What happens to a row. `skipped`: `mailable` is not `yes`; `outvoted`: another row of the person lacks a yes or contains a no;
 * `excepted`: the person is in a file of `--except`; `sentBefore`: an earlier run sent the same.
 */
export type Status = 'pending' | 'sent' | 'sentBefore' | 'skipped' | 'outvoted' | 'excepted' | 'rejected';

export interface Row extends TableRow {
  status: Status;
  /** Input to send; absent if the row is invalid. */
  params?: IdentifyParams;
  /** Why it is rejected or still pending. `brief` is for screens and logs: one text for all rows with the same problem. */
  reason?: string | undefined;
  brief?: string | undefined;
}

/** All rows of a person, in their order: they are sent together, or not at all. */
export interface Person {
  readonly key: string;
  readonly rows: Row[];
}

/** Cells without a date, such as `0000-00-00`. */
const noDate = /^[-0/. :]*$/;
/** Time of day, as databases and spreadsheets add it to dates. */
const midnight = /[T ]00:00(?::00(?:\.0+)?)?Z?$/;

/** Returns a date as `YYYY-MM-DD`; `undefined` if it cannot be read. With dots, the day always comes first. */
function toDate(cell: string, order?: BirthdayOrder): string | undefined {
  let text = cell.trim().replace(midnight, '');
  text = text.replace(/^(\d\d?)\.(\d\d?)\.(\d{4})$/, '$3-$2-$1');
  if (order !== undefined)
    text = text.replace(/^(\d\d?)[-/ ](\d\d?)[-/ ](\d{4})$/, order === 'day-first' ? '$3-$2-$1' : '$3-$1-$2');
  const [, year, month = '', day = ''] = /^(\d{4})[-./ ](\d\d?)[-./ ](\d\d?)$/.exec(text) ?? [];
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  // A day that does not exist is an invalid date, or in the next month.
  return new Date(`${date}T00:00:00Z`).getUTCDate() === Number(day) ? date : undefined;
}

/** Returns whether a birthday is ambiguous unless the order of its day and month is known. */
export const needsOrder = (cell: string): boolean =>
  toDate(cell) === undefined &&
  (toDate(cell, 'day-first') !== undefined || toDate(cell, 'month-first') !== undefined);

/** Returns a function that converts a row to an input of `identify`, without fields whose cells are empty. */
export function rowReader(
  columns: readonly Column[],
  birthdays?: BirthdayOrder,
): (cells: readonly string[]) => IdentifyParams {
  const readers: Record<string, (text: string) => string | string[] | undefined> = {
    text: text => text,
    email: addressIn,
    // The client rejects what is not a date.
    date: text => (noDate.test(text) ? undefined : (toDate(text, birthdays) ?? text)),
    list: parseList,
  };
  const used = columns.flatMap(({ field }, index) =>
    field === undefined ? [] : { index, field, read: readers[inputFields[field as Field]] },
  );
  return cells => {
    const params: Record<string, unknown> = { email: '' };
    const customFields: [string, string][] = [];
    for (const { index, field, read } of used) {
      const text = unprotect(cells[index] ?? '');
      if (text === '') continue;
      const value = read?.(text);
      if (read === undefined) customFields.push([field.slice('customFields.'.length), text]);
      else if (value !== undefined) params[field] = value;
    }
    if (customFields.length > 0) params.customFields = Object.fromEntries(customFields);
    return params as unknown as IdentifyParams;
  };
}

/** Returns why a row cannot be sent. */
export function problemOf(
  params: IdentifyParams,
  cells: readonly string[],
  isBroken: boolean,
): string | undefined {
  if (isBroken && cells.some(cell => cell.includes('\ufffd')))
    return 'a character could not be read, and became \ufffd';
  const result = endpoints['legacy.identify'].input?.validateInput(params);
  if (result === undefined || result.ok)
    return identifyIsIdempotent(params)
      ? undefined
      : 'a custom field with ++ or -- would change again with each import: write the value itself';
  return result.issues
    .map(
      ({ path, expected }) =>
        (path === 'email' && emailProblem(params.email)) || `${path} must be ${expected}`,
    )
    .join('; ');
}

function emailProblem(cell: string): string | undefined {
  if (cell === '') return 'email is empty';
  const { size } = new Set(addressesBetween(cell).addresses);
  return size > 1 ? `email contains ${size} addresses` : undefined;
}
