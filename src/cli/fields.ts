import type { Contact, IdentifyParams } from '../index.ts';

/** The fields of an input of `identify`, and how a cell is read. The compiler reports a missing field. */
export const inputFields = {
  email: 'email',
  newEmail: 'email',
  firstName: 'text',
  lastName: 'text',
  company: 'text',
  birthday: 'date',
  tags: 'list',
  customFields: 'map',
} as const satisfies Record<keyof IdentifyParams, string>;

export type Field = keyof typeof inputFields;

/** Fields with one column. Each custom field has its own column. */
export const columnFields = (Object.keys(inputFields) as Field[]).filter(
  field => inputFields[field] !== 'map',
);

/** Column with the reason, in a file of rejected or skipped rows. */
export const reasonColumn = 'Import error';

/** Column of `export` that says who may be mailed. */
export const mailableColumn = 'mailable';

/** Columns for tags and custom fields without a known name. */
export const unnamedColumns = { tags: 'unnamedTags', customFields: 'unnamedCustomFields' } as const;

/** The fields of a contact, and which of them an import can set. The compiler reports a missing field. */
const contactFields = {
  email: 'text',
  firstName: 'text',
  lastName: 'text',
  company: 'text',
  tags: 'ids',
  customFields: 'ids',
  id: 'read-only',
  lists: 'read-only',
  unsubscribed: 'read-only',
  bounced: 'read-only',
  spam: 'read-only',
  blocked: 'read-only',
  dropped: 'read-only',
  created: 'read-only',
  updated: 'read-only',
  trackData: 'read-only',
  contactSource: 'read-only',
  pageSource: 'read-only',
  lastTrackedIp: 'read-only',
  ltv: 'read-only',
} as const satisfies Record<keyof Contact, 'text' | 'ids' | 'read-only'>;

type FieldOf<Kind> = {
  [Name in keyof Contact]: (typeof contactFields)[Name] extends Kind ? Name : never;
}[keyof Contact];

const fieldsOf = <Kind>(kind: Kind): readonly FieldOf<Kind>[] =>
  (Object.keys(contactFields) as FieldOf<Kind>[]).filter(field => contactFields[field] === kind);

/** Fields that only the service can set. */
export const readOnlyFields = fieldsOf('read-only' as const);

/** Fields of a contact that an import can set, except tags and custom fields. */
export const importedFields = fieldsOf('text' as const);
