import { endpoints } from '../../client/endpoints.ts';
import type { Contact, EmailMarketingClient, Paginator, PaginatorOptions } from '../../index.ts';
import { createPaginator } from '../../resources/listings.ts';

/** Flags of contacts who get no email from the service. */
export const leftFlags = ['unsubscribed', 'bounced', 'spam', 'blocked', 'dropped'] as const;

/**
 * Returns a paginator over all contacts. Adds a contact to `mailable` if its response contained each flag as `false`. The
 * client fills in `false` for an absent flag, so the flags of its records are not enough.
 */
export function allContacts(
  client: EmailMarketingClient,
  mailable: WeakSet<Contact>,
  options: PaginatorOptions,
): Paginator<Contact> {
  const validate = async (json: unknown) => {
    const areClean = [json].flat().map(contact => leftFlags.every(flag => Object(contact)[flag] === false));
    const parsed = await endpoints['contacts.list'].output.parseResponse(json, 'report');
    if (!parsed.ok) return { issues: parsed.issues.map(({ expected }) => ({ message: expected, expected })) };
    for (const [index, contact] of parsed.value.entries()) if (areClean[index]) mailable.add(contact);
    return { value: parsed.value };
  };
  const schema = { '~standard': { version: 1, vendor: 'email-marketing-client', validate } } as const;
  const list = (query: object, callOptions?: object) =>
    client.request({ method: 'GET', path: '/contact', query: { ...query }, schema }, callOptions);
  return createPaginator('contacts', { list }, {}, options);
}
