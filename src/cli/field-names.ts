/** Other names of the fields of `identify` whose meaning is plain: in lower case, without accents, spaces and punctuation. */
const otherNames = {
  email: `emailaddress mail email1value emailadresse adresseemail adressedemessagerie courriel correo
    correoelectronico`,
  firstName: 'fname first givenname forename vorname prenom',
  lastName: 'lname last surname familyname nachname nom nomdefamille apellido apellidos',
  company: `companyname organization organisation organizationname organization1name associatedcompany firma
    unternehmen unternehmensname entreprise societe empresa`,
  birthday: `birthdate dateofbirth dob bday geburtsdatum geburtstag datedenaissance datenaissance anniversaire
    fechadenacimiento`,
  tags: 'addtags tagnames',
} as const;

/** Returns a name for comparison: in lower case, without accents, spaces and punctuation. */
export const plainName = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

const fieldByName = new Map(
  Object.entries(otherNames).flatMap(([field, names]) => names.split(/\s+/).map(name => [name, field])),
) as ReadonlyMap<string, keyof typeof otherNames>;

/** Returns the field of `identify` that another name means, such as `firstName` for `fname`. */
export const fieldOfName = (name: string): keyof typeof otherNames | undefined =>
  fieldByName.get(plainName(name));

/** Usual names of columns with names of people, which can mean something else: they are only offered. */
const nameFields = {
  firstName:
    'name fullname contactname yourname nombre nombrecompleto nomcomplet nometprenom imie imieinazwisko 名 名前 お名前 氏名',
  lastName: 'nazwisko 姓 苗字',
} as const;

const nameFieldByName = new Map(
  Object.entries(nameFields).flatMap(([field, names]) =>
    names.split(' ').map(name => [plainName(name), field]),
  ),
);

/** Returns the field that a column may mean by its name. */
export const nameFieldOf = (name: string): string | undefined => nameFieldByName.get(plainName(name));
