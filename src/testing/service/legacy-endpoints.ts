import { ErrorResponse, malformed, type ServiceResponse, unknown } from './error-response.ts';
import { type ContactRecord, isEmail, isNumber, isoSeconds, legacyFields } from './record-kinds.ts';
import {
  type EndpointTable,
  objectBody,
  optionalText,
  requiredText,
  type ServiceRequest,
  success,
  textArray,
  textMap,
} from './service-request.ts';
import { legacyContactView } from './view.ts';

const identifyFields = ['email', 'newEmail', 'tags', 'customFields', ...legacyFields.map(([name]) => name)];

/** `POST /contact/identify`: creates or updates a contact, and removes nothing (rules 6.2 and 6.3). */
function identify(call: ServiceRequest): ServiceResponse {
  const body = objectBody(call, identifyFields);
  const email = readEmail(requiredText(body, 'email'));
  const known = call.state.contacts.named(email);
  const address = emailAfter(call, email, known, optionalText(body, 'newEmail'));
  const profile = readProfile(body);
  const tags = textArray(body, 'tags');
  const changes = textMap(body, 'customFields').map(pair => fieldChange(call, known, pair));

  const { contacts } = call.state;
  const contact = known ?? contacts.insert({ email: address });
  contacts.assign(contact, { ...profile, email: address, updated: isoSeconds(call.now()) });
  setCustomFields(call, contact, changes);
  changeTags(call, contact, tags);
  const data = legacyContactView(contact, call.state, call.teamId);
  return response(known === undefined ? 'contact created' : 'contact updated', data);
}

/** `POST /contact/track`: adds tags and removes tags. */
function track(call: ServiceRequest): ServiceResponse {
  const email = readEmail(call.query.get('email') ?? '');
  const body = objectBody(call, ['addTags', 'removeTags']);
  const [added, removed] = [textArray(body, 'addTags'), textArray(body, 'removeTags')];
  const known = call.state.contacts.named(email);
  if (known === undefined && call.ambiguities.trackOfUnknownContact === 'refuse')
    throw unknown('no contact has this email', '7.3');
  const contact = known ?? call.state.contacts.insert({ email });
  changeTags(call, contact, added, removed);
  call.state.contacts.assign(contact, { updated: isoSeconds(call.now()) });
  return response('contact tracked', 'success');
}

function readEmail(text: string): string {
  if (!isEmail(text)) throw malformed(text === '' ? '"email" is missing' : '"email" is not an email address');
  return text;
}

/** Returns the contact's email after Identify. Throws if another contact has it. */
function emailAfter(
  call: ServiceRequest,
  email: string,
  known: ContactRecord | undefined,
  newEmail: string | undefined,
): string {
  const current = known?.email ?? email;
  if (newEmail === undefined) return current;
  const address = readEmail(newEmail);
  if (known === undefined) return current;
  const holder = call.state.contacts.named(address);
  if (holder !== undefined && holder !== known)
    throw new ErrorResponse('nameUsed', {
      message: 'contact with this email already exists',
      reason: 'another contact already has the email in "newEmail"',
      rule: '6.8',
    });
  return address;
}

/** Reads the fields of a legacy contact other than email, tags and custom fields. */
function readProfile(body: Readonly<Record<string, unknown>>): Partial<ContactRecord> {
  const profile: Record<string, string> = {};
  for (const [name, { rule }] of legacyFields) {
    const value = optionalText(body, name);
    if (value === undefined) continue;
    if (!rule.isValid(value)) throw malformed(`"${name}" must be ${rule.expected}`);
    profile[name] = value;
  }
  return profile;
}

/** Adds tags by name, and creates missing ones (rule 6.4). Removes other tags by name. */
function changeTags(
  { state }: ServiceRequest,
  contact: ContactRecord,
  added: readonly string[],
  removed: readonly string[] = [],
): void {
  const ids = new Set(contact.tags);
  for (const tag of added) {
    const { id } = state.tags.named(tag) ?? state.tags.insert({ name: tag });
    if (!ids.has(id)) state.tagChanges.insert({ contact: contact.id, tag, change: 'added' });
    ids.add(id);
  }
  for (const tag of removed) {
    const { id = '' } = state.tags.named(tag) ?? {};
    if (ids.delete(id)) state.tagChanges.insert({ contact: contact.id, tag, change: 'removed' });
  }
  state.contacts.assign(contact, { tags: [...ids] });
}

const change = /^(\+\+|--)(-?\d+(?:\.\d+)?)$/;

/**
 * Computes the change of a custom field: in a number field, `++` adds to the stored value and `--` subtracts. Nothing is
 * stored yet, so that an error leaves the contact unchanged.
 */
function fieldChange(
  { state }: ServiceRequest,
  contact: ContactRecord | undefined,
  [name, value]: readonly [string, string],
): readonly [name: string, value: string] {
  const field = state.customFields.named(name);
  if (field?.type !== 'number' || value === '') return [name, value];
  const result = numberValue(contact?.customFields[field.id], value);
  if (result === undefined) throw malformed(`customFields.${name.slice(0, 50)} is a number field`);
  return [name, result];
}

/** Sets custom fields, and creates those that do not exist. */
function setCustomFields(
  { state }: ServiceRequest,
  contact: ContactRecord,
  changes: readonly (readonly [name: string, value: string])[],
): void {
  const customFields = { ...contact.customFields };
  for (const [name, value] of changes) {
    const field = state.customFields.named(name) ?? state.customFields.insert({ name });
    customFields[field.id] = value;
  }
  state.contacts.assign(contact, { customFields });
}

/** Returns the value to store in a number field; `undefined` if it is not a number. */
function numberValue(stored: string | undefined, value: string): string | undefined {
  const [, sign, amount] = change.exec(value) ?? [];
  if (amount === undefined) return isNumber(value) ? value : undefined;
  if (stored !== undefined && isNumber(stored)) return add(stored, amount, sign === '--' ? -1n : 1n);
  return amount;
}

/** Adds decimal numbers exactly: 0.1 + 0.2 is 0.3. */
function add(left: string, right: string, sign: bigint): string {
  const places = Math.max(...[left, right].map(text => text.split('.')[1]?.length ?? 0));
  const scaled = (text: string) => {
    const [whole = '0', fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(places, '0'));
  };
  const sum = scaled(left) + sign * scaled(right);
  const digits = (sum < 0n ? -sum : sum).toString().padStart(places + 1, '0');
  let end = digits.length;
  while (end > digits.length - places && digits[end - 1] === '0') end--;
  const fraction = digits.slice(digits.length - places, end);
  return `${sum < 0n ? '-' : ''}${digits.slice(0, digits.length - places)}${fraction && `.${fraction}`}`;
}

function response(message: string, data: unknown): ServiceResponse {
  return success({ status: 'success', message, data });
}

/** Every endpoint of the legacy interface, by method and path. */
export const legacyEndpoints = {
  'POST /contact/identify': ['legacy.identify', identify],
  'POST /contact/track': ['legacy.track', track],
} as const satisfies EndpointTable;
