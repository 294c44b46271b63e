import { InvalidResponseError } from '../errors.ts';
import { ApiPromise, addCallSite, type CallResult } from '../http/call/api-promise.ts';
import { isObject, typeName } from '../http/json.ts';
import type { CallOptions } from '../http/options/call-options.ts';
import type { Contact, ContactsFilter, ContactsQuery } from '../operations/contacts.ts';
import type { List, ListsFilter } from '../operations/lists.ts';
import { contactPageSizes, listPageSizes } from '../pagination/page-loader.ts';
import { Paginator } from '../pagination/paginator.ts';
import type { PaginatorOptions } from '../pagination/paginator-options.ts';
import type { PageQuery } from '../schemas/page.ts';

// Both clients list pages in their own way, and do the same with them.

/** Lists one page, as the method of a resource does. */
type ListPage<T, Filter> = (query: PageQuery & Filter, options: CallOptions) => Promise<T[]>;

type Options = (PaginatorOptions & CallOptions) | undefined;

/** Creates the paginator over contacts. */
export const iterateContacts = (
  list: ListPage<Contact, ContactsFilter>,
  filter: ContactsFilter | undefined,
  options: Options,
): Paginator<Contact> => {
  const load = async (page: PageQuery, own: CallOptions) =>
    withIds('contacts.list', await list({ ...filter, ...page }, own));
  return new Paginator({ operation: 'contacts.list', filter, pageSizes: contactPageSizes, load }, options);
};

/** Creates the paginator over lists. */
export const iterateLists = (
  list: ListPage<List, ListsFilter>,
  filter: ListsFilter | undefined,
  options: Options,
): Paginator<List> => {
  const load = async (page: PageQuery, own: CallOptions) =>
    withIds('lists.list', await list({ ...filter, ...page }, own));
  return new Paginator({ operation: 'lists.list', filter, pageSizes: listPageSizes, load }, options);
};

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
  const seen = new Set<unknown>();
  for (let offset = 0; ; ) {
    // Without a text to search for, every contact would be listed.
    const { data, response } = await list({ search: email ?? '', offset }, options).withResponse();
    if (!Array.isArray(data)) throw unusable('contacts.list', '', 'an array', data);
    // A handler can leave ids and emails out of what a web page sees.
    const contact = data.find(candidate => String(candidate?.email).toLowerCase() === email.toLowerCase());
    if (contact || data.every(candidate => seen.has(candidate?.id)))
      return { data: contact, status: response.status, headers: () => response.headers };
    for (const candidate of data) seen.add(candidate?.id);
    offset += data.length;
  }
}

/** Types of ids, as a service sends them. */
const idTypes: readonly string[] = ['string', 'number'];

/** Returns a page as it is. Throws if it has no ids to iterate by: with `validation: 'off'` it can be anything. */
function withIds<T>(operation: string, page: T[]): T[] {
  if (!Array.isArray(page)) throw unusable(operation, '', 'an array', page);
  const index = page.findIndex(record => !isObject(record) || !idTypes.includes(typeof record.id));
  if (index >= 0) throw unusable(operation, `[${index}]`, 'a record with an id', page[index]);
  return page;
}

function unusable(operation: string, path: string, expected: string, value: unknown): InvalidResponseError {
  const received = typeName(value);
  const message = `${operation}: the response cannot be used: expected ${expected}, got ${received}.`;
  const issues = [{ path, expected, received }];
  return new InvalidResponseError(message, { operation, outcome: 'done', issues });
}
