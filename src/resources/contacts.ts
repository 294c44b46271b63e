import type { ApiPromise } from '../http/call/api-promise.ts';
import type { HttpClient } from '../http/call/http-client.ts';
import type { CallOptions } from '../http/options/call-options.ts';
import { listContacts } from '../operations/contacts.ts';
import { contactPageSizes } from '../pagination/page-sizes.ts';
import { Paginator, type PaginatorOptions } from '../pagination/paginator.ts';
import type { ContactId, ListId, TagId } from '../schemas/id.ts';
import type { PageQuery } from '../schemas/page.ts';

/** Origin of a contact: 1 API or manual, 2 import, 3 form, 4 integration. The service may send others. */
export type ContactSource = 1 | 2 | 3 | 4 | (number & {});

/** Person that emails are sent to (specification, section 2). */
export interface Contact {
  /** `contact_` and 22 letters or digits; never changes. */
  readonly id: ContactId;
  /** First name; empty if not given. */
  readonly firstName: string;
  /** Last name; empty if not given. */
  readonly lastName: string;
  /** Email address, unique within the team. */
  readonly email: string;
  /** Company; empty if not given. */
  readonly company: string;
  /** Values by prefixed custom-field identifier; {@link customField} finds one by either prefix. */
  readonly customFields: Readonly<Record<string, string>>;
  /** Ids of the lists that the contact is in. */
  readonly lists: ListId[];
  /** Ids of the contact's tags. */
  readonly tags: TagId[];
  /** `true` if the contact unsubscribed from emails. */
  readonly unsubscribed: boolean;
  /** `true` if emails to the contact bounced. */
  readonly bounced: boolean;
  /** `true` if the contact marked emails as spam. */
  readonly spam: boolean;
  /** `true` if the contact is blocked from receiving emails. */
  readonly blocked: boolean;
  /** `true` if emails to the contact were dropped. */
  readonly dropped: boolean;
  /** Time of creation: ISO 8601, UTC. */
  readonly created: string;
  /** Time of the last change: ISO 8601, UTC. */
  readonly updated: string;
  /** Tracking data and UTM parameters, as a query string; may be empty. */
  readonly trackData: string;
  /** Origin of the contact, as a number. */
  readonly contactSource: ContactSource;
  /** URL of the page where the contact was created; may be empty. */
  readonly pageSource: string;
  /** Last IP address that was tracked; may be empty. */
  readonly lastTrackedIp: string;
  /** Lifetime value in cents. */
  readonly ltv: number;
}

/** Filter of {@link Contacts.list} and {@link Contacts.all}. */
export interface ContactsFilter {
  /** Part of a first name, last name or email, in upper or lower case: 2 to 255 characters. */
  readonly search?: string | undefined;
}

/** Query of {@link Contacts.list}. `limit` is at most 100. */
export interface ContactsQuery extends PageQuery, ContactsFilter {}

/** Lists contacts (specification, section 4). `client.legacy` creates and updates them. */
export class Contacts {
  readonly #http: HttpClient;

  /** @internal */
  constructor(http: HttpClient) {
    this.#http = http;
  }

  /**
   * Lists one page of contacts. The service may return fewer than `limit` although there are more.
   *
   * @param query - Page to return, and the contacts to search for.
   * @param options - Options of this call.
   * @returns The contacts of the page.
   * @throws {@link InvalidRequestError} if a field is invalid; nothing is sent.
   *
   * @example
   * ```ts
   * const contacts = await client.contacts.list({ offset: 0, limit: 100, search: 'ada' });
   * for (const { email, firstName } of contacts) console.log(email, firstName);
   * ```
   */
  list(query?: ContactsQuery, options?: CallOptions): ApiPromise<Contact[]> {
    return this.#http.call(listContacts, query, options);
  }

  /**
   * Iterates over every contact: `for await (const contact of client.contacts.all())`. Each contact that exists
   * throughout is yielded exactly once, whatever is added or deleted meanwhile. Nothing is sent before the loop starts.
   *
   * @param filter - Selects contacts.
   * @param options - Options of the iteration, and of each of its calls.
   * @returns An async iterable of contacts.
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
    const load = (page: PageQuery, callOptions: CallOptions) =>
      this.list({ ...filter, ...page }, callOptions);
    return new Paginator<Contact>(
      { operation: listContacts.name, filter, pageSizes: contactPageSizes, load },
      options,
    );
  }
}
