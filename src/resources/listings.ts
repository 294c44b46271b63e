import { invalidRequest, unusableRecords, withoutSpace } from '../core/issues.ts';
import { isObject, shown, typeName } from '../core/json.ts';
import type { ApiPromise } from '../http/call/api-promise.ts';
import type { CallOptions } from '../http/call/call-options.ts';
import { addCallSite, CallPromise, type CallResult } from '../http/call/call-promise.ts';
import { saysNothingAt } from '../pagination/page-loader.ts';
import type { Paginator } from '../pagination/paginator.ts';
import type { PaginatorOptions } from '../pagination/paginator-options.ts';
import { RecordPaginator } from '../pagination/record-paginator.ts';
import type { PageQuery } from '../schemas/page.ts';
import type { EndpointOf, ListingResource } from './endpoints.ts';

/** Lists one page, as the method of a resource does. */
type ListPage<T, Filter> = (query: PageQuery & Filter, options: CallOptions) => Promise<T[]>;

/** Creates the paginator of a listing. The compiler checks `pageSizes` against the table of endpoints. */
export function iterate<R extends ListingResource, T extends { readonly id: string }, Filter extends object>(
  resource: R,
  pageSizes: EndpointOf<`${R}.list`>['pageSizes'],
  list: ListPage<T, Filter>,
  filter: Filter | undefined,
  options: (PaginatorOptions & CallOptions) | undefined,
): Paginator<T> {
  const load = async (page: PageQuery, callOptions: CallOptions) => {
    const records = await list({ ...(filter as Filter), ...page }, callOptions);
    return checkRecords(`${resource}.list`, records, hasId);
  };
  return new RecordPaginator({ resource, filter, pageSizes, load }, options);
}

type SearchPage<T> = (
  query: PageQuery & { readonly search: string },
  options: CallOptions | undefined,
) => ApiPromise<T[]>;

type WithEmail = { readonly id: string; readonly email: string };

/** Finds a contact by email; case is ignored. Reads more pages as long as they contain only other contacts. */
export function findByEmail<T extends WithEmail>(
  list: SearchPage<T>,
  email: string,
  options?: CallOptions,
): ApiPromise<T | undefined> {
  const callSite = new Error();
  const found = find(list, email, options).catch(error => {
    addCallSite(error, callSite);
    throw error;
  });
  return new CallPromise(found);
}

/** Name in the errors of the search itself. Errors of a page name `contacts.list`. */
const findOperation = 'contacts.findByEmail';

/** The smaller of the maximums that the service documents (rule 4.3): few contacts match a whole email. */
const smallestPage = 30;

/** Maximum number of pages to search, in case the service ignores `search` and returns every contact. */
const maxSearchedPages = 50;

const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+$/.test(text);

async function find<T extends WithEmail>(
  list: SearchPage<T>,
  email: string,
  options: CallOptions | undefined,
): Promise<CallResult<T | undefined>> {
  if (!isEmail(email)) {
    // Any other text could be a key.
    const received = isEmail(String(email).trim()) ? shown(email) : typeName(email);
    const expected = `an email address${withoutSpace(email)}`;
    throw invalidRequest(findOperation, [{ path: 'email', expected, received }]);
  }
  let [first, offset]: [string | undefined, number] = [undefined, 0];
  for (let pages = 0; pages < maxSearchedPages; pages++) {
    const page = await list({ search: email, offset, limit: smallestPage }, options).safe();
    if (!page.ok) {
      const { error } = page;
      if (!saysNothingAt(offset, error)) throw error;
      return { data: undefined, status: error.status, headers: () => error.headers };
    }
    const { data, response } = page;
    // In a web page, the handler may have removed ids and emails.
    checkRecords(findOperation, data, isObject);
    const contact = data.find(candidate => String(candidate.email).toLowerCase() === email.toLowerCase());
    // A service that ignores the offset returns the same page again.
    if (contact || data.length === 0 || JSON.stringify(data[0]) === first)
      return { data: contact, status: response.status, headers: () => response.headers };
    first = JSON.stringify(data[0]);
    offset += data.length;
  }
  const expected = 'contacts that match the search';
  throw unusableRecords(findOperation, expected, `${offset} others in ${maxSearchedPages} pages`);
}

const hasId = (record: unknown): boolean =>
  isObject(record) && ['string', 'number'].includes(typeof record.id);

/** Returns a page. Throws if it is unusable: with `validation: 'off'`, it can be anything. */
function checkRecords<T>(operation: string, page: T[], isUsable: (record: unknown) => boolean): T[] {
  const wrong = Array.isArray(page) ? page.find(record => !isUsable(record)) : page;
  if (wrong === undefined) return page;
  throw unusableRecords(operation, 'an array of records with ids', typeName(wrong));
}
