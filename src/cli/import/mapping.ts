import type { IdentifyParams } from '../../index.ts';
import { fieldOfName, plainName } from '../../resources/field-names.ts';
import { UsageError } from '../command-line.ts';
import { parseList, unprotect } from '../csv.ts';
import {
  columnFields,
  type Field,
  inputFields,
  readOnlyFields,
  reasonColumn,
  unnamedColumns,
} from '../fields.ts';
import { dateConverter } from './birthdays.ts';

interface MappedColumn {
  readonly column: string;
  /** Field such as `firstName` or `customFields.plan`; absent if the column is ignored. */
  readonly field?: string;
  /** Why the column is ignored. */
  readonly ignored?: string;
  /** The column is read as the email because of its content. */
  readonly guessed?: boolean;
}

export interface CellFormat {
  readonly tagSeparator: string;
  /** Format of birthdays, in addition to `YYYY-MM-DD`. */
  readonly dateFormat?: string | undefined;
}

const isField = (name: string): name is Field => columnFields.some(field => field === name);
const customField = /^customFields\.(.+)$/s;
/** Other ways to name the column of a custom field. */
const looseCustomField = /^custom(?:[\s_-]?fields?)?[.:]\s*(.+)$/is;

const ownNames = new Map(columnFields.map(field => [plainName(field), field]));

const ignoredColumns: ReadonlyMap<string, string> = new Map([
  ...readOnlyFields.map(field => [plainName(field), 'set by the service'] as const),
  [plainName(unnamedColumns.tags), 'because these tags have no name; export with --tag ID=NAME'],
  [
    plainName(unnamedColumns.customFields),
    'because these custom fields have no name; export with --custom-field ID=NAME',
  ],
  [plainName(reasonColumn), 'the reason of an earlier import'],
]);

/**
 * Returns the columns of a file with their fields.
 * @param email Index of the column that contains the emails, if no name says so.
 */
export function mapColumns(
  cells: readonly string[],
  maps: readonly string[],
  email?: number,
): readonly MappedColumn[] {
  const header = cells.map(unprotect);
  const chosen = new Map(maps.map(map => readMap(map, header)));
  const taken = new Map<string, string>();
  const columns = header.map((column, index) => {
    const mapped = mapColumn(column, chosen.get(index));
    const { field } = mapped;
    if (field === undefined) return mapped;
    const other = taken.get(field);
    if (other !== undefined)
      throw new UsageError(
        `columns ${other} and ${column} both contain ${field}; ignore one with --map "${column}="`,
      );
    taken.set(field, column);
    return mapped;
  });
  const complete = columns.map(mapped => mapByOtherName(mapped, taken));
  if (taken.has('email')) return complete;
  const guessed = complete.find(({ field }, index) => index === email && field === undefined);
  if (guessed === undefined || chosen.has(email ?? -1))
    throw new UsageError(
      `no column contains the email; name it with --map "COLUMN=email" (columns are ${listed(header)})`,
    );
  const { column } = guessed;
  return complete.map(mapped => (mapped === guessed ? { column, field: 'email', guessed: true } : mapped));
}

const maxListed = 50;
const maxListedLength = 100;

/** Returns the first names as text. */
export const listed = (names: readonly string[]): string =>
  names
    .slice(0, maxListed)
    .map(name => name.slice(0, maxListedLength))
    .join(', ') + (names.length > maxListed ? ` and ${names.length - maxListed} more` : '');

function readMap(map: string, header: readonly string[]): readonly [index: number, field: string] {
  const { index, value: field } = readColumnOption('--map', map, header);
  if (field !== '' && !isField(field) && !customField.test(field))
    throw new UsageError(
      `--map "${map}": no field is named ${field}; fields are ${columnFields.join(', ')}, customFields.NAME`,
    );
  return [index, field];
}

/**
 * Returns the column and the value of an option such as `--map COLUMN=VALUE`. Names of columns can contain `=`.
 * @throws UsageError if no column has the name.
 */
export function readColumnOption(
  option: string,
  text: string,
  header: readonly string[],
): { readonly index: number; readonly value: string } {
  const found = findColumn(text, header);
  if (found !== undefined) return found;
  if (!text.includes('='))
    throw new UsageError(
      `${option} takes COLUMN=${option === '--map' ? 'FIELD' : 'VALUE'} (got ${JSON.stringify(text)})`,
    );
  throw new UsageError(`${option} "${text}": no column has that name; columns are ${listed(header)}`);
}

/** Returns the column and the value: of the columns `A` and `A=B`, `A=B=C` is about the second. */
export function findColumn(text: string, header: readonly string[]) {
  const splits = [...text.matchAll(/=/g)].reverse().map(({ index }) => index);
  const isEqual = (name: string, column: string) => name === column;
  const isSame = (name: string, column: string) =>
    plainName(name) !== '' && plainName(name) === plainName(column);
  for (const matches of [isEqual, isSame])
    for (const at of splits) {
      const index = header.findIndex(name => matches(name, text.slice(0, at)));
      if (index >= 0) return { index, value: text.slice(at + 1) };
    }
  return undefined;
}

const byOption = 'because of --map';
const unknown = 'unknown; --map "COLUMN=customFields.NAME" imports one';

function mapColumn(column: string, chosen: string | undefined): MappedColumn {
  if (chosen === '') return { column, ignored: byOption };
  if (chosen !== undefined) return { column, field: chosen };
  if (column === '') return { column, ignored: 'no name' };
  const field = ownNames.get(plainName(column));
  if (field !== undefined) return { column, field };
  const name = (customField.exec(column) ?? looseCustomField.exec(column))?.[1];
  if (name !== undefined) return { column, field: `customFields.${name}` };
  const ignored = ignoredColumns.get(plainName(column));
  if (ignored !== undefined) return { column, ignored };
  return { column, ignored: unknown };
}

/** Maps an unknown column by a name of another service, unless another column contains the field. */
function mapByOtherName(mapped: MappedColumn, taken: Map<string, string>): MappedColumn {
  const { column } = mapped;
  const field = fieldOfName(column);
  if (field === undefined || mapped.ignored !== unknown) return mapped;
  const other = taken.get(field);
  if (other !== undefined)
    return {
      column,
      ignored: `because column ${other} contains ${field}; --map "${other}=" uses this one instead`,
    };
  taken.set(field, column);
  return { column, field };
}

/** Returns the columns with those that say who opted out. */
export const withConsent = (
  columns: readonly MappedColumn[],
  indexes: readonly number[],
): readonly MappedColumn[] =>
  columns.map((mapped, index) =>
    mapped.ignored !== undefined && mapped.ignored !== byOption && indexes.includes(index)
      ? { ...mapped, ignored: 'but used to find people who opted out' }
      : mapped,
  );

/** An address such as `<ada@example.com>` or `Ada <ada@example.com>`. */
const namedAddress = /^[^<>]*<([^<>\s]+)>$/;

/** Returns the address in a cell. */
function addressIn(cell: string): string {
  const text = unprotect(cell);
  return namedAddress.exec(text)?.[1] ?? text;
}

/** Returns a function that converts a row to an input of `identify`, without fields whose cells are empty. */
export function rowReader(
  columns: readonly MappedColumn[],
  { tagSeparator, dateFormat }: CellFormat,
  skipBadBirthdays: boolean,
): (cells: readonly string[]) => IdentifyParams {
  const toIso = dateConverter(dateFormat);
  const readers = {
    text: (text: string) => text,
    email: addressIn,
    date: (text: string) => toIso(text) ?? (skipBadBirthdays ? undefined : text),
    // The client refuses white space around a tag, which would cost the person.
    list: (text: string) =>
      parseList(text, tagSeparator)
        .map(name => name.trim())
        .filter(Boolean),
  };
  const used = columns.flatMap(({ field }, index) => {
    if (field === undefined) return [];
    const kind = isField(field) ? inputFields[field] : 'map';
    const name = customField.exec(field)?.[1] ?? '';
    return { field, index, name, read: kind === 'map' ? undefined : readers[kind] };
  });
  return cells => {
    const params: Record<string, string | string[]> = {};
    const customFields: [string, string][] = [];
    for (const { field, index, name, read } of used) {
      const text = unprotect(cells[index] ?? '');
      if (text === '') continue;
      const value = read?.(text);
      if (read === undefined) customFields.push([name, text]);
      else if (value !== undefined) params[field] = value;
    }
    const { email = '' } = params as { email?: string };
    return {
      ...params,
      email,
      ...(customFields.length > 0 && { customFields: Object.fromEntries(customFields) }),
    };
  };
}
