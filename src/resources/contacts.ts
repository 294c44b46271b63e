import type { ApiPromise } from '../http/call/api-promise.ts';
import type { CallOptions } from '../http/options/call-options.ts';
import {
  type Contact,
  type ContactsFilter,
  type ContactsQuery,
  listContacts,
} from '../operations/contacts.ts';
import type { Paginator } from '../pagination/paginator.ts';
import type { PaginatorOptions } from '../pagination/paginator-options.ts';
import { findByEmail, iterate } from './listings.ts';
import { Resource } from './resource.ts';

/** Lists and finds contacts. `client.legacy` creates and updates them. */
export class Contacts extends Resource {
  /**
   * Lists one page of contacts. A page can be shorter than `limit` even if there are more contacts.
   *
   * @throws {@link InvalidRequestError} if a field is invalid; nothing is sent.
   *
   * @example
   * ```ts
   * const contacts = await client.contacts.list({ offset: 0, limit: 100, search: 'ada' });
   * for (const { email, firstName } of contacts) console.log(email, firstName);
   * ```
   */
  list(query?: ContactsQuery, options?: CallOptions): ApiPromise<Contact[]> {
    return Resource.perform(this, listContacts, query, options);
  }

  /**
   * Finds a contact by email. Case is ignored.
   *
   * @param options - Options of each request. Usually there is one; up to 50 if many other contacts match the search.
   * @returns The contact, or `undefined` if there is none.
   * @throws {@link InvalidRequestError} if it is not an email address, or longer than 255 characters; nothing is sent.
   * @throws {@link InvalidResponseError} if 50 pages contain only other contacts.
   *
   * @example
   * ```ts
   * const ada = await client.contacts.findByEmail('Ada@example.com');
   * console.log(ada?.firstName);
   * ```
   */
  findByEmail(email: string, options?: CallOptions): ApiPromise<Contact | undefined> {
    return findByEmail((page, each) => this.list(page, each), email, options);
  }

  /**
   * Iterates over every contact: `for await (const contact of client.contacts.all())`. Each contact that exists
   * throughout is yielded exactly once, even if others are added or deleted, unless the loop changes what the list is
   * sorted by. Nothing is sent before the loop starts.
   *
   * @example
   * ```ts
   * let unsubscribed = 0;
   * for await (const contact of client.contacts.all({ search: 'example.com' }))
   *   if (contact.unsubscribed) unsubscribed += 1;
   * console.log(unsubscribed);
   * ```
   */
  all(filter?: ContactsFilter, options?: PaginatorOptions & CallOptions): Paginator<Contact> {
    return iterate('contacts', [100, 30], (page, each) => this.list(page, each), filter, options);
  }
}
