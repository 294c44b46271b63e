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

/** Columns for tags and custom fields, of which a contact contains only the ids: no names that `import` knows. */
export const idColumns = { tags: 'tagIds', customFields: 'customFieldIds' } as const;

/** Fields of a contact that an import can set, except tags and custom fields. */
export const importedFields = [
  'email',
  'firstName',
  'lastName',
  'company',
] as const satisfies (keyof Contact)[];

/** Fields that only the service can set. */
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
] as const satisfies (keyof Contact)[];
