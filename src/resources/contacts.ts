import type { ApiPromise, CallResult } from '../call/api-promise.ts';
import type { CallOptions } from '../call/call-options.ts';
import { isEmail } from '../core/email.ts';
import { invalidRequestError, unusableListError } from '../core/issues.ts';
import { typeName } from '../core/json.ts';
import { EmailMarketingError } from '../errors.ts';
import type { Paginator } from '../pagination/paginator.ts';
import type { PaginatorOptions } from '../pagination/paginator-options.ts';
import { RecordPaginator } from '../pagination/record-paginator.ts';
import type { ContactId, ListId, TagId } from '../schemas/id.ts';
import type { PageQuery } from '../schemas/page.ts';

/** Origin of a contact: 1 API or manual, 2 import, 3 form, 4 integration; 0 if missing. The service may send others. */
export type ContactSource = 1 | 2 | 3 | 4 | (number & {});

/** Person who receives emails. */
export interface Contact {
  /** `contact_` and 22 letters or digits; never changes. */
  readonly id: ContactId;
  /** First name; empty if not given. */
  readonly firstName: string;
  /** Last name; empty if not given. */
  readonly lastName: string;
  /** Email address, unique within the team; empty if the service sends none. */
  readonly email: string;
  /** Company; empty if not given. */
  readonly company: string;
  /** Values by the id of the custom field, such as `custom_field_7hK2mQ9xB4nT6vR1sW8zLp`: {@link customField} finds one. */
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
  /** Origin of the contact: 1 API or manual, 2 import, 3 form, 4 integration. The service may send others. */
  readonly contactSource: ContactSource;
  /** URL of the web page on which the contact was created; may be empty. */
  readonly pageSource: string;
  /** Last IP address that was tracked; may be empty. */
  readonly lastTrackedIp: string;
  /** Lifetime value in cents. */
  readonly ltv: number;
}

/** Filter of {@link Contacts.list} and {@link Contacts.all}. */
export interface ContactsFilter {
  /** Part of a first name, last name or email: 2 to 255 characters. Case is ignored. */
  readonly search?: string | undefined;
}

/** Query of {@link Contacts.list}. `limit` is at most 100. */
export interface ContactsQuery extends PageQuery, ContactsFilter {}

/** Lists and finds contacts. {@link Legacy.identify | client.legacy.identify} creates and updates them. */
export interface Contacts {
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
  list(query?: ContactsQuery, options?: CallOptions): ApiPromise<Contact[]>;

  /**
   * Finds a contact by email. Case is ignored.
   *
   * @param options - Options of each request. Usually one is enough; up to 50 are sent if many other contacts match.
   * @returns The contact, or `undefined` if there is none.
   * @throws {@link InvalidRequestError} if it is not an email address, or is longer than 255 characters; nothing is
   * sent.
   * @throws {@link InvalidResponseError} if 50 pages contain only other contacts, or the service ignores `offset`.
   *
   * @example
   * ```ts
   * const ada = await client.contacts.findByEmail('Ada@example.com');
   * console.log(ada?.firstName);
   * ```
   */
  findByEmail(email: string, options?: CallOptions): ApiPromise<Contact | undefined>;

  /**
   * Iterates over every contact: `for await (const contact of client.contacts.all())`. Contacts that exist for the
   * whole run are yielded exactly once, even while contacts are added, deleted or changed, if the list is sorted by
   * creation or last change. Nothing is sent before the loop starts.
   *
   * @example
   * ```ts
   * let unsubscribed = 0;
   * for await (const contact of client.contacts.all({ search: 'example.com' }))
   *   if (contact.unsubscribed) unsubscribed += 1;
   * console.log(unsubscribed);
   * ```
   */
  all(filter?: ContactsFilter, options?: PaginatorOptions): Paginator<Contact>;
}

/** Operation in the errors of the search. */
const findOperation = 'contacts.findByEmail';

/** Smaller of the two documented maximums (rule 4.3), because few contacts match a whole email. */
const smallestPage = 30;

/** Maximum number of pages to search, in case the service ignores `search` and returns every contact. */
const maxMatchingPages = 50;

/** Finds a contact by email; case is ignored. Reads more pages as long as they contain only other contacts. */
export async function findByEmail(
  { list }: Pick<Contacts, 'list'>,
  search: string,
  options: CallOptions | undefined,
): Promise<CallResult<Contact | undefined>> {
  // The text is not shown, because it could be a key.
  const issue = { path: 'email', expected: 'an email address', received: typeName(search) };
  if (!isEmail(search)) throw invalidRequestError(findOperation, [issue]);
  let pages = 0;
  let response = new Response();
  const load = async (page: PageQuery) => {
    if (pages++ === maxMatchingPages) {
      const others = `others in ${maxMatchingPages} pages`;
      throw unusableListError(findOperation, 'contacts that match the search', others);
    }
    const received = await list({ ...page, search }, options).safe();
    if (!received.ok) throw received.error;
    response = received.response;
    return received.data;
  };
  const pageSizes = [smallestPage] as const;
  const source = { resource: 'contacts', filter: { search }, pageSizes, load, isPrefetched: false };
  const result = (data?: Contact) => ({ data, status: response.status, headers: () => response.headers });
  // A response can contain any value as email.
  try {
    for await (const contact of new RecordPaginator<Contact>(source))
      if (typeof contact.email === 'string' && contact.email.toLowerCase() === search.toLowerCase())
        return result(contact);
    return result();
  } catch (error) {
    // The error of a page names `contacts.list`, and has a checkpoint, which a search cannot use.
    if (EmailMarketingError.isInstance(error)) {
      const [message, stack] = [error.message, `${error.stack}`].map(text =>
        text.replace('contacts.list', findOperation),
      );
      Object.assign(error, { operation: findOperation, message, stack, checkpoint: undefined });
    }
    throw error;
  }
}
