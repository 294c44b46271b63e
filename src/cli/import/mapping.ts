import type { IdentifyParams } from '../../index.ts';
import { UsageError } from '../command-line.ts';
import { parseList, unprotect } from '../csv/cells.ts';
import { readOnlyFields } from '../export/formats.ts';

/** Name of the column, in a file of rejected rows, that says why. */
export const reasonColumn = 'Import error';

/** Mapping of one column. */
interface MappedColumn {
  readonly column: string;
  /** Field of the contact, such as `firstName` or `customFields.plan`; absent for a column that is ignored. */
  readonly field?: string;
  /** Why the column is ignored. */
  readonly ignored?: string;
  /** `true` for a column that is ignored although nobody asked for it. */
  readonly unknown?: boolean;
}

/** Mapping of each column of a file, in order. */
export interface Mapping {
  readonly columns: readonly MappedColumn[];
  /** Returns the input of `identify` for a row. Empty cells are left out, so that they change nothing. */
  toParams(cells: readonly string[]): IdentifyParams;
}

const fields = ['email', 'newEmail', 'firstName', 'lastName', 'company', 'birthday', 'tags'];
const customField = /^customFields\.(.+)$/s;
/** Ways in which people name the column of a custom field, besides the exact one. */
const looseCustomField = /^custom(?:[\s_-]?fields?)?[.:]\s*(.+)$/is;

const ignoredColumns: ReadonlyMap<string, string> = new Map([
  ...readOnlyFields.map(field => [plain(field), 'set by the service itself'] as const),
  [plain('unnamedTags'), 'since these tags have no name; export with --tag ID=NAME'],
  [plain('unnamedCustomFields'), 'since these custom fields have no name; export with --field ID=NAME'],
  [plain(reasonColumn), 'the reason of an earlier import'],
]);

/** Header matching ignores case, spaces, underscores and hyphens. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

/**
 * Maps the columns of a file to fields.
 * @param header Names of the columns.
 * @param maps `COLUMN=FIELD`, for columns that are not named like their field; `COLUMN=` ignores a column.
 */
export function createMapping(header: readonly string[], maps: readonly string[]): Mapping {
  const chosen = new Map(maps.map(map => readMap(map, header)));
  const columns = header.map((column, index) => mapColumn(column, chosen.get(index)));
  for (const field of columns.flatMap(({ field }) => field ?? [])) {
    const same = columns.filter(column => column.field === field).map(({ column }) => column);
    if (same.length > 1)
      throw new UsageError(
        `columns ${same.join(' and ')} both hold ${field}; ignore one with --map "${same[1]}="`,
      );
  }
  if (!columns.some(({ field }) => field === 'email'))
    throw new UsageError(`no column holds the email${hint(header)}`);
  return { columns, toParams: cells => toParams(columns, cells) };
}

/** Returns what to do about a header without an email. */
function hint(header: readonly string[]): string {
  const [other] = header.length === 1 ? (/[;\t|]/.exec(header[0] ?? '') ?? []) : [];
  if (other !== undefined)
    return `; the cells seem to be apart by another character: --delimiter "${other === '\t' ? 'tab' : other}"`;
  return `; name it: --map "COLUMN=email" (columns are ${header.join(', ')})`;
}

function readMap(map: string, header: readonly string[]): readonly [index: number, field: string] {
  const splits = [...map.matchAll(/=/g)].map(
    ({ index }) => [map.slice(0, index), map.slice(index + 1)] as const,
  );
  for (const [column, field] of splits) {
    const exact = header.indexOf(column);
    const index = exact >= 0 ? exact : header.findIndex(name => plain(name) === plain(column));
    if (index < 0) continue;
    if (field !== '' && !fields.includes(field) && !customField.test(field))
      throw new UsageError(
        `--map "${map}": no field is named ${field}; fields are ${fields.join(', ')}, customFields.NAME`,
      );
    return [index, field];
  }
  if (splits.length === 0) throw new UsageError(`--map takes COLUMN=FIELD (got ${JSON.stringify(map)})`);
  throw new UsageError(`--map "${map}": no column has that name; columns are ${header.join(', ')}`);
}

function mapColumn(column: string, chosen: string | undefined): MappedColumn {
  if (chosen === '') return { column, ignored: 'as --map says' };
  if (chosen !== undefined) return { column, field: chosen };
  if (column === '') return { column, ignored: 'it has no name', unknown: true };
  const field = fields.find(name => plain(name) === plain(column));
  if (field !== undefined) return { column, field };
  const ignored = ignoredColumns.get(plain(column));
  if (ignored !== undefined) return { column, ignored };
  const name = (customField.exec(column) ?? looseCustomField.exec(column))?.[1];
  if (name !== undefined) return { column, field: `customFields.${name}` };
  return { column, ignored: `unknown; --map "${column}=customFields.${column}" imports it`, unknown: true };
}

function toParams(columns: readonly MappedColumn[], cells: readonly string[]): IdentifyParams {
  const params: Record<string, string | string[]> = {};
  const customFields: [string, string][] = [];
  for (const [index, { field }] of columns.entries()) {
    const text = unprotect(cells[index] ?? '');
    if (field === undefined || text === '') continue;
    const name = customField.exec(field)?.[1];
    if (name !== undefined) customFields.push([name, text]);
    else params[field] = field === 'tags' ? parseList(text) : text;
  }
  const { email = '' } = params as { email?: string };
  return {
    ...params,
    email,
    ...(customFields.length > 0 && { customFields: Object.fromEntries(customFields) }),
  };
}
