import type { ApiPromise } from '../http/call/api-promise.ts';
import type { CallOptions } from '../http/options/call-options.ts';
import {
  type CreateListParams,
  createList,
  deleteList,
  type List,
  type ListsFilter,
  type ListsQuery,
  listLists,
} from '../operations/lists.ts';
import type { Paginator } from '../pagination/paginator.ts';
import type { PaginatorOptions } from '../pagination/paginator-options.ts';
import type { Acknowledgement } from '../schemas/acknowledgement.ts';
import type { ListId } from '../schemas/id.ts';
import { iterate } from './listings.ts';
import { Resource } from './resource.ts';

/** Creates, lists and deletes lists of contacts. */
export class Lists extends Resource {
  /**
   * Creates a list. Not idempotent: never retried after an unknown outcome.
   *
   * @throws {@link InvalidRequestError} if a field is invalid; nothing is sent.
   *
   * @example
   * ```ts
   * const list = await client.lists.create({ name: 'Newsletter' });
   * console.log(list.id.startsWith('list_')); // true
   * ```
   */
  create(params: CreateListParams, options?: CallOptions): ApiPromise<List> {
    return Resource.perform(this, createList, params, options);
  }

  /**
   * Lists one page of lists. A page can be shorter than `limit` even if there are more lists.
   *
   * @throws {@link InvalidRequestError} if a field is invalid; nothing is sent.
   *
   * @example
   * ```ts
   * const lists = await client.lists.list({ limit: 100, search: 'news' });
   * for (const list of lists) console.log(list.id, list.name);
   * ```
   */
  list(query?: ListsQuery, options?: CallOptions): ApiPromise<List[]> {
    return Resource.perform(this, listLists, query, options);
  }

  /**
   * Iterates over every list: `for await (const list of client.lists.all())`. Each list that exists
   * throughout is yielded exactly once, even if others are added or deleted, unless the loop changes what the list is
   * sorted by. Nothing is sent before the loop starts.
   *
   * @example
   * ```ts
   * const lists = await client.lists.all().toArray();
   * console.log(lists.map(list => list.name));
   * ```
   */
  all(filter?: ListsFilter, options?: PaginatorOptions & CallOptions): Paginator<List> {
    return iterate('lists', [500, 100], (page, each) => this.list(page, each), filter, options);
  }

  /**
   * Deletes a list; the service keeps its data and contacts (soft delete). System lists cannot be deleted. Idempotent:
   * retried after an unknown outcome; "not found" on a retry is a success.
   *
   * @param id - Id of the list, with or without its prefix `list_`.
   * @throws {@link InvalidRequestError} if the id is not that of a list; nothing is sent.
   * @throws {@link NotFoundError} if there is no such list.
   *
   * @example
   * ```ts
   * const list = await client.lists.create({ name: 'Old newsletter' });
   * const { status } = await client.lists.delete(list.id);
   * console.log(status); // success
   * ```
   */
  delete(id: ListId, options?: CallOptions): ApiPromise<Acknowledgement> {
    return Resource.perform(this, deleteList, id, options);
  }
}
