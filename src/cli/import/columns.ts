import { quoted, UsageError } from '../command-line.ts';
import { plainKey, unprotect, visible } from '../csv.ts';
import { fieldOfName, plainName } from '../field-names.ts';
import { columnFields, reasonColumn } from '../fields.ts';
import type { Choices } from './options.ts';

export interface Column {
  readonly name: string;
  /** Field such as `firstName` or `customFields.plan`; absent if the column is not sent. */
  readonly field?: string | undefined;
}

/** Returns whether people share the values of a column with this field, if it has one. */
export const isAboutGroups = (field?: string): boolean =>
  field === undefined || field === 'tags' || field.startsWith('customFields.');

/** Names of fields, as `export` writes them. */
const ownNames = new Map(columnFields.map(field => [plainName(field), field as string]));
/**
 * Returns a name for each column: `Email (2)` for the second of two with one name, `column 3` for one without. The column
 * with the reason that a file of rejected rows begins with is not counted, so that options mean the same in it.
 */
function namesOf(cells: readonly string[]): string[] {
  const first = cells[0] === reasonColumn ? 0 : 1;
  const texts = cells.map((cell, index) => visible(unprotect(cell)) || `column ${index + first}`);
  const counts = new Map<string, number>();
  const copies = texts.map(text => {
    counts.set(text, (counts.get(text) ?? 0) + 1);
    return counts.get(text);
  });
  return texts.map((text, index) => (counts.get(text) === 1 ? text : `${text} (${copies[index]})`));
}

/** Returns the columns with their fields: by the options, by their exact names, or by none. */
export function mapColumns(cells: readonly string[], { map = [] }: Choices): readonly Column[] {
  const header = namesOf(cells);
  const chosen = new Map<number, string>();
  for (const text of map) {
    const { index, value } = readColumnOption('--map', text, header);
    if (value !== '' && !(columnFields as string[]).includes(value) && !/^customFields\../s.test(value))
      throw new UsageError(
        `--map ${quoted(text)}: no field is named ${value}; fields are ${columnFields.join(', ')}, customFields.NAME`,
      );
    chosen.set(index, value);
  }
  const found = new Map<string, number>();
  for (const [index, field] of chosen) {
    const other = field === '' ? undefined : found.get(field);
    if (other !== undefined)
      throw new UsageError(`columns ${header[other]} and ${header[index]} cannot both be ${field}`);
    found.set(field, index);
  }
  // The user decides, then the fields' own names, then other names: a field has one column.
  for (const fieldOf of [ownField, fieldOfName])
    for (const [index, name] of header.entries()) {
      // A name that several columns have is no name.
      const field = name === visible(unprotect(cells[index] ?? '')) ? fieldOf(name) : undefined;
      if (field !== undefined && !chosen.has(index) && !found.has(field)) found.set(field, index);
    }
  const fieldAt = new Map([...found].map(([field, index]) => [index, field]));
  return header.map((name, index) => ({ name, field: fieldAt.get(index) || undefined }));
}

const ownField = (name: string): string | undefined => {
  const custom = /^customFields\.(.+)/is.exec(name)?.[1];
  return custom === undefined ? ownNames.get(plainName(name)) : `customFields.${custom}`;
};

const forms = {
  '--map': 'COLUMN=FIELD',
  '--mailable':
    'COLUMN=VALUE: there is no "everyone". If all people agreed, write yes for each of them in a column mailable',
  '--unless': 'COLUMN=VALUE',
} as const;

/** Returns the number that a name with a copy of it has, such as `active` of `active (2)`. */
const withoutCopy = (name: string): string => plainKey(name.replace(/ \(\d+\)$/, ''));

/** Returns the indexes of the columns that a name means: exactly, else whatever the case is. */
function indexesOf(name: string, header: readonly string[]): number[] {
  const having = (key: (text: string) => string) =>
    header.flatMap((other, index) => (key(other) === key(name) ? index : []));
  const exact = having(visible);
  return exact.length > 0 ? exact : having(plainKey);
}

/** Returns the column that an option names. @throws UsageError if it is none, or several. */
export function columnNamed(option: string, name: string, header: readonly string[]): number {
  const indexes = indexesOf(name, header);
  const [index = 0] = indexes;
  if (indexes.length === 1) return index;
  const alike = header.filter(other => withoutCopy(other) === withoutCopy(name));
  throw new UsageError(
    alike.length > 1
      ? `${option}: ${alike.length} columns are named ${quoted(name)}; write one of ${alike.map(quoted).join(', ')}`
      : `${option}: no column is named ${quoted(name)}; columns are ${listed(header).join(', ')}`,
  );
}

/** Returns the column and the value of an option such as `--map COLUMN=VALUE`. Names of columns can contain `=`. */
export function readColumnOption(option: keyof typeof forms, text: string, header: readonly string[]) {
  const splits = [...text.matchAll(/=/g)].map(({ index }) => index).reverse();
  const at = splits.find(end => indexesOf(text.slice(0, end), header).length > 0) ?? splits.at(-1);
  if (at === undefined) throw new UsageError(`${option} takes ${forms[option]} (got ${quoted(text)})`);
  return { index: columnNamed(option, text.slice(0, at), header), value: text.slice(at + 1) };
}

const maxListed = 50;

/** Returns the first names as texts, and the number of the others. */
export const listed = (names: readonly string[]): string[] => [
  ...names.slice(0, maxListed),
  ...(names.length > maxListed ? [`and ${names.length - maxListed} more`] : []),
];
