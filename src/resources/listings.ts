import { InvalidResponseError } from '../errors.ts';
import { ApiPromise, addCallSite, type CallResult } from '../http/call/api-promise.ts';
import { isObject, typeName } from '../http/json.ts';
import type { CallOptions } from '../http/options/call-options.ts';
import type { Contact, ContactsFilter, ContactsQuery } from '../operations/contacts.ts';
import type { List, ListsFilter } from '../operations/lists.ts';
import { Paginator } from '../pagination/paginator.ts';
import type { PaginatorOptions } from '../pagination/paginator-options.ts';
import type { PageQuery } from '../schemas/page.ts';

/** Page sizes for contacts, largest first: the service documents the maximum as both 100 and 30 (rule 4.3). */
const contactPageSizes = [100, 30] as const;

/** Page sizes for lists, largest first: the service documents the maximum as both 500 and 100 (rule 4.3). */
const listPageSizes = [500, 100] as const;

// Both clients list pages in their own way, and do the same with them.

/** Lists one page, as the method of a resource does. */
type ListPage<T, Filter> = (query: PageQuery & Filter, options: CallOptions) => Promise<T[]>;

type Options = (PaginatorOptions & CallOptions) | undefined;

/** Creates the paginator over contacts. */
export const iterateContacts = (
  list: ListPage<Contact, ContactsFilter>,
  filter: ContactsFilter | undefined,
  options: Options,
): Paginator<Contact> => iterate('contacts.list', contactPageSizes, list, filter, options);

/** Creates the paginator over lists. */
export const iterateLists = (
  list: ListPage<List, ListsFilter>,
  filter: ListsFilter | undefined,
  options: Options,
): Paginator<List> => iterate('lists.list', listPageSizes, list, filter, options);

function iterate<T extends { readonly id: string }, Filter extends object>(
  operation: string,
  pageSizes: readonly [number, ...number[]],
  list: ListPage<T, Filter>,
  filter: Filter | undefined,
  options: Options,
): Paginator<T> {
  const load = async (page: PageQuery, own: CallOptions) => {
    const records = await list({ ...(filter as Filter), ...page }, own);
    return checkRecords(operation, records, hasId);
  };
  return new Paginator({ operation, filter, pageSizes, load }, options);
}

type ListContacts = (query: ContactsQuery, options: CallOptions | undefined) => ApiPromise<Contact[]>;

/** Searches for the contact with an email, in upper or lower case. Reads further pages while they hold other contacts. */
export function findByEmail(
  list: ListContacts,
  email: string,
  options?: CallOptions,
): ApiPromise<Contact | undefined> {
  const callSite = new Error();
  const found = find(list, email, options).catch(error => {
    addCallSite(error, callSite);
    throw error;
  });
  return new ApiPromise(found);
}

async function find(
  list: ListContacts,
  email: string,
  options: CallOptions | undefined,
): Promise<CallResult<Contact | undefined>> {
  let first: unknown = null;
  for (let offset = 0; ; ) {
    // Without a text to search for, every contact would be listed.
    const page = await list({ search: email ?? '', offset }, options).safe();
    if (!page.ok) throw page.error;
    const { data, response } = page;
    // A handler can leave ids and emails out of what a web page sees.
    checkRecords('contacts.list', data, isObject);
    const contact = data.find(candidate => String(candidate.email).toLowerCase() === email.toLowerCase());
    // A service that ignores the offset returns the same page again.
    if (contact || data.length === 0 || data[0]?.id === first)
      return { data: contact, status: response.status, headers: () => response.headers };
    first = data[0]?.id;
    offset += data.length;
  }
}

const hasId = (record: unknown): boolean =>
  isObject(record) && ['string', 'number'].includes(typeof record.id);

/** Returns a page as it is. Throws if it cannot be used: with `validation: 'off'` it can be anything. */
function checkRecords<T>(operation: string, page: T[], isUsable: (record: unknown) => boolean): T[] {
  const wrong = Array.isArray(page) ? page.find(record => !isUsable(record)) : page;
  if (wrong === undefined) return page;
  const expected = 'an array of records with ids';
  const received = typeName(wrong);
  const message = `${operation}: the response cannot be used: expected ${expected}, got ${received}.`;
  throw new InvalidResponseError(message, {
    operation,
    outcome: 'done',
    issues: [{ path: '', expected, received }],
  });
}
