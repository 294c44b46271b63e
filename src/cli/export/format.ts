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
  /** Ids without a name that were found in contacts. */
  readonly unnamed: Readonly<Record<'tags' | 'customFields', Set<string>>>;
}

const bare = (id: string): string => id.replace(/^(tag_|custom_field_|field_)/, '');

/** Reads names from the JSON file of `--names`. */
export function readNames(file: string | undefined): Names {
  const names: unknown = file === undefined ? {} : readJson(file);
  const { tags, customFields, ...others } = Object(names) as Readonly<Record<string, unknown>>;
  const kinds = [tags ?? {}, customFields ?? {}];
  const isName = (name: unknown) => typeof name === 'string' && name !== '';
  const areNames = kinds.every(kind => isObject(kind) && Object.values(kind).every(isName));
  if (!isObject(names) || !areNames || Object.keys(others).length > 0)
    throw new UsageError(`${file} must be {"tags": {"ID": "NAME"}, "customFields": {"ID": "NAME"}}`, 'file');
  const [tagNames = [], fieldNames = []] = kinds.map(kind =>
    Object.entries(kind).map(([id, name]): [string, string] => [bare(id), name]),
  );
  const used = fieldNames.map(([, name]) => name);
  const twice = used.find((name, index) => used.indexOf(name) !== index);
  if (twice !== undefined)
    throw new UsageError(`${file}: two custom fields are named ${twice}; each needs its own name`, 'file');
  return {
    tags: new Map(tagNames),
    customFields: new Map(fieldNames),
    unnamed: { tags: new Set(), customFields: new Set() },
  };
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
  for (const id of parts.unnamedTags) unnamed.tags.add(id);
  for (const id of Object.keys(parts.unnamedCustomFields)) unnamed.customFields.add(id);
  return parts;
}

export interface ExportFormat {
  readonly head: string;
  page(contacts: readonly Contact[]): string;
}

type Cell = (contact: Contact, parts: ReturnType<typeof nameParts>) => string;

/** Returns the CSV format, with a column for each custom field whose name is known, and JSON for the others. */
export function csvFormat(names: Names, isForExcel: boolean, delimiter: string): ExportFormat {
  const cells = cellsOf(names);
  const format = (rows: readonly (readonly string[])[]): string =>
    formatRows(
      rows.map(row => row.map(protect)),
      { delimiter },
    );
  const toRow = (contact: Contact): string[] => {
    const parts = nameParts(contact, names);
    return cells.map(([, cell]) => cell(contact, parts));
  };
  return {
    head: `${isForExcel ? '\ufeff' : ''}${format([cells.map(([column]) => column)])}`,
    page: contacts => format(contacts.map(toRow)),
  };
}

/** What says that the service does not mail a contact. */
const leftFlags = ['unsubscribed', 'bounced', 'spam', 'blocked', 'dropped'] as const;

const cellsOf = (names: Names): readonly (readonly [column: string, cell: Cell])[] => [
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

const jsonUnlessEmpty = (map: object): string => (Object.keys(map).length > 0 ? JSON.stringify(map) : '');

const toCell = (value: string | number | boolean | readonly string[]): string =>
  typeof value === 'object' ? formatList(value) : String(value);

export function jsonLinesFormat(names: Names): ExportFormat {
  const toLine = (contact: Contact) => `${JSON.stringify({ ...contact, ...nameParts(contact, names) })}\n`;
  return { head: '', page: contacts => contacts.map(toLine).join('') };
}
