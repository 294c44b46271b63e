import type { Contact } from '../../index.ts';
import { formatList, formatRows, protect } from '../csv/cells.ts';
import { type Names, nameParts } from './names.ts';

/** Format of a file: its beginning, and the text of a page of contacts. */
export interface ExportFormat {
  readonly head: string;
  page(contacts: readonly Contact[]): string;
}

/** Fields of a contact that the service sets itself: an import cannot set them. */
export const readOnlyFields = [
  'id',
  'lists',
  'unsubscribed',
  'bounced',
  'spam',
  'blocked',
  'dropped',
  'created',
  'updated',
  'trackData',
  'contactSource',
  'pageSource',
  'lastTrackedIp',
  'ltv',
] as const;

const profileFields = ['email', 'firstName', 'lastName', 'company'] as const;

/** Returns the CSV format: a column for each custom field that has a name, and JSON for the others. */
export function csvFormat(names: Names, safeCells: boolean): ExportFormat {
  const fields = [...names.customFields.values()];
  const toRow = (contact: Contact): string[] => {
    const { tags, unnamedTags, customFields, unnamedCustomFields } = nameParts(contact, names);
    const unnamed = Object.keys(unnamedCustomFields).length > 0 ? JSON.stringify(unnamedCustomFields) : '';
    const cells = [
      ...profileFields.map(field => contact[field]),
      ...fields.map(field => (Object.hasOwn(customFields, field) ? (customFields[field] ?? '') : '')),
      ...[formatList(tags), formatList(unnamedTags), unnamed],
      ...readOnlyFields.map(field =>
        field === 'lists' ? formatList(contact.lists) : String(contact[field]),
      ),
    ];
    return cells.map(cell => protect(cell, safeCells));
  };
  const columns = [
    ...profileFields,
    ...fields.map(field => `customFields.${field}`),
    ...['tags', 'unnamedTags', 'unnamedCustomFields'],
    ...readOnlyFields,
  ];
  return { head: formatRows([columns]), page: contacts => formatRows(contacts.map(toRow)) };
}

/** Returns the format with one JSON object a line. */
export function jsonLinesFormat(names: Names): ExportFormat {
  const toLine = (contact: Contact) => `${JSON.stringify({ ...contact, ...nameParts(contact, names) })}\n`;
  return { head: '', page: contacts => contacts.map(toLine).join('') };
}
