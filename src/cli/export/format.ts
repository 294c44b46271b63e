import { readFileSync } from 'node:fs';
import { isObject } from '../../core/json.ts';
import type { Contact } from '../../index.ts';
import { messageOf, UsageError } from '../command-line.ts';
import { formatList, formatRows, protect } from '../csv.ts';
import { importedFields, mailableColumn, readOnlyFields, unnamedColumns } from '../fields.ts';

/** Names of tags and custom fields by id: contacts contain only the ids. */
export interface Names {
  readonly tags: ReadonlyMap<string, string>;
  readonly customFields: ReadonlyMap<string, string>;
  /** Ids without a name that were found in contacts, up to a thousand of each kind. */
  readonly unnamed: Readonly<Record<'tags' | 'customFields', Set<string>>>;
}

const maxUnnamed = 1000;
const bare = (id: string): string => id.replace(/^(tag_|custom_field_|field_)/, '');

/** Reads names from the JSON file of `--names`. */
export function readNames(file: string | undefined): Names {
  const saved = file === undefined ? { tags: [], customFields: [] } : readNamesFile(file);
  const used = saved.customFields.map(([, name]) => name);
  const twice = used.find((name, index) => used.indexOf(name) !== index);
  if (twice !== undefined)
    throw new UsageError(`${file}: two custom fields are named ${twice}; each needs its own name`, 'file');
  return {
    tags: new Map(saved.tags),
    customFields: new Map(saved.customFields),
    unnamed: { tags: new Set(), customFields: new Set() },
  };
}

function readNamesFile(file: string) {
  const json = readJson(file);
  const { tags, customFields, ...others } = Object(json) as Readonly<Record<string, unknown>>;
  if (!isObject(json) || Object.keys(others).length > 0)
    throw new UsageError(`${file} must be an object with tags, customFields and nothing else`, 'file');
  const entries = (names: unknown, member: string) => {
    const found = Object.entries(names ?? {});
    if (!isObject(names ?? {}) || !found.every(([, name]) => typeof name === 'string' && name !== ''))
      throw new UsageError(`${file}: ${member} must be an object with names by id`, 'file');
    return found.map(([id, name]): [string, string] => [bare(id), String(name)]);
  };
  return { tags: entries(tags, 'tags'), customFields: entries(customFields, 'customFields') };
}

function readJson(file: string): unknown {
  const text = readFileSync(file, 'utf8').replace('\ufeff', '');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not JSON: ${messageOf(error)}`, 'file');
  }
}

/** Returns the tags and custom fields of a contact with a name, and without: those are noted. */
function nameParts(contact: Contact, { tags, customFields, unnamed }: Names) {
  const fields = Object.entries(contact.customFields);
  const nameOf = (id: string) => customFields.get(bare(id));
  const named = fields.flatMap(([id, value]) => {
    const name = nameOf(id);
    return name === undefined ? [] : [[name, value]];
  });
  const parts = {
    tags: contact.tags.flatMap(id => tags.get(bare(id)) ?? []),
    unnamedTags: contact.tags.filter(id => !tags.has(bare(id))),
    customFields: Object.fromEntries(named) as Record<string, string>,
    unnamedCustomFields: Object.fromEntries(fields.filter(([id]) => nameOf(id) === undefined)),
  };
  note(unnamed.tags, parts.unnamedTags);
  note(unnamed.customFields, Object.keys(parts.unnamedCustomFields));
  return parts;
}

function note(found: Set<string>, ids: readonly string[]): void {
  for (const id of ids) if (found.size < maxUnnamed) found.add(id);
}

export interface ExportFormat {
  readonly head: string;
  page(contacts: readonly Contact[]): string;
}

/** Options of the command of the same names, with their defaults. */
export interface CsvOptions {
  readonly safeCells: boolean;
  readonly excel: boolean;
  readonly delimiter: string;
  readonly columns?: readonly string[] | undefined;
}

type Cell = (contact: Contact, parts: ReturnType<typeof nameParts>) => string;

export const makeFormat = (format: 'csv' | 'jsonl', names: Names, csv: CsvOptions): ExportFormat =>
  format === 'csv' ? csvFormat(names, csv) : jsonLinesFormat(names);

/** Returns the CSV format, with a column for each custom field whose name is known, and JSON for the others. */
function csvFormat(names: Names, { safeCells, excel, delimiter, columns }: CsvOptions): ExportFormat {
  const cells = chosenCells(allCells(names), columns);
  const format = (rows: readonly (readonly string[])[]): string =>
    formatRows(
      rows.map(row => row.map(cell => protect(cell, safeCells))),
      { delimiter },
    );
  const toRow = (contact: Contact): string[] => {
    const parts = nameParts(contact, names);
    return cells.map(([, cell]) => cell(contact, parts));
  };
  return {
    head: `${excel ? '\ufeff' : ''}${format([cells.map(([column]) => column)])}`,
    page: contacts => format(contacts.map(toRow)),
  };
}

/** What says that the service does not mail a contact. */
const leftFlags = ['unsubscribed', 'bounced', 'spam', 'blocked', 'dropped'] as const;

const allCells = (names: Names): readonly (readonly [column: string, cell: Cell])[] => [
  ...importedFields.map((field): [string, Cell] => [field, contact => contact[field]]),
  ...[...names.customFields.values()].map((field): [string, Cell] => [
    `customFields.${field}`,
    (_, { customFields }) => (Object.hasOwn(customFields, field) ? (customFields[field] ?? '') : ''),
  ]),
  ['tags', (_, { tags }) => formatList(tags)],
  [unnamedColumns.tags, (_, { unnamedTags }) => formatList(unnamedTags)],
  [unnamedColumns.customFields, (_, { unnamedCustomFields: rest }) => jsonUnlessEmpty(rest)],
  // With this column, `import` needs one answer.
  [mailableColumn, contact => (leftFlags.some(flag => contact[flag]) ? 'no' : 'yes')],
  ...readOnlyFields.map((field): [string, Cell] => [field, contact => toCell(contact[field])]),
];

function chosenCells(all: ReturnType<typeof allCells>, wanted: readonly string[] | undefined) {
  const chosen = wanted?.map(name => {
    const cell = all.find(([column]) => column === name);
    if (cell !== undefined) return cell;
    const known = all.map(([column]) => column).join(', ');
    throw new UsageError(`--columns: no column is named ${JSON.stringify(name)}; columns are ${known}`);
  });
  return chosen ?? all;
}

const jsonUnlessEmpty = (map: object): string => (Object.keys(map).length > 0 ? JSON.stringify(map) : '');

const toCell = (value: string | number | boolean | readonly string[]): string =>
  typeof value === 'object' ? formatList(value) : String(value);

function jsonLinesFormat(names: Names): ExportFormat {
  const toLine = (contact: Contact) => `${JSON.stringify({ ...contact, ...nameParts(contact, names) })}\n`;
  return { head: '', page: contacts => contacts.map(toLine).join('') };
}
