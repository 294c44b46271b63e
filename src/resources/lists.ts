import type { ApiPromise } from '../call/api-promise.ts';
import type { CallOptions } from '../call/call-options.ts';
import type { Paginator } from '../pagination/paginator.ts';
import type { PaginatorOptions } from '../pagination/paginator-options.ts';
import type { Acknowledgement } from '../schemas/acknowledgement.ts';
import type { ListId } from '../schemas/id.ts';
import type { PageQuery } from '../schemas/page.ts';

/** List of contacts. */
export interface List {
  /** `list_` and 22 letters or digits. */
  readonly id: ListId;
  /** Name of the list. */
  readonly name: string;
  /** Type of the list, a whole number. The service does not document the values. */
  readonly type: number;
  /** Time of creation: ISO 8601, UTC. */
  readonly created: string;
  /** Time of the last change: ISO 8601, UTC. */
  readonly updated: string;
}

/** Body of {@link Lists.create}. */
export interface CreateListParams {
  /** Name of the list; not empty. */
  readonly name: string;
}

/** Filter of {@link Lists.list} and {@link Lists.all}. */
export interface ListsFilter {
  /** Part of the name: 2 to 100 characters. */
  readonly search?: string | undefined;
}

/** Query of {@link Lists.list}. `limit` is at most 500. */
export interface ListsQuery extends PageQuery, ListsFilter {}

/** Creates, lists and deletes lists of contacts. */
export interface Lists {
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
  create(params: CreateListParams, options?: CallOptions): ApiPromise<List>;

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
  list(query?: ListsQuery, options?: CallOptions): ApiPromise<List[]>;

  /**
   * Iterates over every list: `for await (const list of client.lists.all())`. Lists that exist for the whole run are
   * yielded exactly once, even while lists are added, deleted or changed, if they are sorted by creation or last change.
   * Nothing is sent before the loop starts.
   *
   * @example
   * ```ts
   * const lists = await client.lists.all().toArray();
   * console.log(lists.map(list => list.name));
   * ```
   */
  all(filter?: ListsFilter, options?: PaginatorOptions): Paginator<List>;

  /**
   * Deletes a list; the service keeps its data and contacts (soft delete). System lists cannot be deleted. Idempotent:
   * retried after an unknown outcome; "not found" on a retry is a success.
   *
   * @param id - Id of the list, with or without its prefix `list_`.
   * @throws {@link InvalidRequestError} if it is not a list id; nothing is sent.
   * @throws {@link NotFoundError} if the list does not exist.
   *
   * @example
   * ```ts
   * const list = await client.lists.create({ name: 'Old newsletter' });
   * const { status } = await client.lists.delete(list.id);
   * console.log(status); // success
   * ```
   */
  delete(id: ListId, options?: CallOptions): ApiPromise<Acknowledgement>;
}
