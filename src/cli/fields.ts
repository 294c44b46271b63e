import type { Contact, IdentifyParams } from '../index.ts';

/**
 * The fields of an input of `identify`, and how a cell is read. The compiler reports a missing field. `newEmail` has no
 * column: a row with it could not be sent twice.
 */
export const inputFields = {
  email: 'email',
  firstName: 'text',
  lastName: 'text',
  company: 'text',
  birthday: 'date',
  tags: 'list',
  customFields: 'map',
} as const satisfies Record<Exclude<keyof IdentifyParams, 'newEmail'>, string>;

export type Field = keyof typeof inputFields;

/** Fields with one column. Each custom field has its own column. */
export const columnFields = (Object.keys(inputFields) as Field[]).filter(
  field => inputFields[field] !== 'map',
);

/** Column with the reason, in a file of rejected rows, and in one of people who were left out. */
export const reasonColumn = 'Import error';
export const leftOutColumn = 'Left out because';

/** Column that says who may be mailed, with `yes`: `export` writes it, and people who know that somebody agreed. */
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

/** Fields that only the service can set; then those with what a person did, which few exports need. */
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
  'contactSource',
  'ltv',
] as const satisfies (keyof Contact)[];
export const trackingFields = [
  'trackData',
  'pageSource',
  'lastTrackedIp',
] as const satisfies (keyof Contact)[];
