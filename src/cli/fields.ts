import type { Contact, IdentifyParams } from '../index.ts';

/** How a cell is read, by the type of its field. */
type KindOf<Value> = Value extends string
  ? 'text' | 'email' | 'date'
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
 * in exports of Mailchimp, Brevo, HubSpot, Google Contacts, Outlook and Excel. The compiler reports a field that is missing.
 */
export const inputFields = {
  email: {
    kind: 'email',
    names: [
      ...['Email Address', 'E-mail 1 - Value', 'E-Mail-Adresse', 'Mail'],
      ...['Adresse e-mail', 'Adresse de messagerie', 'Courriel'],
    ],
  },
  newEmail: { kind: 'email', names: [] },
  firstName: { kind: 'text', names: ['FNAME', 'Given Name', 'Vorname', 'Prénom'] },
  lastName: { kind: 'text', names: ['LNAME', 'Family Name', 'Surname', 'Nachname', 'Nom', 'Nom de famille'] },
  company: {
    kind: 'text',
    names: [
      ...['Company name', 'Associated Company', 'Organization Name', 'Organization 1 - Name'],
      ...['Firma', 'Unternehmen', 'Entreprise', 'Société'],
    ],
  },
  birthday: {
    kind: 'date',
    names: [
      ...['Date of birth', 'Birthdate', 'Geburtsdatum', 'Geburtstag'],
      ...['Date de naissance', 'Anniversaire'],
    ],
  },
  tags: { kind: 'list', names: [] },
  customFields: { kind: 'map', names: [] },
} as const satisfies InputFields;

/** Returns the name of a column as names are compared: without case, accents, spaces and punctuation. */
export const plainName = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

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
