import { quoted, UsageError } from '../command-line.ts';
import { plainKey, unprotect, visible } from '../csv.ts';
import { fieldOfName, plainName } from '../field-names.ts';
import { columnFields } from '../fields.ts';
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
/** Returns a name for each column: the second `Email` is `Email (2)`, one without a name `column 3`. */
export function namesOf(cells: readonly string[]): string[] {
  const taken = new Set<string>();
  return cells.map((cell, index) => {
    const own = unprotect(cell);
    const text = visible(own) === '' ? `column ${index + 1}` : own;
    let name = text;
    for (let copy = 2; taken.has(plainKey(name)); copy += 1) name = `${text.trim()} (${copy})`;
    taken.add(plainKey(name));
    return name;
  });
}

/** Returns the columns with their fields: by the options, by their exact names, or by none. */
export function mapColumns(header: readonly string[], { map = [] }: Choices): readonly Column[] {
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
      const field = fieldOf(name);
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
  '--mailable': 'everyone, or COLUMN=VALUE',
  '--unless': 'COLUMN=VALUE',
} as const;

/** Returns the column and the value of an option such as `--map COLUMN=VALUE`. Names of columns can contain `=`. */
export function readColumnOption(option: keyof typeof forms, text: string, header: readonly string[]) {
  const keys = header.map(plainKey);
  const indexOf = (end: number) => keys.indexOf(plainKey(text.slice(0, end)));
  const splits = [...text.matchAll(/=/g)].map(({ index }) => index).reverse();
  const at = splits.find(end => indexOf(end) >= 0) ?? splits.at(-1);
  if (at === undefined) throw new UsageError(`${option} takes ${forms[option]} (got ${quoted(text)})`);
  const index = indexOf(at);
  if (index < 0)
    throw new UsageError(
      `${option}: no column is named ${quoted(text.slice(0, at))}; columns are ${listed(header)}`,
    );
  return { index, value: text.slice(at + 1) };
}

const maxListed = 50;

/** Returns the first names as text. */
export const listed = (names: readonly string[]): string =>
  names.slice(0, maxListed).map(visible).join(', ') +
  (names.length > maxListed ? ` and ${names.length - maxListed} more` : '');
