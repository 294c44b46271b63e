import { invalidRequest } from '../http/issues.ts';
import { isObject } from '../http/json.ts';
import { describe } from '../http/options/check-options.ts';

const prefix = /^(custom_)?field_/;

/**
 * Returns the value of a contact's custom field, or `undefined` if the contact does not have it. The prefixes
 * `custom_field_` and `field_`, and none, all name the same field, in the contact and in `id`.
 *
 * @param contact - A contact of `client.contacts`.
 * @param id - Identifier of the custom field. If the contact has this very key, its value is returned.
 *
 * @example
 * ```ts
 * const [contact] = await client.contacts.list({ limit: 1 });
 * if (contact) console.log(customField(contact, 'custom_field_7hK2mQ9xB4nT6vR1sW8zLp'));
 * ```
 */
export function customField(
  contact: { readonly customFields: Readonly<Record<string, string>> },
  id: string,
): string | undefined {
  if (!isObject(contact?.customFields))
    throw invalidRequest('customField', [
      { path: 'contact', expected: 'a contact of client.contacts', received: describe(contact) },
    ]);
  if (typeof id !== 'string')
    throw invalidRequest('customField', [{ path: 'id', expected: 'text', received: describe(id) }]);
  const bare = id.replace(prefix, '');
  const key = [id, `custom_field_${bare}`, `field_${bare}`, bare].find(name =>
    Object.hasOwn(contact.customFields, name),
  );
  return key === undefined ? undefined : contact.customFields[key];
}
