import type { ApiPromise } from '../call/api-promise.ts';
import { addCallSite, CallPromise, type CallResult } from '../call/api-promise.ts';
import type { CallOptions } from '../call/call-options.ts';
import { invalidRequest, invisible, unusableRecords } from '../core/issues.ts';
import { isObject, typeName } from '../core/json.ts';
import type { ApiError } from '../errors.ts';
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

function checkEmail(email: unknown): void {
  if (typeof email === 'string' && /^[^\s@]+@[^\s@]+$/.test(email) && !invisible.test(email)) return;
  // Any other text could be a key.
  const issue = { path: 'email', expected: 'an email address', received: typeName(email) };
  throw invalidRequest(findOperation, [issue]);
}

/** Loads a page of the search, which is empty if the service says so by an error. */
async function loadPage<T>(
  list: SearchPage<T>,
  search: string,
  offset: number,
  options: CallOptions | undefined,
): Promise<[T[], ApiError['response']]> {
  const page = await list({ search, offset, limit: smallestPage }, options).safe();
  // In a web page, the handler may have removed ids and emails.
  if (page.ok) return [checkRecords(findOperation, page.data, isObject), page.response];
  if (!saysNothingAt(offset, page.error)) throw page.error;
  return [[], page.error.response];
}

async function find<T extends WithEmail>(
  list: SearchPage<T>,
  email: string,
  options: CallOptions | undefined,
): Promise<CallResult<T | undefined>> {
  checkEmail(email);
  for (let pages = 0, offset = 0; pages < maxSearchedPages; pages++) {
    const [page, { status, headers }] = await loadPage(list, email, offset, options);
    const contact = page.find(each => String(each.email).toLowerCase() === email.toLowerCase());
    if (contact || page.length === 0) return { data: contact, status, headers: () => headers };
    offset += page.length;
  }
  throw unusableRecords(
    findOperation,
    'contacts that match the search',
    `others in ${maxSearchedPages} pages`,
  );
}

const hasId = (record: unknown): boolean =>
  isObject(record) && ['string', 'number'].includes(typeof record.id);

/** Returns a page. Throws if it is unusable: with `validation: 'off'`, it can be anything. */
function checkRecords<T>(operation: string, page: T[], isUsable: (record: unknown) => boolean): T[] {
  const wrong = Array.isArray(page) ? page.find(record => !isUsable(record)) : page;
  if (wrong === undefined) return page;
  const received =
    page === wrong ? typeName(wrong) : isObject(wrong) ? 'one without' : `${typeName(wrong)} in it`;
  throw unusableRecords(operation, 'an array of records with ids', received);
}
