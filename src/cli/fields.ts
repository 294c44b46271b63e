import type { IdentifyParams } from '../index.ts';

/**
 * The fields of an input of `identify`, and how a cell is read. The compiler reports a missing field. `newEmail` has no
 * column, because its rows could not be sent twice.
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

/** Column that contains `yes` for people who may be imported. `export` writes it, too. */
export const mailableColumn = 'mailable';

/** First column of a file of rejected rows. */
export const reasonColumn = 'Import error';

/** Other unambiguous headings for each field, in the form that {@link plainName} returns. */
const otherNames: Partial<Record<Field, string>> = {
  email: `emailaddress mail email1value emailadresse adresseemail adressedemessagerie courriel correo
    correoelectronico`,
  firstName: 'fname first givenname forename vorname prenom',
  lastName: 'lname last surname familyname nachname nom nomdefamille apellido apellidos',
  company: `companyname organization organisation organizationname organization1name associatedcompany firma
    unternehmen unternehmensname entreprise societe empresa`,
  birthday: `birthdate dateofbirth dob bday geburtsdatum geburtstag datedenaissance datenaissance anniversaire
    fechadenacimiento`,
  tags: 'addtags tagnames',
};

/** Returns a name for comparison: in lower case, without accents, spaces and punctuation. */
export const plainName = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

const ownNames = new Map(columnFields.map(field => [plainName(field), field]));
const fieldByName = new Map(
  Object.entries(otherNames).flatMap(([field, names]) => names.split(/\s+/).map(name => [name, field])),
) as ReadonlyMap<string, Field>;

/** Returns the field that a column has by the field's own name, such as `First name` for `firstName`. */
export function ownField(name: string): string | undefined {
  const custom = /^customFields\.(.+)/is.exec(name)?.[1];
  return custom === undefined ? ownNames.get(plainName(name)) : `customFields.${custom}`;
}

/** Returns the field that another name refers to, such as `firstName` for `fname`. */
export const fieldOfName = (name: string): Field | undefined => fieldByName.get(plainName(name));
