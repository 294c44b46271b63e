import { InvalidResponseError } from '../errors.ts';
import { isObject, typeName } from '../http/json.ts';
import type { CallOptions } from '../http/options/call-options.ts';
import type { Contact, ContactsFilter } from '../operations/contacts.ts';
import type { List, ListsFilter } from '../operations/lists.ts';
import { contactPageSizes, listPageSizes } from '../pagination/page-loader.ts';
import { Paginator } from '../pagination/paginator.ts';
import type { PaginatorOptions } from '../pagination/paginator-options.ts';
import type { PageQuery } from '../schemas/page.ts';

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

/** Types of ids, as a service sends them. */
const idTypes: readonly string[] = ['string', 'number'];

/** Returns a page as it is. Throws if it has no ids to iterate by: with `validation: 'off'` it can be anything. */
function withIds<T>(operation: string, page: T[]): T[] {
  const isPage = Array.isArray(page);
  const index = isPage
    ? page.findIndex(record => !isObject(record) || !idTypes.includes(typeof record.id))
    : 0;
  if (index < 0) return page;
  const expected = isPage ? 'a record with an id' : 'an array';
  const received = typeName(isPage ? page[index] : page);
  const message = `${operation}: the response cannot be iterated over: expected ${expected}, got ${received}.`;
  const issues = [{ path: isPage ? `[${index}]` : '', expected, received }];
  throw new InvalidResponseError(message, { operation, outcome: 'done', issues });
}
