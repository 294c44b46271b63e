import type { Contact } from '../../index.ts';
import { formatRows, protect } from '../csv.ts';
import { mailableColumn } from '../fields.ts';
import { leftFlags } from './contacts.ts';

export interface ExportFormat {
  readonly head: string;
  page(contacts: readonly Contact[]): string;
}

/** Fields that an import can set. Tags and custom fields have separate columns. */
const importedFields = ['email', 'firstName', 'lastName', 'company'] as const;
/** Fields that only the service can set; then tracking data, which few exports need. */
const readOnlyFields = ['id', 'lists', ...leftFlags, 'created', 'updated', 'contactSource', 'ltv'] as const;
const trackingFields = ['trackData', 'pageSource', 'lastTrackedIp'] as const;

type ExportColumn = readonly [name: string, cell: (contact: Contact) => string];

const columnOf = (field: Exclude<keyof Contact, 'customFields'>): ExportColumn => [
  field,
  contact => toCell(contact[field]),
];

const usualColumns = (mailable: WeakSet<Contact>): readonly ExportColumn[] => [
  ...importedFields.map(columnOf),
  // A contact contains only the ids of these: `import` does not read such columns.
  ['tagIds', ({ tags }) => toCell(tags)],
  ['customFieldIds', ({ customFields }) => jsonUnlessEmpty(customFields)],
  // With this column, `import` needs no option.
  [mailableColumn, contact => (mailable.has(contact) ? 'yes' : 'no')],
  ...readOnlyFields.map(columnOf),
];

const jsonUnlessEmpty = (map: object): string => (Object.keys(map).length > 0 ? JSON.stringify(map) : '');

/** Returns a value as a cell. Every list of a contact has ids, which contain no `;`. */
const toCell = (value: string | number | boolean | readonly string[]): string =>
  typeof value === 'object' ? value.join(';') : String(value);

export function csvFormat(
  isForExcel: boolean,
  delimiter: string,
  isAll: boolean,
  mailable: WeakSet<Contact>,
): ExportFormat {
  const columns = [...usualColumns(mailable), ...(isAll ? trackingFields.map(columnOf) : [])];
  const format = (rows: readonly (readonly string[])[]): string =>
    formatRows(
      rows.map(row => row.map(protect)),
      { delimiter },
    );
  return {
    head: `${isForExcel ? '\ufeff' : ''}${format([columns.map(([name]) => name)])}`,
    page: contacts => format(contacts.map(contact => columns.map(([, cell]) => cell(contact)))),
  };
}

export const jsonLinesFormat: ExportFormat = {
  head: '',
  page: contacts => contacts.map(contact => `${JSON.stringify(contact)}\n`).join(''),
};
