import type { Contact } from '../../index.ts';
import { formatList, formatRows, protect } from '../csv.ts';
import { idColumns, importedFields, mailableColumn, readOnlyFields, trackingFields } from '../fields.ts';

export interface ExportFormat {
  readonly head: string;
  page(contacts: readonly Contact[]): string;
}

type Cell = (contact: Contact) => string;

export function csvFormat(isForExcel: boolean, delimiter: string, isAll: boolean): ExportFormat {
  const columns = isAll ? [...usualColumns, ...trackingFields.map(readOnly)] : usualColumns;
  const format = (rows: readonly (readonly string[])[]): string =>
    formatRows(
      rows.map(row => row.map(protect)),
      { delimiter },
    );
  return {
    head: `${isForExcel ? '\ufeff' : ''}${format([columns.map(([column]) => column)])}`,
    page: contacts => format(contacts.map(contact => columns.map(([, cell]) => cell(contact)))),
  };
}

/** What says that the service does not mail a contact. */
const leftFlags = ['unsubscribed', 'bounced', 'spam', 'blocked', 'dropped'] as const;

const readOnly = (field: Exclude<keyof Contact, 'customFields'>): [string, Cell] => [
  field,
  contact => toCell(contact[field]),
];

const usualColumns: readonly (readonly [column: string, cell: Cell])[] = [
  ...importedFields.map((field): [string, Cell] => [field, contact => contact[field]]),
  [idColumns.tags, ({ tags }) => formatList(tags)],
  [idColumns.customFields, ({ customFields }) => jsonUnlessEmpty(customFields)],
  // With this column, `import` needs no option.
  [mailableColumn, contact => (leftFlags.some(flag => contact[flag]) ? 'no' : 'yes')],
  ...readOnlyFields.map(readOnly),
];

const jsonUnlessEmpty = (map: object): string => (Object.keys(map).length > 0 ? JSON.stringify(map) : '');

const toCell = (value: string | number | boolean | readonly string[]): string =>
  typeof value === 'object' ? formatList(value) : String(value);

export const jsonLinesFormat: ExportFormat = {
  head: '',
  page: contacts => contacts.map(contact => `${JSON.stringify(contact)}\n`).join(''),
};
