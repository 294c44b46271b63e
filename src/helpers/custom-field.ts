const prefix = /^(custom_)?field_/;

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
  const { customFields } = contact;
  const bare = id.replace(prefix, '');
  const key = [id, `custom_field_${bare}`, `field_${bare}`, bare].find(name =>
    Object.hasOwn(customFields, name),
  );
  return key === undefined ? undefined : customFields[key];
}
