// The legacy interface of any service: Identify and Track.
import type { NamedRow } from '../support/operation-row.ts';
import { identifyBody } from '../support/specified-fields.ts';
import { type Fields, messages, Refusal, type Reply } from './replies.ts';
import { hashOf, type ServiceState } from './state.ts';

/** Fields of the legacy interface other than the email, tags and custom fields. */
const names = Object.entries(identifyBody).flatMap(([name, type]) =>
  ['string', 'string(date)'].includes(type) ? name.replace('?', '') : [],
);

/** What only the legacy interface has of a contact: it names tags and custom fields, in addition to the ids of REST. */
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

function newContact(service: ServiceState, email: unknown): Fields {
  const blank = { firstName: '', lastName: '', company: '', customFields: {}, lists: [], tags: [] };
  const contact = { ...service.contact(service.count), ...blank, email };
  service.contacts.push(contact);
  return contact;
}

/** Returns the value of a custom field after an update: the field `points` has the type number. */
const added = (stored: string | undefined, value: string): string => {
  const [, sign, amount] = /^(\+\+|--)(.+)$/.exec(value) ?? [];
  if (!sign) return value;
  return stored === undefined ? `${amount}` : `${Number(stored) + (sign === '++' ? 1 : -1) * Number(amount)}`;
};

/** Responds to a request of the legacy interface. */
export function respondLegacy(
  service: ServiceState,
  { name }: NamedRow,
  query: URLSearchParams,
  body: Fields,
): Reply {
  if (name === 'legacy.identify') return identify(service, body);
  if (name === 'legacy.track') return track(service, query.get('email'), body);
  throw new Error(`the legacy interface has no ${name}`);
}

function identify(
  service: ServiceState,
  { email, newEmail, customFields = {}, tags = [], ...fields }: Fields,
): Reply {
  if (typeof email !== 'string' || Object.keys(fields).some(name => !names.includes(name)))
    throw new Refusal('malformed', messages.malformed);
  const { newEmailOfUnknown, legacySuccess } = service.decisions;
  const known = service.find(email);
  const other = newEmail === undefined ? undefined : service.find(newEmail);
  if (other && other !== known) throw new Refusal('used', 'contact with this email already exists');
  if (!known && newEmail !== undefined && newEmailOfUnknown === 'refuse')
    throw new Refusal('unknown', messages.unknown);
  const contact = known ?? newContact(service, email);
  if (newEmail !== undefined && (known || newEmailOfUnknown === 'create new')) contact.email = newEmail;
  const byName = namesOf(contact);
  const { birthday = byName.birthday, ...others } = fields;
  byName.birthday = birthday;
  Object.assign(contact, others);
  for (const [name, value] of Object.entries(Object(customFields)))
    byName.customFields[name] = added(byName.customFields[name], `${value}`);
  byName.tags = [...new Set([...byName.tags, ...(tags as string[])])];
  service.acted += 1;
  const data = legacyContact(service, contact);
  return { status: 200, body: { status: legacySuccess, message: 'Contact identified.', data } };
}

function legacyContact(service: ServiceState, contact: Fields): Fields {
  const { birthday, tags, customFields } = namesOf(contact);
  const shown = (name: string) => ({ ...contact, birthday })[name] || service.decisions.blank;
  return {
    encryptedTeamId: 'T9x==',
    encryptedId: `E${hashOf(contact.id)}==`,
    ...Object.fromEntries(names.map(name => [name, shown(name)])),
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
    throw new Refusal('malformed', messages.malformed);
  const known = service.find(email);
  if (!known && trackOfUnknown === 'refuse') throw new Refusal('unknown', messages.unknown);
  const contact = known ?? (trackOfUnknown === 'create' ? newContact(service, email) : undefined);
  if (contact) {
    const byName = namesOf(contact);
    const [added, removed] = [addTags ?? [], removeTags ?? []] as string[][];
    byName.tags = [...new Set([...byName.tags, ...(added ?? [])])].filter(tag => !removed?.includes(tag));
    service.acted += 1;
  }
  return { status: 200, body: { status: legacySuccess, message: 'OK', data: trackData } };
}
