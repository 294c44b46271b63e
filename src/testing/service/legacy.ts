import {
  type Call,
  endpoint,
  isEmail,
  malformed,
  objectBody,
  optionalText,
  requiredText,
  textArray,
  textMap,
} from './call.ts';
import { fieldChange, setCustomField } from './custom-field.ts';
import type { ContactRecord } from './records.ts';
import { Refusal, type ServiceResponse } from './refusal.ts';
import { isoSeconds } from './state.ts';
import { legacyContactView } from './view.ts';

const profileFields = ['firstName', 'lastName', 'company', 'birthday'] as const;

/** `POST /contact/identify`: creates a contact or adds to it, and removes nothing (section 2, rules for Identify). */
function identify(call: Call): ServiceResponse {
  const body = objectBody(call);
  const email = readEmail(requiredText(body, 'email'));
  const known = call.state.contacts.named(email);
  const address = emailAfter(call, email, known, optionalText(body, 'newEmail'));
  const profile = readProfile(body);
  const tags = textArray(body, 'tags');
  const changes = textMap(body, 'customFields').map(pair => fieldChange(call, known, pair));

  const contact = known ?? call.state.contacts.add({ email: address });
  if (contact.email !== address) call.state.contacts.update(contact, { email: address });
  Object.assign(contact, profile, { updated: isoSeconds(call.now()) });
  for (const change of changes) setCustomField(call, contact, change);
  addTags(call, contact, tags);
  return response(call, known === undefined ? 'contact created' : 'contact updated', contact);
}

/** `POST /contact/track`: adds tags and removes tags (section 4, Track rules). */
function track(call: Call): ServiceResponse {
  const email = readEmail(call.query.get('email') ?? '');
  const body = objectBody(call);
  const [added, removed] = [textArray(body, 'addTags'), textArray(body, 'removeTags')];
  const known = call.state.contacts.named(email);
  if (known === undefined && call.ambiguities.trackOfUnknownContact === 'refuse')
    throw new Refusal('unknown', {
      reason: 'no contact has this email',
      section: 'section 4, Track rules',
    });
  const contact = known ?? call.state.contacts.add({ email });
  addTags(call, contact, added);
  removeTags(call, contact, removed);
  contact.updated = isoSeconds(call.now());
  const { successStatus, legacyStatus, trackData } = call.ambiguities;
  const json = {
    status: legacyStatus,
    message: 'contact tracked',
    ...(trackData ? { data: 'success' } : {}),
  };
  return { status: successStatus, json };
}

function readEmail(text: string): string {
  if (!isEmail(text)) throw malformed(text === '' ? '"email" is missing' : '"email" is no email address');
  return text;
}

/** The email a contact has after Identify; one that another contact has is refused. */
function emailAfter(
  call: Call,
  email: string,
  known: ContactRecord | undefined,
  newEmail: string | undefined,
): string {
  const current = known?.email ?? email;
  if (newEmail === undefined) return current;
  const wished = readEmail(newEmail);
  if (known === undefined && call.ambiguities.newEmailOfUnknownContact === 'ignore') return current;
  const holder = call.state.contacts.named(wished);
  if (holder !== undefined && holder !== known)
    throw new Refusal('nameUsed', {
      message: 'contact with this email already exists',
      reason: 'another contact has the address in "newEmail"',
      section: 'section 2, Contact: unique within team',
    });
  return wished;
}

function readProfile(body: Readonly<Record<string, unknown>>): Partial<ContactRecord> {
  const given = profileFields
    .map(field => [field, optionalText(body, field)] as const)
    .filter(([, value]) => value !== undefined);
  const profile: Partial<ContactRecord> = Object.fromEntries(given);
  if (profile.birthday !== undefined && !isDate(profile.birthday))
    throw malformed('"birthday" must be a date of the form YYYY-MM-DD');
  return profile;
}

function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
  );
}

/** Attaches tags by name; one that does not exist is created (section 2, rule 3 for Identify). */
function addTags({ state }: Call, contact: ContactRecord, names: readonly string[]): void {
  for (const name of names) {
    const { id } = state.tags.named(name) ?? state.tags.add({ name });
    if (contact.tags.includes(id)) continue;
    contact.tags = [...contact.tags, id];
    state.tagChanges.add({ contact: contact.id, tag: name, change: 'added' });
  }
}

function removeTags({ state }: Call, contact: ContactRecord, names: readonly string[]): void {
  for (const name of names) {
    const id = state.tags.named(name)?.id;
    if (id === undefined || !contact.tags.includes(id)) continue;
    contact.tags = contact.tags.filter(tag => tag !== id);
    state.tagChanges.add({ contact: contact.id, tag: name, change: 'removed' });
  }
}

function response(call: Call, message: string, contact: ContactRecord): ServiceResponse {
  const { successStatus, legacyStatus } = call.ambiguities;
  const data = legacyContactView(contact, call.state, call.teamId);
  return { status: successStatus, json: { status: legacyStatus, message, data } };
}

/** Every endpoint of the legacy interface, by method and path as section 4 of the specification writes them. */
export const legacyEndpoints = {
  'POST /contact/identify': endpoint('legacy.identify', identify),
  'POST /contact/track': endpoint('legacy.track', track),
};
