import type { IdentifyParams } from '../index.ts';

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
