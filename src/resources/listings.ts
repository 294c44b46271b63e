import type { ApiPromise } from '../call/api-promise.ts';
import type { CallOptions } from '../call/call-options.ts';
import { anything, checkOptions } from '../core/option-rules.ts';
import type { Paginator } from '../pagination/paginator.ts';
import type { PaginatorOptions } from '../pagination/paginator-options.ts';
import { RecordPaginator } from '../pagination/record-paginator.ts';
import type { PageQuery } from '../schemas/page.ts';
import { type ListingResource, operations } from './operations.ts';

type ListPage<T, Filter> = (query: PageQuery & Filter, options?: CallOptions) => ApiPromise<T[]>;

/** Creates the paginator of a listing. Pages are loaded by the method `list` of its resource. */
export function createPaginator<T extends { readonly id: string }, Filter extends object>(
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
