import { type ApiPromise, CallPromise, type CallResult } from '../call/api-promise.ts';
import type { CallOptions } from '../call/call-options.ts';
import { isEmail } from '../core/email.ts';
import { invalidRequest, unusableRecords } from '../core/issues.ts';
import { typeName } from '../core/json.ts';
import { anything, checkOptions } from '../core/option-rules.ts';
import type { Paginator } from '../pagination/paginator.ts';
import type { PaginatorOptions } from '../pagination/paginator-options.ts';
import { RecordPaginator } from '../pagination/record-paginator.ts';
import type { PageQuery } from '../schemas/page.ts';
import { type ListingResource, operations } from './operations.ts';

type ListPage<T, Filter> = (query: PageQuery & Filter, options?: CallOptions) => ApiPromise<T[]>;

/** Creates the paginator of a listing. Pages are loaded by the method `list` of its resource. */
export function iterate<T extends { readonly id: string }, Filter extends object>(
  resource: ListingResource,
  methods: { readonly list: ListPage<T, Filter> },
  filter: Filter | undefined,
  options: PaginatorOptions | undefined,
): Paginator<T> {
  if (filter !== undefined) checkOptions(`${resource}.all`, filter, { search: anything });
  const { pageSizes } = operations[`${resource}.list`];
  const load = (page: PageQuery, callOptions: CallOptions) =>
    methods.list({ ...(filter as Filter), ...page }, callOptions);
  return new RecordPaginator({ resource, filter, pageSizes, load }, options);
}

type WithEmail = { readonly id: string; readonly email: string };
type Searched<T> = { readonly list: ListPage<T, { readonly search: string }> };

/** Finds a contact by email; case is ignored. Reads more pages as long as they contain only other contacts. */
export const findByEmail = <T extends WithEmail>(
  methods: Searched<T>,
  email: string,
  options?: CallOptions,
): ApiPromise<T | undefined> => new CallPromise(find(methods, email, options));

/** Name in the errors of the search itself. Errors of a page name `contacts.list`. */
const findOperation = 'contacts.findByEmail';

/** The smaller of the maximums that the service documents (rule 4.3): few contacts match a whole email. */
const smallestPage = 30;

/** Maximum number of pages to search, in case the service ignores `search` and returns every contact. */
const maxMatchingPages = 50;

async function find<T extends WithEmail>(
  methods: Searched<T>,
  search: string,
  options: CallOptions | undefined,
): Promise<CallResult<T | undefined>> {
  // Any other text could be a key.
  const issue = { path: 'email', expected: 'an email address', received: typeName(search) };
  if (!isEmail(search)) throw invalidRequest(findOperation, [issue]);
  let pages = 0;
  let response = new Response();
  const load = async (page: PageQuery) => {
    if (pages++ === maxMatchingPages) throw tooManyOthers();
    const received = await methods.list({ ...page, search }, options).safe();
    if (!received.ok) throw received.error;
    response = received.response;
    return received.data;
  };
  const pageSizes = [smallestPage] as const;
  const source = { resource: 'contacts', filter: { search }, pageSizes, load, isPrefetched: false };
  const result = (data?: T) => ({ data, status: response.status, headers: () => response.headers });
  // A response can hold anything in place of an email.
  for await (const contact of new RecordPaginator<T>(source))
    if (typeof contact.email === 'string' && contact.email.toLowerCase() === search.toLowerCase())
      return result(contact);
  return result();
}

const tooManyOthers = () =>
  unusableRecords(findOperation, 'contacts that match the search', `others in ${maxMatchingPages} pages`);
