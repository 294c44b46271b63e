import { endpoints, identifyIsIdempotent } from '../../client/endpoints.ts';
import type { IdentifyParams } from '../../index.ts';

import { parseList, unprotect } from '../csv.ts';
import { columnFields, type Field, inputFields } from '../fields.ts';
import { addressesBetween, addressIn } from './addresses.ts';
import { toDate } from './birthdays.ts';
import type { Column } from './columns.ts';
import type { Choices } from './options.ts';

/** Returns a function that converts a row to an input of `identify`, without fields whose cells are empty. */
export function rowReader(
  columns: readonly Column[],
  { birthdays, tagSeparator }: Choices,
): (cells: readonly string[]) => IdentifyParams {
  const readers: Record<string, (text: string) => string | string[] | undefined> = {
    text: text => text,
    email: text => addressIn(text) || undefined,
    // A birthday that cannot be read is left out: the person stays.
    date: text => toDate(text.trim(), birthdays),
    list: text =>
      parseList(text, tagSeparator === undefined ? [',', ';'] : [tagSeparator])
        .map(tag => tag.trim())
        .filter(Boolean),
  };
  const used = columns.flatMap(({ field }, index) => {
    if (field === undefined) return [];
    const kind = columnFields.includes(field as Field) ? inputFields[field as Field] : 'map';
    return { index, field, name: field.slice('customFields.'.length), read: readers[kind] };
  });
  return cells => {
    const params: Record<string, unknown> = { email: '' };
    const customFields: [string, string][] = [];
    for (const { index, field, name, read } of used) {
      const text = unprotect(cells[index] ?? '');
      if (text === '') continue;
      const value = read?.(text);
      if (read === undefined) customFields.push([name, text]);
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
  if (result === undefined || result.ok) {
    if (identifyIsIdempotent(params)) return undefined;
    return 'a custom field with ++ or -- would be counted again by each import: only a program with the client can do that';
  }
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
  return size > 1 ? `email holds ${size} addresses` : undefined;
}
