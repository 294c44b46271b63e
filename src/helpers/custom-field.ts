import { invalidArgument } from './invalid-argument.ts';

const prefix = /^(custom_)?field_/;

/** Length of an id without its prefix. */
const idLength = 22;

/**
 * Returns the value of a contact's custom field, or `undefined` if the contact does not have it. The prefixes
 * `custom_field_` and `field_` are interchangeable.
 *
 * @param contact - A contact of `client.contacts`.
 * @param id - Id of the custom field. A key with exactly this prefix takes precedence.
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
  const { customFields } = contact ?? {};
  if (typeof customFields !== 'object' || customFields === null)
    throw invalidArgument('customField', 'contact', 'a contact of client.contacts', contact);
  if (typeof id !== 'string') throw invalidArgument('customField', 'id', 'a string', id);
  const bare = id.replace(prefix, '');
  const key = [id, `custom_field_${bare}`, `field_${bare}`, bare].find(name =>
    Object.hasOwn(customFields, name),
  );
  if (key !== undefined) return customFields[key];
  const isName = id === bare && id.length < idLength && !/\d/.test(id);
  if (isName && Object.keys(customFields).some(name => prefix.test(name)))
    throw invalidArgument('customField', 'id', 'the id of a custom field, not its name', id);
  return undefined;
}
