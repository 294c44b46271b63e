import type { Contact, IdentifyParams } from '../index.ts';

/** How a cell is read, by the type of its field. */
type KindOf<Value> = Value extends string
  ? 'text' | 'date'
  : Value extends readonly string[]
    ? 'list'
    : 'map';

type InputFields = {
  readonly [Name in keyof IdentifyParams]-?: {
    readonly kind: KindOf<NonNullable<IdentifyParams[Name]>>;
    readonly names: readonly string[];
  };
};

/**
 * The fields of an input of `identify`: how a cell is read, and the names of their columns, besides that of the field,
 * in exports of Mailchimp, Brevo, HubSpot and Excel. The compiler reports a field that is missing.
 */
export const inputFields = {
  email: { kind: 'text', names: ['Email Address', 'E-Mail-Adresse', 'Adresse e-mail'] },
  newEmail: { kind: 'text', names: [] },
  firstName: { kind: 'text', names: ['FNAME', 'Vorname', 'Prénom', 'Prenom'] },
  lastName: { kind: 'text', names: ['LNAME', 'Surname', 'Nachname', 'Nom'] },
  company: { kind: 'text', names: ['Company name', 'Associated Company', 'Firma', 'Entreprise'] },
  birthday: { kind: 'date', names: ['Date of birth', 'Birthdate', 'Geburtsdatum', 'Date de naissance'] },
  tags: { kind: 'list', names: [] },
  customFields: { kind: 'map', names: [] },
} as const satisfies InputFields;

export type Field = keyof typeof inputFields;

/** Fields that hold one column; those of the map have a column each. */
export const columnFields = (Object.keys(inputFields) as Field[]).filter(
  field => inputFields[field].kind !== 'map',
);

type OnlyInput = Exclude<keyof IdentifyParams, keyof Contact>;
type OnlyContact = Exclude<keyof Contact, keyof IdentifyParams>;
type Both = keyof Contact & keyof IdentifyParams;
/** Field that one column of an export holds, and an import reads. */
type ImportedField = { [Name in Both]: Contact[Name] extends string ? Name : never }[Both];

/** Fields that the service does not return with a contact. */
const neverReturned: Readonly<Record<OnlyInput, true>> = { newEmail: true, birthday: true };

/** Name of the column, in a file of rejected or skipped rows, that holds the reason. */
export const reasonColumn = 'Import error';

/** Columns of the tags and custom fields that no name was given for. */
export const unnamedColumns = {
  tags: 'unnamedTags',
  customFields: 'unnamedCustomFields',
} as const satisfies Record<Exclude<Both, ImportedField>, string>;

const readOnly: Readonly<Record<OnlyContact, true>> = {
  id: true,
  lists: true,
  unsubscribed: true,
  bounced: true,
  spam: true,
  blocked: true,
  dropped: true,
  created: true,
  updated: true,
  trackData: true,
  contactSource: true,
  pageSource: true,
  lastTrackedIp: true,
  ltv: true,
};

/** Fields of a contact that the service sets itself: an import cannot set them. */
export const readOnlyFields = Object.keys(readOnly) as readonly OnlyContact[];

const isImported = (field: string): field is ImportedField =>
  !Object.hasOwn(neverReturned, field) && !Object.hasOwn(unnamedColumns, field);

/** Fields of a contact that an import sets. */
export const importedFields = columnFields.filter(isImported);
