// The legacy interface of any service: Identify and Track.
import { identifyBody } from '../support/specified-fields.ts';
import { type Arrived, type Fields, messages, Refusal, type Reply } from './replies.ts';
import { hashOf, type ServiceState } from './state.ts';

/** Fields of the legacy interface besides the email. */
const names = Object.entries(identifyBody).flatMap(([name, type]) =>
  ['string', 'string(date)'].includes(type) ? name.replace('?', '') : [],
);

const blankContact = { firstName: '', lastName: '', company: '', customFields: {}, lists: [], tags: [] };

/** What only the legacy interface has of a contact: tags and custom fields are named there. */
interface LegacyFields {
  tags: string[];
  customFields: Record<string, string>;
  birthday?: unknown;
}

const named = new WeakMap<Fields, LegacyFields>();

/** Returns the tags and custom fields of a contact, by their names. */
export function namesOf(contact: Fields): LegacyFields {
  const found = named.get(contact) ?? { tags: [], customFields: {} };
  named.set(contact, found);
  return found;
}

/** Returns the value of a custom field after an update: the field `points` has the type number. */
const added = (stored: string | undefined, value: string): string => {
  const [, sign, amount] = /^(\+\+|--)(.+)$/.exec(value) ?? [];
  if (!sign) return value;
  return stored === undefined ? `${amount}` : `${Number(stored) + (sign === '++' ? 1 : -1) * Number(amount)}`;
};

/** Responds to a request of the legacy interface. */
export function respondLegacy(service: ServiceState, { method, path, query, body }: Arrived): Reply {
  if (method !== 'POST') throw new Error(`the specification has no ${method} ${path}`);
  if (path === '/api/v1/contact/identify') return identify(service, body);
  if (path === '/api/v1/contact/track') return track(service, query.get('email'), body);
  throw new Error(`the specification has no ${path}`);
}

function identify(
  service: ServiceState,
  { email, newEmail, customFields = {}, tags = [], ...fields }: Fields,
): Reply {
  if (typeof email !== 'string' || Object.keys(fields).some(name => !names.includes(name)))
    throw new Refusal('legacy', messages.malformed);
  let contact = service.find(email);
  const other = newEmail === undefined ? undefined : service.find(newEmail);
  if (other && other !== contact) throw new Refusal('legacy', 'contact with this email already exists');
  const { newEmailOfUnknown, legacySuccess } = service.decisions;
  if (!contact) {
    if (newEmail !== undefined && newEmailOfUnknown === 'refuse')
      throw new Refusal('legacy', messages.unknown);
    contact = {
      ...service.contact(service.count),
      ...blankContact,
      email: newEmailOfUnknown === 'create new' ? (newEmail ?? email) : email,
    };
    service.contacts.push(contact);
  } else if (newEmail !== undefined) contact.email = newEmail;
  // The legacy interface names tags and custom fields; each contact keeps its own, beside the ids of the REST interface.
  const byName = namesOf(contact);
  const { birthday = byName.birthday, ...others } = fields;
  byName.birthday = birthday;
  Object.assign(contact, others);
  for (const [name, value] of Object.entries(Object(customFields)))
    byName.customFields[name] = added(byName.customFields[name], `${value}`);
  byName.tags = [...new Set([...byName.tags, ...(tags as string[])])];
  service.acted += 1;
  return {
    status: 200,
    body: { status: legacySuccess, message: 'Contact identified.', data: legacyContact(service, contact) },
  };
}

function legacyContact(service: ServiceState, contact: Fields): Fields {
  const { blank } = service.decisions;
  const { birthday, tags, customFields } = namesOf(contact);
  const said = (value: unknown) => (value === '' || value === undefined ? blank : value);
  return {
    encryptedTeamId: 'T9x==',
    encryptedId: `E${hashOf(contact.id)}==`,
    ...Object.fromEntries(names.map(name => [name, said({ ...contact, birthday }[name])])),
    email: contact.email,
    tags,
    customFields,
  };
}

function track(
  service: ServiceState,
  email: string | null,
  { addTags, removeTags, ...others }: Fields,
): Reply {
  const { requiresBothArrays, trackOfUnknown, legacySuccess, trackData } = service.decisions;
  const isNames = (value: unknown) =>
    Array.isArray(value)
      ? value.every(name => typeof name === 'string')
      : value === undefined && !requiresBothArrays;
  if (!email || !isNames(addTags) || !isNames(removeTags) || Object.keys(others).length > 0)
    throw new Refusal('legacy', messages.malformed);
  let contact = service.find(email);
  if (!contact && trackOfUnknown === 'refuse') throw new Refusal('legacy', messages.unknown);
  if (!contact && trackOfUnknown === 'create') {
    contact = { ...service.contact(service.count), ...blankContact, email };
    service.contacts.push(contact);
  }
  if (contact) {
    const byName = namesOf(contact);
    byName.tags = [...new Set([...byName.tags, ...((addTags ?? []) as string[])])].filter(
      name => !((removeTags ?? []) as string[]).includes(name),
    );
    service.acted += 1;
  }
  return { status: 200, body: { status: legacySuccess, message: 'OK', data: trackData } };
}
